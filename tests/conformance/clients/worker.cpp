// The worker loop of worker.py, by hiredis: the same lines for the same behaviour.

#include <hiredis/hiredis.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using Words = std::vector<std::string>;

const std::string runs_key = "koda:runs";
const std::string dead_key = "koda:runs:dead";
const std::string group = "workers";
constexpr std::chrono::milliseconds idle{250};
constexpr long long poison_threshold = 3;

template <typename... Words>
void say(const Words&... words) {
    const char* between = "";
    ((std::cout << std::exchange(between, " ") << words), ...);
    std::cout << std::endl;
}

std::string listed(const Words& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return "[" + text + "]";
}

/// A reply that owns itself.
class Answer {
public:
    explicit Answer(void* reply)
        : whole_(static_cast<redisReply*>(reply), &freeReplyObject), reply_(whole_.get()) {
        if (!reply_) throw std::runtime_error("the connection broke");
    }

    bool is_nil() const { return reply_->type == REDIS_REPLY_NIL; }
    std::size_t size() const { return is_nil() ? 0 : reply_->elements; }
    Answer operator[](std::size_t index) const { return {whole_, reply_->element[index]}; }
    long long number() const { return reply_->integer; }
    /// As the transcripts show it.
    std::string text() const {
        if (reply_->type == REDIS_REPLY_INTEGER) return std::to_string(reply_->integer);
        const std::string words(reply_->str, reply_->len);
        return reply_->type == REDIS_REPLY_ERROR ? "error " + words : words;
    }

private:
    Answer(std::shared_ptr<redisReply> whole, redisReply* part)
        : whole_(std::move(whole)), reply_(part) {}

    std::shared_ptr<redisReply> whole_;
    redisReply* reply_;
};

class Connection {
public:
    Connection(const char* host, int port) : context_(redisConnect(host, port), &redisFree) {
        if (!context_ || context_->err) throw std::runtime_error("cannot connect");
    }

    void send(const Words& words) {
        std::vector<const char*> texts;
        std::vector<std::size_t> sizes;
        for (const std::string& word : words) {
            texts.push_back(word.data());
            sizes.push_back(word.size());
        }
        redisAppendCommandArgv(context_.get(), static_cast<int>(words.size()), texts.data(),
                               sizes.data());
    }
    /// Puts everything sent so far on the wire.
    void flush() {
        for (int done = 0; done == 0;)
            if (redisBufferWrite(context_.get(), &done) != REDIS_OK)
                throw std::runtime_error("the connection broke");
    }
    Answer receive() {
        void* reply = nullptr;
        redisGetReply(context_.get(), &reply);
        return Answer(reply);
    }
    Answer operator()(const Words& words) {
        send(words);
        return receive();
    }

private:
    std::unique_ptr<redisContext, void (*)(redisContext*)> context_;
};

struct Entry {
    std::string id;
    std::string run;
};

/// The chat back end's own tables, and what is known of the broker's ids.
class Backend {
public:
    /// The gateway: insert first, publish second; a known key answers with the known run.
    void submit(Connection& broker, const std::string& key, const std::string& text) {
        if (runs_.contains(key)) return say("gateway", key, "known", runs_[key]);
        const std::string run = runs_[key] = "run-" + std::to_string(runs_.size() + 1);
        status_[run] = text;
        const Answer id = broker({"XADD", runs_key, "*", "runId", run, "sessionId", "s1"});
        say("gateway", key, "accepted", run, "published", numbered(id.text()));
    }

    /// Abandoned entries first; new ones only when there were none.
    std::vector<Entry> take(Connection& broker, const std::string& name, int count) {
        std::vector<Entry> entries = claim(broker, name);
        if (!entries.empty()) return entries;
        return read(name, broker({"XREADGROUP", "GROUP", group, name, "COUNT",
                                  std::to_string(count), "STREAMS", runs_key, ">"}));
    }
    std::vector<Entry> claim(Connection& broker, const std::string& name) {
        const Answer answer = broker({"XAUTOCLAIM", runs_key, group, name,
                                      std::to_string(idle.count()), "0-0", "COUNT", "10"});
        std::vector<Entry> entries = entries_of(answer[1]);
        Words deleted;
        for (std::size_t i = 0; i < answer[2].size(); ++i) deleted.push_back(answer[2][i].text());
        say(name, "claimed", ids_of(entries), "cursor", numbered(answer[0].text()), "deleted",
            listed(deleted));
        return entries;
    }
    std::vector<Entry> read(const std::string& name, const Answer& answer) {
        std::vector<Entry> entries;
        if (!answer.is_nil()) entries = entries_of(answer[0][1]);
        say(name, "read", ids_of(entries));
        return entries;
    }

