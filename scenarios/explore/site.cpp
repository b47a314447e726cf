#include "scenarios/explore/site.h"

#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "model/operations.h"
#include "model/steps.h"
#include "sim/ensure.h"
#include "sim/happenings.h"

namespace redeliver::scenarios {

namespace {

/// Steps that a poll which finds nothing leaves behind, or that say nothing about the system.
constexpr sim::KindMask idle_kinds =
    sim::kinds_of<sim::Sent, sim::Replied, sim::Arrived, sim::Healed, model::Decided>;

bool is_poll(sim::Subject subject) {
    return subject == sim::Subject::none || sim::series_of(subject) == sim::node_series;
}

bool is_idle(const sim::Step& step) {
    return ((idle_kinds >> step.kind) & 1) != 0 && is_poll(step.subject);
}

/// A site, and what was going on around it.
struct Surroundings {
    Site site;
    std::uint64_t events_before = 0;                  // Steps that are not idle.
    std::optional<std::uint64_t> events_at_end = {};  // Nothing if it never ended.
    std::uint64_t content = 0;                        // Of the answer.

    bool is_idle() const {
        return site.what == Site::What::request && is_poll(site.address.subject) &&
               events_at_end == events_before;
    }
};

/// Reads the steps of a trial from first to last.
class SiteReader {
public:
    void read(const sim::Step& step) {
        if (!is_idle(step)) ++events_;
        if (const auto* const sent = step.as<sim::Sent>()) {
            add(Site::What::request, step, sent->operation, sent->occurrence, sent->server);
        } else if (const auto* const refused = step.as<sim::Refused>()) {
            add(Site::What::refusal, step, refused->operation, refused->occurrence,
                refused->server);
        } else if (const auto* const work = step.as<model::WorkStarted>()) {
            add(Site::What::work, step, model::number(model::Operation::work), work->execution,
                sim::NodeId::none);
        } else {
            follow(step);
        }
    }

    std::vector<Surroundings> found;

private:
    using Key = std::tuple<sim::OperationKind, sim::Subject, std::uint32_t>;

    void add(Site::What what, const sim::Step& step, sim::OperationKind operation,
             std::uint32_t occurrence, sim::NodeId server) {
        index_[{operation, step.subject, occurrence}] = found.size();
        found.push_back({.site = {.what = what,
                                  .address = {operation, step.subject, occurrence},
                                  .performer = step.actor,
                                  .server = server,
                                  .begun = step.number},
                         .events_before = events_});
    }

    void follow(const sim::Step& step) {
        if (const auto* const replied = step.as<sim::Replied>()) {
            auto& at = find(replied->operation, step.subject, replied->occurrence);
            at.site.applied = step.number;
            at.content = replied->content;
        } else if (const auto* const arrived = step.as<sim::Arrived>()) {
            auto& at = find(arrived->operation, step.subject, arrived->occurrence);
            at.site.ended = step.number;
            at.events_at_end = events_;
        } else if (const auto* const dropped = step.as<sim::Dropped>()) {
            if (dropped->what == sim::Swallowed::request)
                find(dropped->operation, step.subject, dropped->occurrence).site.dropped =
                    step.number;
        } else if (const auto* const work = step.as<model::WorkFinished>()) {
            find(model::number(model::Operation::work), step.subject, work->execution).site.ended =
                step.number;
        }
    }

    Surroundings& find(sim::OperationKind operation, sim::Subject subject,
                       std::uint32_t occurrence) {
        const auto found_at = index_.find({operation, subject, occurrence});
        sim::ensure(found_at != index_.end(), "what is answered or dropped was sent");
        return found[found_at->second];
    }

    std::map<Key, std::size_t> index_;
    std::uint64_t events_ = 0;
};

std::vector<Surroundings> read(const Recording& recording) {
    SiteReader reader;
    for (const sim::Step& step : recording.steps) reader.read(step);
    for (Surroundings& each : reader.found) each.site.role = recording.role(each.site.performer);
    return std::move(reader.found);
}

bool is_like(const Surroundings& poll, const Surroundings& earlier) {
    return poll.is_idle() && earlier.is_idle() && poll.events_before == earlier.events_before &&
           poll.content == earlier.content;
}

}  // namespace

std::vector<Site> all_sites_of(const Recording& recording) {
    std::vector<Site> sites;
    for (const Surroundings& each : read(recording)) sites.push_back(each.site);
    return sites;
}

std::vector<Site> sites_of(const Recording& recording) {
    std::vector<Site> sites;
    const std::vector<Surroundings> found = read(recording);
    // By actor and operation: the first of the newest stretch, here and among the sites.
    std::map<std::pair<sim::NodeId, sim::OperationKind>, std::pair<std::size_t, std::size_t>> first;
    for (std::size_t index = 0; index < found.size(); ++index) {
        const Site& site = found[index].site;
        const auto [at, is_new] =
            first.try_emplace({site.performer, site.address.operation}, index, sites.size());
        if (!is_new && is_like(found[index], found[at->second.first])) {
            ++sites[at->second.second].stands_for;
            continue;
        }
        at->second = {index, sites.size()};
        sites.push_back(site);
    }
    return sites;
}

}  // namespace redeliver::scenarios
