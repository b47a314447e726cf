#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/redis/resp/write_reply.h"
#include "model/redis/server.h"
#include "tests/conformance/script.h"

namespace redeliver::conformance {

/// What a connection is sent next.
struct SentBytes {
    std::size_t connection;
    std::string bytes;
};

/// Our model behind the same interface as the reference: words in, bytes out.
class ModelledServer {
public:
    ModelledServer(const Script& script, model::redis::Configuration::Record record);

    void submit(std::size_t connection, const Words& words, sim::WallTime now,
                std::vector<SentBytes>& sent);
    void disconnect(std::size_t connection, sim::WallTime now, std::vector<SentBytes>& sent);
    void advance(sim::WallTime now, std::vector<SentBytes>& sent);

    /// Whether some group of the stream under this key has pending entries.
    bool has_pending(const std::string& key, sim::WallTime now);

    model::redis::Server& server() { return server_; }

private:
    void write(std::vector<SentBytes>& sent);

    model::redis::Server server_;
    std::vector<model::redis::resp::Protocol> protocols_;
    model::redis::Output out_;
};

}  // namespace redeliver::conformance
