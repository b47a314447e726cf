#include "model/operations.h"

#include "sim/ensure.h"

namespace redeliver::model {

namespace {

constexpr std::array<std::string_view, operation_count> texts = {
    "none",           "submit",        "XADD",          "XADD dead",     "XREADGROUP",
    "XREADGROUP own", "XACK",          "XAUTOCLAIM",    "XCLAIM",        "XPENDING",
    "XLEN",           "XINFO",         "XTRIM",         "XGROUP CREATE", "XGROUP DELCONSUMER",
    "WATCH",          "EXEC",          "SET NX",        "DEL",           "BEGIN",
    "COMMIT",         "ROLLBACK",      "INSERT run",    "SELECT run",    "SELECT stale",
    "UPDATE running", "UPDATE done",   "UPDATE failed", "INSERT reply",  "SELECT reply",
    "work",           "INSERT outbox", "SELECT outbox", "DELETE outbox", "INSERT mark",
    "SELECT mark",    "INSERT lease",  "UPDATE lease",  "SELECT lease"};

}  // namespace

std::string_view text(Operation operation) {
    const auto index = static_cast<std::size_t>(operation);
    sim::ensure(index < texts.size(), "every operation has a text");
    return texts[index];
}

std::vector<std::string> operation_texts() { return {texts.begin(), texts.end()}; }

}  // namespace redeliver::model
