#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "model/redis/replies.h"

namespace redeliver::model::redis::resp {

/// What INFO counts, since the start or the last CONFIG RESETSTAT.
/// Source: call(), rejectCommand() and afterErrorReply() of redis-server 7.0.15.
class Statistics {
public:
    struct Calls {
        std::uint64_t calls = 0;
        /// Refused before they were executed.
        std::uint64_t rejected = 0;
        /// Executed, and answered with an error.
        std::uint64_t failed = 0;
    };

    void connected() { ++connections_; }
    void turned_away() { ++turned_away_; }
    void received(std::uint64_t bytes) { bytes_in_ += bytes; }
    void sent(std::uint64_t bytes) { bytes_out_ += bytes; }

    /// `command` as the command table has it: `xgroup|create`.
    void executed(std::string_view command, const Reply& reply);
    void rejected(std::string_view command, const Reply& reply);
    /// An error of no command that is known.
    void error(std::string_view text);

    const std::map<std::string, Calls, std::less<>>& calls() const { return calls_; }
    /// By the first word of the error.
    const std::map<std::string, std::uint64_t, std::less<>>& errors() const { return errors_; }
    std::uint64_t total_errors() const { return total_errors_; }
    std::uint64_t total_calls() const { return total_calls_; }
    std::uint64_t connections() const { return connections_; }
    std::uint64_t connections_turned_away() const { return turned_away_; }
    std::uint64_t bytes_in() const { return bytes_in_; }
    std::uint64_t bytes_out() const { return bytes_out_; }

private:
    Calls& of(std::string_view command);

    std::map<std::string, Calls, std::less<>> calls_;
    std::map<std::string, std::uint64_t, std::less<>> errors_;
    std::uint64_t total_errors_ = 0;
    std::uint64_t total_calls_ = 0;
    std::uint64_t connections_ = 0;
    std::uint64_t turned_away_ = 0;
    std::uint64_t bytes_in_ = 0;
    std::uint64_t bytes_out_ = 0;
};

/// The text of an error, without the minus; nothing for any other reply.
std::optional<std::string_view> error_text(const Reply& reply);

}  // namespace redeliver::model::redis::resp
