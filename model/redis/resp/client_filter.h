#pragma once

#include <optional>
#include <set>
#include <string>
#include <variant>

#include "model/redis/resp/hosted.h"

namespace redeliver::model::redis::resp {

/// Which connections CLIENT LIST and CLIENT KILL are about. Every client here is of the type
/// `normal` and of the user `default`.
struct ClientFilter {
    enum class Form : std::uint8_t { address, options };
    enum class Self : std::uint8_t { meant, spared };

    /// Without any: all of them.
    std::set<std::int64_t> ids = {};
    std::optional<std::string> remote = {};
    std::optional<std::string> local = {};
    /// None can pass: another type or user was asked for.
    bool passes_nobody = false;
    Form form = Form::options;
    Self self = Self::spared;
    /// Whoever asks, when spared.
    std::optional<SessionId> but = {};

    bool passes(const Connection& connection) const;
};

/// CLIENT LIST [TYPE type] [ID id ...], or how it is refused.
std::variant<ClientFilter, Reply> read_list_filter(const Words& words);

/// CLIENT KILL addr, or its options, or how it is refused.
std::variant<ClientFilter, Reply> read_kill_filter(const Words& words);

}  // namespace redeliver::model::redis::resp
