#pragma once

#include "model/database/schema.h"
#include "model/database/statements.h"

namespace redeliver::model::database {

/// Stops with a harness error unless the statement's tables and columns exist and its terms have
/// the types of their columns: PostgreSQL would refuse to plan it, and no actor means to ask for
/// that.
void ensure_fits(const Schema& schema, const Statement& statement);

}  // namespace redeliver::model::database
