#pragma once

#include <string>

#include "model/database/results.h"
#include "model/database/schema.h"

namespace redeliver::conformance::postgresql {

/// An answer as text, to be compared: `INSERT 0 1`, `SELECT 2 (1, 'a') (2, null)`, or
/// `error 23505 t1_a_key`, with the constraint's name if it is about one. Nothing is left out but
/// the words of errors.
std::string describe(const model::database::Result& result, const model::database::Table* table);

}  // namespace redeliver::conformance::postgresql
