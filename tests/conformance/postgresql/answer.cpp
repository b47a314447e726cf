#include "tests/conformance/postgresql/answer.h"

#include <fmt/format.h>

#include "sim/ensure.h"

namespace redeliver::conformance::postgresql {
namespace {

using namespace model::database;

std::string describe_rows(const Rows& rows) {
    std::string text;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::string fields;
        for (const Value& value : rows[row])
            fields += (fields.empty() ? "" : ", ") + describe(value);
        text += " (" + fields + ")";
    }
    return text;
}

std::string describe_error(const Result& result, const Table* table) {
    if (result.violated) {
        sim::ensure(table != nullptr, "only a table's key can be violated");
        return fmt::format("error {} {}", code(result.state),
                           table->unique_keys[index(*result.violated)].name);
    }
    // PostgreSQL names the table's column here, not a constraint.
    return fmt::format("error {}", code(result.state));
}

}  // namespace

std::string describe(const Result& result, const Table* table) {
    if (!result.ok()) return describe_error(result, table);
    switch (result.tag) {
    case Tag::begin: return "BEGIN";
    case Tag::commit: return "COMMIT";
    case Tag::rollback: return "ROLLBACK";
    case Tag::insert: return fmt::format("INSERT 0 {}", result.affected);
    case Tag::update: return fmt::format("UPDATE {}", result.affected);
    case Tag::remove: return fmt::format("DELETE {}", result.affected);
    case Tag::select: return fmt::format("SELECT {}", result.affected) + describe_rows(result.rows);
    case Tag::none: break;
    }
    sim::ensure(false, "a statement that succeeded has a tag");
    return {};
}

}  // namespace redeliver::conformance::postgresql