    void work(Connection& broker, const std::string& name, const Entry& entry) {
        if (status_[entry.run] == "poison") return fail(broker, name, entry);
        const bool is_new = replies_.insert(entry.run).second;
        status_[entry.run] = "done";
        say(name, is_new ? "stored" : "absorbed", "the reply of", entry.run);
        say(name, "acknowledged", broker({"XACK", runs_key, group, entry.id}).text());
    }
    void turn(Connection& broker, const std::string& name, int count) {
        for (const Entry& entry : take(broker, name, count)) work(broker, name, entry);
    }

    std::string numbered(const std::string& id) {
        if (id == "0-0") return id;
        return numbers_.try_emplace(id, "e" + std::to_string(numbers_.size() + 1)).first->second;
    }
    std::string status_of(const std::string& key) { return status_[runs_[key]]; }
    std::size_t runs() const { return runs_.size(); }
    std::size_t replies() const { return replies_.size(); }

private:
    void fail(Connection& broker, const std::string& name, const Entry& entry) {
        const Answer row = broker({"XPENDING", runs_key, group, entry.id, entry.id, "1"})[0];
        const long long count = row[3].number();
        say(name, "failed on", entry.run, "delivery", count, "of", row[1].text());
        if (count < poison_threshold) return;
        broker({"MULTI"});
        broker({"XADD", dead_key, "*", "runId", entry.run, "originalId", numbered(entry.id),
                "deliveries", std::to_string(count)});
        broker({"XACK", runs_key, group, entry.id});
        const Answer done = broker({"EXEC"});
        status_[entry.run] = "failed";
        say(name, "dead-lettered", entry.run, "as", numbered(done[0].text()), "acknowledged",
            done[1].text());
    }

    std::vector<Entry> entries_of(const Answer& answer) const {
        std::vector<Entry> entries;
        for (std::size_t i = 0; i < answer.size(); ++i)
            entries.push_back({answer[i][0].text(), answer[i][1][1].text()});
        return entries;
    }
    std::string ids_of(const std::vector<Entry>& entries) {
        Words ids;
        for (const Entry& entry : entries) ids.push_back(numbered(entry.id));
        return listed(ids);
    }

    std::map<std::string, std::string> numbers_;
    std::map<std::string, std::string> runs_;  // By idempotency key.
    std::map<std::string, std::string> status_;
    std::set<std::string> replies_;
};

/// The checks, in order, against one server.
class Checks {
public:
    explicit Checks(std::function<Connection()> connect)
        : connect_(std::move(connect)), broker_(connect_()) {}

    void run() {
        broker_({"FLUSHALL"});
        acknowledging();
        splitting();
        duplicates();
        crash();
        poison();
        blocking();
        pipeline();
        totals();
    }

private:
    void pending(Connection& broker) {
        const Answer summary = broker({"XPENDING", runs_key, group});
        Words owners;
        for (std::size_t i = 0; i < summary[3].size(); ++i)
            owners.push_back(summary[3][i][0].text() + "=" + summary[3][i][1].text());
        say("pending", summary[0].text(), listed(owners));
    }

    void acknowledging() {
        for (int time = 0; time < 2; ++time)
            say("group", broker_({"XGROUP", "CREATE", runs_key, group, "0", "MKSTREAM"}).text());
        backend_.submit(broker_, "k1", "hello");
        backend_.turn(broker_, "worker-1", 10);
        pending(broker_);
    }

    void splitting() {
        for (const char* key : {"k2", "k3", "k4"}) backend_.submit(broker_, key, "hello");
        const auto first = backend_.take(broker_, "worker-1", 2);
        const auto second = backend_.take(broker_, "worker-2", 2);
        pending(broker_);
        for (const Entry& entry : first) backend_.work(broker_, "worker-1", entry);
        for (const Entry& entry : second) backend_.work(broker_, "worker-2", entry);
        pending(broker_);
    }

    void duplicates() {
        for (const char* key : {"k5", "k6", "k5", "k7"}) backend_.submit(broker_, key, "hello");
        backend_.turn(broker_, "worker-1", 10);
        say("runs", backend_.runs(), "replies", backend_.replies());
    }

