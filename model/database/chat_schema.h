#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/database/schema.h"

/// The tables of the chat back end: what a user asked for and what was answered, and beside them
/// what some variants of the system need.
namespace redeliver::model::database::chat {

inline constexpr TableId runs{0};
inline constexpr TableId messages{1};

/// Columns of `runs`.
namespace run {
inline constexpr ColumnId run_id{0};           ///< Primary key.
inline constexpr ColumnId idempotency_key{1};  ///< Text; unique, if the schema says so.
inline constexpr ColumnId session_id{2};       ///< Of the chat, not of the database.
inline constexpr ColumnId status{3};           ///< A RunStatus.
inline constexpr ColumnId reason{4};           ///< Text, null until the run has failed.
inline constexpr ColumnId created_at{5};  ///< Microseconds since the epoch, the server's now().
inline constexpr ColumnId worker{6};      ///< Text, null until a worker has claimed the run.
inline constexpr ColumnId claimed_at{7};  ///< Microseconds since the epoch, or null.
}  // namespace run

/// Columns of `messages`.
namespace message {
inline constexpr ColumnId message_id{0};  ///< Primary key.
inline constexpr ColumnId run_id{1};
inline constexpr ColumnId seq{2};  ///< With run_id unique, if the schema says so.
inline constexpr ColumnId session_id{3};
inline constexpr ColumnId body{4};  ///< Text.
}  // namespace message

/// Columns of `outbox`: a row for each run that is still to be published.
namespace outbox {
inline constexpr std::string_view table = "outbox";
inline constexpr ColumnId run_id{0};  ///< Primary key.
inline constexpr ColumnId session_id{1};
inline constexpr ColumnId created_at{2};  ///< Microseconds since the epoch, the server's now().
}  // namespace outbox

/// Columns of `processed_messages`: a row says that the effect of a message is committed.
namespace processed {
inline constexpr std::string_view table = "processed_messages";
inline constexpr ColumnId run_id{0};        ///< Primary key.
inline constexpr ColumnId processed_at{1};  ///< Microseconds since the epoch, the server's now().
}  // namespace processed

/// Columns of `leases`: who may work on a run, and until when.
namespace lease {
inline constexpr std::string_view table = "leases";
inline constexpr ColumnId run_id{0};      ///< Primary key.
inline constexpr ColumnId owner{1};       ///< Text.
inline constexpr ColumnId token{2};       ///< The fencing token: 1, and 1 more for every new owner.
inline constexpr ColumnId expires_at{3};  ///< Microseconds since the epoch, by the server's clock.
}  // namespace lease

enum class RunStatus : std::uint8_t { pending, running, done, failed };

/// `pending`, `running`, `done`, `failed`.
std::string_view name(RunStatus status);

/// The gates against duplicates, each of which a wrong variant of the system leaves out.
struct Options {
    enum class Key : std::uint8_t { absent, present };
    /// One intention, one run.
    Key unique_idempotency_key = Key::present;
    /// One reply per run and place, however often the run is executed.
    Key unique_reply = Key::present;

    /// Tables that only some variants have: `optional_tables` says where.
    enum class Has : std::uint8_t { no, yes };
    Has outbox = Has::no;
    Has processed_messages = Has::no;
    Has leases = Has::no;
};

/// These tables, with a plain index on runs (status, created_at) for whoever polls them. In a
/// server of this schema `runs` and `messages`, and the columns above, are what they say, whatever
/// the options.
Schema schema(Options options);

/// The places of the tables that a schema may lack.
struct OptionalTables {
    std::optional<TableId> outbox = {};
    std::optional<TableId> processed_messages = {};
    std::optional<TableId> leases = {};
};
OptionalTables optional_tables(const Schema& schema);

}  // namespace redeliver::model::database::chat
