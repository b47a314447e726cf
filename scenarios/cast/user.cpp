#include <fmt/format.h>

#include "model/operations.h"
#include "scenarios/cast/stage.h"

namespace redeliver::scenarios {

namespace {

using sim::ConnectionId;

class User {
public:
    User(sim::Process& self, Stage& stage) : self_(self), stage_(stage) {
        for (const sim::NodeId gateway : stage.gateways)
            connections_.push_back(self.world().network().connect(self.node(), gateway));
    }

    void submit(const Message& message) {
        const Users& users = stage_.system().users;
        std::uint32_t attempt = 0;
        for (std::uint32_t round = 0; round < message.submissions; ++round) {
            const std::uint32_t last = attempt + users.attempts;
            while (!try_once(message, ++attempt)) {
                if (attempt == last) return give_up(message, attempt);
                self_.sleep_for(users.retry_after);
                decide(self_, model::run_of(message.number), Policy::retry_key, users.retry_key);
            }
        }
    }

private:
    /// True when the user knows that the message was taken.
    bool try_once(const Message& message, std::uint32_t attempt) {
        const sim::Subject intention = model::run_of(message.number);
        self_.record(intention,
                     model::Submitted{.attempt = attempt,
                                      .session = message.session,
                                      .content = message.content,
                                      .failures = static_cast<std::uint8_t>(message.failures)});
        const std::size_t gateway = (message.number + attempt) % connections_.size();
        const auto outcome =
            sim::request(self_, stage_.inboxes[gateway]->exchanges(),
                         {.connection = connections_[gateway],
                          .operation = model::number(model::Operation::submit),
                          .subject = intention,
                          .timeout = stage_.system().users.timeout},
                         Submission{intention, message.session, key_of(message, attempt)});
        if (!outcome.arrived()) return false;  // It may have been taken all the same.
        self_.record(intention, model::Answered{.run = outcome.value().run,
                                                .attempt = attempt,
                                                .answer = outcome.value().answer});
        if (outcome.value().answer == model::Answer::rejected) return false;
        stage_.told.push_back(outcome.value().run);
        return true;
    }

    /// Names the intention, unless the policy is to name the attempt.
    std::string key_of(const Message& message, std::uint32_t attempt) const {
        if (stage_.system().users.retry_key == RetryKey::same)
            return fmt::format("key-{}", message.number);
        return fmt::format("key-{}-{}", message.number, attempt);
    }

    void give_up(const Message& message, std::uint32_t attempts) {
        self_.record(model::run_of(message.number), model::GaveUp{.attempts = attempts});
    }

    sim::Process& self_;
    Stage& stage_;
    std::vector<ConnectionId> connections_;
};

}  // namespace

void run_user(sim::Process& self, Stage& stage, const std::vector<const Message*>& messages) {
    User user(self, stage);
    for (const Message* const message : messages) {
        if (self.now() < message->at) self.sleep_until(message->at);
        user.submit(*message);
    }
}

}  // namespace redeliver::scenarios
