#pragma once

#include <string>

#include "model/database/schema.h"
#include "model/database/statements.h"

namespace redeliver::model::database {

/// What PostgreSQL is sent for a statement of this schema, which it must fit. Integers are `bigint`
/// and texts are `text collate "C"`; times are microseconds since the Unix epoch. Names stand there
/// as they are, so they must be plain identifiers.
std::string sql(const Schema& schema, const Statement& statement);

/// CREATE TABLE with its keys, and its plain indexes after it.
std::string sql(const Table& table);

/// A value as SQL writes it: `null`, `42`, `'it''s'`.
std::string literal(const Value& value);

}  // namespace redeliver::model::database
