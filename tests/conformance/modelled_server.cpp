#include "tests/conformance/modelled_server.h"

#include <utility>

#include "model/redis/resp/read_command.h"
#include "sim/ensure.h"

namespace redeliver::conformance {
namespace {

namespace redis = model::redis;

redis::Configuration configuration_for(const Script& script, redis::Configuration::Record record) {
    redis::Configuration configuration;
    configuration.stream_node_max_entries = script.stream_node_max_entries;
    configuration.stream_node_max_bytes = script.stream_node_max_bytes;
    configuration.record = record;
    return configuration;
}

redis::SessionId session_of(std::size_t connection) { return redis::SessionId{connection}; }

}  // namespace

ModelledServer::ModelledServer(const Script& script, redis::Configuration::Record record)
    : server_(configuration_for(script, record)), protocols_(script.protocols) {}

void ModelledServer::submit(std::size_t connection, const Words& words, sim::WallTime now,
                            std::vector<SentBytes>& sent) {
    const auto command = redis::resp::read_command(words, server_.configuration().version);
    server_.submit(session_of(connection), command, now, out_);
    write(sent);
}

void ModelledServer::disconnect(std::size_t connection, sim::WallTime now,
                                std::vector<SentBytes>& sent) {
    server_.disconnect(session_of(connection), now, out_);
    write(sent);
}

void ModelledServer::advance(sim::WallTime now, std::vector<SentBytes>& sent) {
    server_.advance(now, out_);
    write(sent);
}

bool ModelledServer::has_pending(const std::string& key, sim::WallTime now) {
    redis::Output looked;
    const auto observer = session_of(protocols_.size());
    server_.submit(observer, redis::XinfoGroups{key}, now, looked);
    const auto* const infos = std::get_if<redis::GroupInfos>(&looked.replies.back().reply);
    if (!infos) return false;
    for (const redis::GroupInfo& group : infos->groups)
        if (group.pending > 0) return true;
    return false;
}

void ModelledServer::write(std::vector<SentBytes>& sent) {
    sim::ensure(out_.closed.empty(), "a primary closes no connection by itself");
    for (const redis::Sent& reply : out_.replies) {
        const auto connection = static_cast<std::size_t>(reply.to);
        SentBytes next{connection, {}};
        redis::resp::write_reply(reply.reply, protocols_.at(connection), next.bytes);
        sent.push_back(std::move(next));
    }
    out_.clear();
}

}  // namespace redeliver::conformance
