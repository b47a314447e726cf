#pragma once

#include <cstdint>

#include "model/steps.h"
#include "properties/run_table.h"
#include "sim/step.h"

namespace redeliver::properties {

/// What working on each message does, as its Submitted steps said.
class Messages {
public:
    void observe(const sim::Step& step) {
        const auto* const submitted = step.as<model::Submitted>();
        if (submitted == nullptr || !model::is_run(step.subject)) return;
        known_[model::intention_of(step.subject)] = {submitted->content, submitted->failures, true};
    }
    void clear() { known_.clear(); }

    /// Whether no worker can ever succeed on it: its work fails always, or kills whoever does it.
    bool is_hopeless(sim::Subject run) const {
        const Message message = of(run);
        return message.content == model::Content::poison ||
               message.content == model::Content::killer;
    }
    /// Whether so many deliveries are enough for it to succeed. False for a message that nobody
    /// was seen to submit, of which nothing is known.
    bool is_curable(sim::Subject run, std::uint32_t deliveries) const {
        const Message message = of(run);
        if (!message.is_known) return false;
        return message.content == model::Content::healthy ||
               (message.content == model::Content::flaky && message.failures < deliveries);
    }
    model::Content content(sim::Subject run) const { return of(run).content; }

private:
    struct Message {
        model::Content content = model::Content::healthy;
        std::uint8_t failures = 0;
        bool is_known = false;
    };

    Message of(sim::Subject run) const {
        if (!model::is_run(run)) return {};
        const Message* const message = known_.find(model::intention_of(run));
        return message == nullptr ? Message{} : *message;
    }

    RunTable<Message> known_;
};

}  // namespace redeliver::properties
