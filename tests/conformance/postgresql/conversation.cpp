#include "tests/conformance/postgresql/conversation.h"

#include <map>

#include "scenarios/explore/campaign.h"
#include "scenarios/services/database_service.h"

namespace redeliver::conformance::postgresql {
namespace {

using namespace model::database;

/// Writes down what it hears. A session that has gone is a client that left; its number may come
/// again.
class Scribe final : public scenarios::Witness {
public:
    void began(const Server& server) override {
        script_.schema = server.schema();
        script_.lock_timeout = server.configuration().lock_timeout;
        script_.statement_timeout = server.configuration().statement_timeout;
        script_.step_time = {};
        script_.size = Script::Size::any;
    }
    void submitted(SessionId session, const Statement& statement, sim::WallTime now) override {
        reach(now);
        const auto place = places_.try_emplace(session, places_.size()).first;
        script_.steps.push_back(Say{place->second, statement});
    }
    void disconnected(SessionId session, sim::WallTime now) override {
        reach(now);
        const auto place = places_.find(session);
        if (place != places_.end()) script_.steps.push_back(Leave{place->second});
    }
    void lost(sim::WallTime) override { can_be_told_ = false; }

    std::optional<Script> script() {
        if (!can_be_told_) return std::nullopt;
        script_.sessions = places_.size();
        return std::move(script_);
    }

private:
    void reach(sim::WallTime now) {
        if (last_ && now < *last_) can_be_told_ = false;
        if (last_ && now > *last_) script_.steps.push_back(Pass{now - *last_});
        last_ = now;
    }

    Script script_;
    std::map<SessionId, std::size_t> places_;
    std::optional<sim::WallTime> last_;
    bool can_be_told_ = true;
};

}  // namespace

std::optional<Script> conversation_of(scenarios::TrialRunner& runner,
                                      const scenarios::Scenario& scenario, std::uint64_t seed) {
    Scribe scribe;
    const scenarios::Plan plan = scenarios::plan_of(runner, scenario, seed);
    runner.run_before(scribe, scenario, plan, seed);
    return scribe.script();
}

}  // namespace redeliver::conformance::postgresql
