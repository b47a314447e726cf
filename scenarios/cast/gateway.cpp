#include "model/operations.h"
#include "scenarios/cast/stage.h"
#include "scenarios/services/broker_client.h"
#include "scenarios/services/database_client.h"

namespace redeliver::scenarios {

namespace {

std::optional<model::redis::Trim> trim_of(const Gateway& gateway) {
    using model::redis::Trim;
    if (gateway.trim == TrimPolicy::never) return {};
    return Trim{.keep = model::redis::MaxLen{gateway.max_length},
                .precision = gateway.trim == TrimPolicy::maxlen_exact
                                 ? Trim::Precision::exact
                                 : Trim::Precision::approximate};
}

class Handler {
public:
    Handler(sim::Process& self, Stage& stage, DatabaseClient& database, BrokerClient& broker)
        : self_(self), policy_(stage.system().gateway), broker_(broker), database_(database) {}

    /// `run` is the new id: it becomes a row unless the intention has one already.
    SubmissionAnswer handle(const Submission& submission, sim::Subject run) {
        decide(self_, submission.intention, Policy::publish_order, policy_.publish);
        if (policy_.publish == PublishOrder::outbox) return insert_with_outbox(submission, run);
        if (policy_.publish == PublishOrder::before_insert && !publish(run, submission)) return {};
        // Lost: the row may be there. The user is told nothing and tries again.
        const auto inserted = database_.insert_run(run, submission.idempotency_key,
                                                   submission.session, submission.intention);
        if (!inserted.arrived() || !inserted->ok()) return {};
        if (inserted->affected == 0) return answer_with_existing(submission);
        // To die just before this line leaves a row that only the republisher will publish.
        if (policy_.publish == PublishOrder::after_insert && !publish(run, submission)) return {};
        // Nor does a relay see the run of a gateway that dies between these two.
        if (policy_.publish == PublishOrder::outbox_apart && !put_into_outbox(submission, run))
            return {};
        return {model::Answer::accepted, run};
    }

private:
    /// The run and the order to publish it are there both or neither.
    SubmissionAnswer insert_with_outbox(const Submission& submission, sim::Subject run) {
        if (!succeeded(database_.begin(submission.intention))) return {};
        const auto inserted = database_.insert_run(run, submission.idempotency_key,
                                                   submission.session, submission.intention);
        const bool is_new = succeeded(inserted) && inserted->affected == 1;
        if (!is_new || !put_into_outbox(submission, run)) {
            if (database_.is_in_transaction()) database_.rollback(submission.intention);
            if (succeeded(inserted) && !is_new) return answer_with_existing(submission);
            return {};
        }
        if (!succeeded(database_.commit(submission.intention))) return {};
        return {model::Answer::accepted, run};
    }

    bool put_into_outbox(const Submission& submission, sim::Subject run) {
        return succeeded(database_.insert_outbox(run, submission.session, submission.intention));
    }

    bool publish(sim::Subject run, const Submission& submission) {
        const auto published = broker_.publish(run, submission.session, trim_of(policy_));
        return published.arrived() && !model::redis::refusal(published.value());
    }

    /// `on conflict do nothing` returns no row, so the id takes a second read.
    SubmissionAnswer answer_with_existing(const Submission& submission) {
        const auto found =
            database_.find_run_by_key(submission.idempotency_key, submission.intention);
        if (!found.arrived() || !found.value()) return {};
        return {model::Answer::duplicate, found.value()->run};
    }

    sim::Process& self_;
    const Gateway& policy_;
    BrokerClient& broker_;
    DatabaseClient& database_;
};

/// Handles each request over a connection to the database that is borrowed for it.
class PooledHandler {
public:
    PooledHandler(sim::Process& self, Stage& stage, BrokerClient& broker, ConnectionPool& pool)
        : self_(self), stage_(stage), broker_(broker), pool_(pool) {}

    SubmissionAnswer handle(const Submission& submission, sim::Subject run) {
        const Gateway& policy = stage_.system().gateway;
        const auto connection = pool_.borrow(self_, policy.pool_timeout);
        if (!connection) {
            decide(self_, submission.intention, Policy::pool_timeout, 0);
            return {};
        }
        DatabaseClient database(self_, stage_.database, policy.timeout, *connection);
        const SubmissionAnswer answer =
            Handler(self_, stage_, database, broker_).handle(submission, run);
        const bool failed = answer.answer == model::Answer::rejected;
        if (failed) decide(self_, submission.intention, Policy::give_back, policy.give_back);
        if (!failed || policy.give_back == GiveBack::always) pool_.give_back(*connection);
        return answer;
    }

private:
    sim::Process& self_;
    Stage& stage_;
    BrokerClient& broker_;
    ConnectionPool& pool_;
};

template <class Handle>
void serve(sim::Process& self, GatewayInbox& inbox, Handle handle) {
    while (const auto received = inbox.receive(self)) {
        // As many ids as attempts: a gateway makes one up for each request that it handles.
        const std::uint32_t handling = received->address.occurrence;
        if (handling > model::ids_per_intention) {
            inbox.reply(self, *received, {});
            continue;
        }
        const sim::Subject run =
            model::run_of(sim::number_of(received->request.intention), handling);
        inbox.reply(self, *received, handle(received->request, run));
    }
}

}  // namespace

void run_gateway(sim::Process& self, Stage& stage, GatewayInbox& inbox, ConnectionPool* pool) {
    const Gateway& policy = stage.system().gateway;
    BrokerClient broker(self, stage.broker, policy.timeout);
    if (pool != nullptr) {
        PooledHandler handler(self, stage, broker, *pool);
        return serve(self, inbox, [&](const Submission& submission, sim::Subject run) {
            return handler.handle(submission, run);
        });
    }
    DatabaseClient database(self, stage.database, policy.timeout);
    Handler handler(self, stage, database, broker);
    serve(self, inbox, [&](const Submission& submission, sim::Subject run) {
        return handler.handle(submission, run);
    });
}

}  // namespace redeliver::scenarios
