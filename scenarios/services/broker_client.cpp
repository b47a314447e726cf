#include "scenarios/services/broker_client.h"

#include <fmt/format.h>

#include <utility>

#include "sim/world.h"

namespace redeliver::scenarios {

namespace redis = model::redis;
using model::Operation;
using redis::Reply;

namespace {

redis::Milliseconds milliseconds(sim::Duration duration) {
    return std::chrono::duration_cast<redis::Milliseconds>(duration);
}

}  // namespace

BrokerClient::BrokerClient(sim::Process& self, RedisService& service, sim::Duration timeout)
    : self_(self),
      service_(service),
      connection_(self.world().network().connect(self.node(), service.node())),
      timeout_(timeout) {}

template <class... Commands>
sim::Outcome<Reply> BrokerClient::send(const Sending& how, Commands... commands) {
    return sim::request(
        self_, service_.exchanges(),
        {.connection = connection_,
         .operation = model::number(how.operation),
         .subject = how.about,
         .timeout = timeout_ + how.patience,
         .continuity = how.continuity},
        [&](RedisRequest& slot) {
            slot.commands.clear();
            (slot.commands.emplace_back(std::in_place_type<Commands>, std::move(commands)), ...);
        });
}

sim::Outcome<Reply> BrokerClient::create_group() {
    return send({Operation::xgroup_create, sim::Subject::none},
                redis::XgroupCreate{.key = keys::runs,
                                    .group = keys::workers,
                                    .if_missing = redis::XgroupCreate::IfMissing::create_stream});
}

sim::Outcome<Reply> BrokerClient::publish(sim::Subject run, std::uint32_t session,
                                          std::optional<redis::Trim> trim) {
    const std::string run_text = self_.world().text(run);
    const fmt::format_int session_text(session);
    return send({Operation::xadd, run},
                redis::Xadd{.key = keys::runs,
                            .body = {{"runId", run_text},
                                     {"sessionId", {session_text.data(), session_text.size()}}},
                            .trim = trim,
                            .label = label_of(run)});
}

sim::Outcome<BrokerClient::Batch> BrokerClient::read_new(const std::string& consumer,
                                                         std::uint32_t count,
                                                         std::optional<sim::Duration> block) {
    return read(Operation::xreadgroup, consumer, redis::undelivered, count, block);
}

sim::Outcome<BrokerClient::Batch> BrokerClient::read_own(const std::string& consumer, EntryId after,
                                                         std::uint32_t count) {
    return read(Operation::xreadgroup_own, consumer, after, count, {});
}

sim::Outcome<BrokerClient::Batch> BrokerClient::read(Operation operation,
                                                     const std::string& consumer, EntryId after,
                                                     std::uint32_t count,
                                                     std::optional<sim::Duration> block) {
    redis::Xreadgroup command{
        .group = keys::workers, .consumer = consumer, .streams = {}, .count = count};
    command.streams.push_back({.key = keys::runs, .after = after});
    if (block) command.block = milliseconds(*block);
    auto outcome =
        send({operation, sim::Subject::none, block.value_or(sim::Duration{})}, std::move(command));
    if (!outcome.arrived()) return Outcome<Batch>(outcome.fate());
    Batch batch{.entries = {}, .refusal = redis::refusal(outcome.value())};
    if (auto* const read = std::get_if<redis::ReadReply>(&outcome.value()))
        batch.entries = std::move(read->streams.front().entries);
    return Outcome<Batch>(std::move(batch));
}

sim::Outcome<BrokerClient::Claim> BrokerClient::claim(const std::string& consumer,
                                                      sim::Duration min_idle_time, EntryId start,
                                                      std::uint32_t count) {
    auto outcome = send({Operation::xautoclaim, sim::Subject::none},
                        redis::Xautoclaim{.key = keys::runs,
                                          .group = keys::workers,
                                          .consumer = consumer,
                                          .min_idle_time = milliseconds(min_idle_time),
                                          .start = {.id = start},
                                          .count = count});
    if (!outcome.arrived()) return Outcome<Claim>(outcome.fate());
    Claim claim{.entries = {}, .cursor = {}, .refusal = redis::refusal(outcome.value())};
    if (auto* const claimed = std::get_if<redis::Autoclaimed>(&outcome.value())) {
        claim.entries = std::move(claimed->claimed);
        claim.cursor = claimed->cursor;
    }
    return Outcome<Claim>(std::move(claim));
}

sim::Outcome<Reply> BrokerClient::acknowledge(sim::Subject run, EntryId id) {
    return send({Operation::xack, run},
                redis::Xack{.key = keys::runs, .group = keys::workers, .ids = {id}});
}

sim::Outcome<Reply> BrokerClient::acknowledge_all(std::vector<EntryId> ids) {
    return send({Operation::xack, sim::Subject::none},
                redis::Xack{.key = keys::runs, .group = keys::workers, .ids = std::move(ids)});
}

sim::Outcome<std::optional<redis::PendingRow>> BrokerClient::pending(sim::Subject run, EntryId id) {
    using Row = std::optional<redis::PendingRow>;
    auto outcome = send({Operation::xpending, run}, redis::XpendingRange{.key = keys::runs,
                                                                         .group = keys::workers,
                                                                         .start = {.id = id},
                                                                         .end = {.id = id},
                                                                         .count = 1});
    if (!outcome.arrived()) return Outcome<Row>(outcome.fate());
    auto* const found = std::get_if<redis::PendingRows>(&outcome.value());
    if (found == nullptr || found->rows.empty()) return Outcome<Row>(Row{});
    return Outcome<Row>(std::move(found->rows.front()));
}

redis::Xadd BrokerClient::dead_letter_command(const DeadLetter& letter) const {
    const std::string run = self_.world().text(letter.run);
    const std::string original = redis::to_string(letter.original);
    const fmt::format_int deliveries(letter.deliveries);
    return {.key = keys::dead,
            .body = {{"runId", run},
                     {"originalId", original},
                     {"deliveries", {deliveries.data(), deliveries.size()}},
                     {"reason", letter.reason}},
            .label = dead_letter_label_of(letter.run)};
}

sim::Outcome<Reply> BrokerClient::add_dead_letter(const DeadLetter& letter) {
    return send({Operation::xadd_dead, letter.run}, dead_letter_command(letter));
}

sim::Outcome<Reply> BrokerClient::move_to_dead_letters(const DeadLetter& letter) {
    const std::string marker = fmt::format("{}:{}", keys::dead, self_.world().text(letter.run));
    auto looked = send({Operation::watch, letter.run}, redis::Watch{.keys = {marker}},
                       redis::Get{.key = marker});
    if (!looked.arrived()) return looked;
    if (std::holds_alternative<redis::Text>(looked.value()))
        return acknowledge(letter.run, letter.original);
    // In another session nothing would be watched.
    const Sending how{.operation = Operation::exec,
                      .about = letter.run,
                      .continuity = sim::Network::Continuity::same_session};
    return send(how, redis::Multi{}, redis::Set{.key = marker, .value = "1"},
                dead_letter_command(letter),
                redis::Xack{.key = keys::runs, .group = keys::workers, .ids = {letter.original}},
                redis::Exec{});
}

sim::Outcome<bool> BrokerClient::mark(sim::Subject run, sim::Duration expiry) {
    auto outcome = send({Operation::set_nx, run},
                        redis::Set{.key = fmt::format("koda:done:{}", self_.world().text(run)),
                                   .value = "1",
                                   .condition = redis::Set::Condition::if_absent,
                                   .expiry = redis::ExpireIn{milliseconds(expiry)}});
    if (!outcome.arrived()) return Outcome<bool>(outcome.fate());
    return Outcome<bool>(std::holds_alternative<redis::Ok>(outcome.value()));
}

sim::Outcome<std::vector<redis::ConsumerInfo>> BrokerClient::consumers() {
    using Infos = std::vector<redis::ConsumerInfo>;
    auto outcome = send({Operation::xinfo, sim::Subject::none},
                        redis::XinfoConsumers{.key = keys::runs, .group = keys::workers});
    if (!outcome.arrived()) return Outcome<Infos>(outcome.fate());
    auto* const infos = std::get_if<redis::ConsumerInfos>(&outcome.value());
    return Outcome<Infos>(infos == nullptr ? Infos{} : std::move(infos->consumers));
}

sim::Outcome<std::optional<std::uint64_t>> BrokerClient::backlog() {
    using Count = std::optional<std::uint64_t>;
    auto outcome =
        send({Operation::xinfo, sim::Subject::none}, redis::XinfoGroups{.key = keys::runs});
    if (!outcome.arrived()) return Outcome<Count>(outcome.fate());
    const auto* const infos = std::get_if<redis::GroupInfos>(&outcome.value());
    if (infos == nullptr || infos->groups.empty() || !infos->groups.front().lag)
        return Outcome<Count>(Count{});
    const redis::GroupInfo& group = infos->groups.front();
    return Outcome<Count>(group.pending +
                          static_cast<std::uint64_t>(std::max<std::int64_t>(*group.lag, 0)));
}

sim::Outcome<bool> BrokerClient::owes_anything() {
    auto seen = send({Operation::xinfo, sim::Subject::none}, redis::XinfoStream{.key = keys::runs});
    if (!seen.arrived()) return Outcome<bool>(seen.fate());
    const auto* const stream = std::get_if<redis::StreamInfo>(&seen.value());
    auto outcome =
        send({Operation::xinfo, sim::Subject::none}, redis::XinfoGroups{.key = keys::runs});
    if (!outcome.arrived()) return Outcome<bool>(outcome.fate());
    const auto* const infos = std::get_if<redis::GroupInfos>(&outcome.value());
    const bool is_empty = stream == nullptr || !stream->last_entry;
    if (infos == nullptr || infos->groups.empty()) return Outcome<bool>(!is_empty);
    const redis::GroupInfo& group = infos->groups.front();
    return Outcome<bool>(group.pending > 0 ||
                         (!is_empty && group.last_delivered_id < stream->last_entry->id));
}

sim::Outcome<Reply> BrokerClient::delete_consumer(const std::string& consumer) {
    return send(
        {Operation::xgroup_delconsumer, sim::Subject::none},
        redis::XgroupDelconsumer{.key = keys::runs, .group = keys::workers, .consumer = consumer});
}

}  // namespace redeliver::scenarios