    void crash() {
        {
            Connection dying = connect_();
            backend_.submit(dying, "k8", "hello");
            backend_.take(dying, "worker-1", 10);
        }
        Connection survivor = connect_();
        pending(survivor);
        std::this_thread::sleep_for(2 * idle);
        backend_.turn(survivor, "worker-2", 10);
        pending(survivor);
    }

    void poison() {
        backend_.submit(broker_, "k9", "poison");
        for (int delivery = 0; delivery < poison_threshold; ++delivery) {
            backend_.turn(broker_, "worker-1", 10);
            std::this_thread::sleep_for(2 * idle);
        }
        backend_.turn(broker_, "worker-1", 10);
        pending(broker_);
        const Answer letters = broker_({"XRANGE", dead_key, "-", "+"});
        Words texts;
        for (std::size_t i = 0; i < letters.size(); ++i)
            for (std::size_t word = 0; word < letters[i][1].size(); ++word)
                texts.push_back(letters[i][1][word].text());
        say("dead letters", listed(texts));
        say("status", backend_.status_of("k9"));
    }

    void blocking() {
        Connection reader = connect_();
        Connection gateway = connect_();
        const auto read = [](const char* timeout) {
            return Words{"XREADGROUP", "GROUP", group,     "worker-1", "COUNT", "10",
                         "BLOCK",      timeout, "STREAMS", runs_key,   ">"};
        };
        backend_.claim(reader, "worker-1");
        backend_.read("worker-1", reader(read("50")));
        backend_.claim(reader, "worker-1");
        reader.send(read("5000"));
        reader.flush();
        while (gateway({"INFO", "clients"}).text().find("blocked_clients:0") != std::string::npos)
            std::this_thread::sleep_for(std::chrono::milliseconds{10});
        backend_.submit(gateway, "k10", "hello");
        for (const Entry& entry : backend_.read("worker-1", reader.receive()))
            backend_.work(reader, "worker-1", entry);
    }

    void pipeline() {
        for (const Words& words :
             {Words{"XLEN", runs_key}, Words{"XLEN", dead_key}, Words{"GET", runs_key}})
            broker_.send(words);
        broker_.send({"PING"});
        Words answers;
        for (int i = 0; i < 4; ++i) answers.push_back(broker_.receive().text());
        say("pipeline", answers[0], answers[1], answers[2]);
        say("ping", answers[3]);
    }

    void totals() {
        const Answer groups = broker_({"XINFO", "GROUPS", runs_key});
        for (std::size_t i = 0; i < groups.size(); ++i) say("group " + group_line(groups[i]));
        const Answer consumers = broker_({"XINFO", "CONSUMERS", runs_key, group});
        for (std::size_t i = 0; i < consumers.size(); ++i)
            say("consumer", consumers[i][1].text(), "pending", consumers[i][3].text());
        say("no group",
            broker_({"XREADGROUP", "GROUP", "nosuch", "w", "STREAMS", runs_key, ">"}).text());
        say("deleted", broker_({"XGROUP", "DELCONSUMER", runs_key, group, "worker-2"}).text());
        say("trimmed", broker_({"XTRIM", runs_key, "MAXLEN", "3"}).text());
        const Answer left = broker_({"XRANGE", runs_key, "-", "+"});
        Words ids;
        for (std::size_t i = 0; i < left.size(); ++i)
            ids.push_back(backend_.numbered(left[i][0].text()));
        say("left", listed(ids));
    }

    std::string group_line(const Answer& group_row) {
        Words words;
        for (std::size_t i = 0; i < group_row.size(); i += 2) {
            const std::string name = group_row[i].text();
            const std::string value = group_row[i + 1].text();
            words.push_back(name + "=" +
                            (name == "last-delivered-id" ? backend_.numbered(value) : value));
        }
        std::sort(words.begin(), words.end());
        const std::string bracketed = listed(words);
        return bracketed.substr(1, bracketed.size() - 2);
    }

    std::function<Connection()> connect_;
    Connection broker_;
    Backend backend_;
};

}  // namespace

int main(int count, char** words) {
    if (count != 3) {
        std::cerr << "usage: hiredis_worker HOST PORT\n";
        return 64;
    }
    const char* const host = words[1];
    const int port = std::atoi(words[2]);
    Checks([&] { return Connection(host, port); }).run();
}
