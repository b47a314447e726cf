#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenarios/json/fields.h"

namespace redeliver::scenarios::json {

/// Notes every member that a struct names, by JSON pointer: what the codec reads and writes, for
/// tests to compare with what others say. Lists appear with one element, alternatives all at once.
class Collector final : public Fields {
public:
    struct Member {
        std::string kind;
        std::vector<std::string> words = {};
        NumberRange range = {};
    };
    using Members = std::map<std::string, Member>;

    explicit Collector(Members& members, std::string pointer = {})
        : members_(members), pointer_(std::move(pointer)) {}

    void name(std::string_view key, std::string&) override { note(key, {.kind = "name"}); }
    void actor_name(std::string_view key, std::string&) override {
        note(key, {.kind = "actor name"});
    }
    void prose(std::string_view key, std::string&, std::size_t) override {
        note(key, {.kind = "text"});
    }
    void one_of(std::string_view key, std::string& value, const Vocabulary& valid) override {
        note(key, {.kind = "text", .words = valid.words()});
        value = valid.words().front();
    }
    void several_of(std::string_view key, std::vector<std::string>&,
                    const Vocabulary& valid) override {
        note(key, {.kind = "words", .words = valid.words()});
    }
    void texts(std::string_view key, std::vector<std::string>&, std::size_t) override {
        note(key, {.kind = "texts"});
    }
    using Fields::number;
    void number(std::string_view key, std::uint64_t&, NumberRange range) override {
        note(key, {.kind = "number", .range = range});
    }
    void span(std::string_view key, std::uint32_t&, std::uint32_t&, NumberRange range) override {
        note(key, {.kind = "span", .range = range});
    }
    void duration(std::string_view key, sim::Duration&, DurationRange) override {
        note(key, {.kind = "duration"});
    }
    void distribution(std::string_view key, sim::Distribution&) override {
        note(key, {.kind = "distribution"});
    }
    void hash(std::string_view key, std::uint64_t&) override { note(key, {.kind = "hash"}); }
    void hashes(std::string_view key, std::vector<std::uint32_t>&) override {
        note(key, {.kind = "hashes"});
    }
    std::size_t choose(std::string_view key, std::size_t current, Words words) override {
        note(key, {.kind = "word", .words = {words.begin(), words.end()}});
        return current;
    }
    void object(std::string_view key, const Visit& visit) override {
        note(key, {.kind = "object"});
        Collector inner{members_, pointer_to(key)};
        visit(inner);
    }
    void list(std::string_view key, std::size_t, std::size_t,
              const std::function<void(std::size_t)>& resize,
              const std::function<void(std::size_t, Fields&)>& visit) override {
        note(key, {.kind = "list"});
        resize(1);
        Collector inner{members_, pointer_to(key) + "/*"};
        visit(0, inner);
        resize(0);
    }
    Presence has(std::string_view, Presence) override { return Presence::present; }
    /// Shows the first only; the kinds of fault have a test of their own.
    std::size_t alternative(Words, std::size_t) override { return 0; }
    void require(std::initializer_list<std::string_view>) override {}
    void reject(std::string_view, const std::string&) override {}

private:
    std::string pointer_to(std::string_view key) const { return pointer_ + "/" + std::string(key); }
    void note(std::string_view key, Member member) {
        members_.insert_or_assign(pointer_to(key), std::move(member));
    }

    Members& members_;
    std::string pointer_;
};

}  // namespace redeliver::scenarios::json
