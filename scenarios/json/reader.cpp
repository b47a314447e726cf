#include "scenarios/json/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "scenarios/json/decode.h"
#include "scenarios/json/nearest.h"
#include "scenarios/json/pointer.h"
#include "scenarios/json/printable.h"

namespace redeliver::scenarios::json {

Reader::Reader(const std::string& file, const Value& value, std::string pointer)
    : file_(&file), object_(&value), pointer_(std::move(pointer)) {
    if (value.kind != Value::Kind::object)
        fail(value, pointer_, fmt::format("found {}, wanted is an object", describe(value)));
}

void Reader::name(std::string_view key, std::string& value) {
    const Value* const found = take(key, Value::Kind::text, "a name");
    if (found == nullptr) return;
    if (!is_name(found->text))
        fail(*found, pointer_to(key),
             fmt::format("found {}, allowed is a name of 1 to {} letters a-z, digits and '-'",
                         describe(*found), max_name));
    value = found->text;
}

void Reader::actor_name(std::string_view key, std::string& value) {
    const Value* const found = take(key, Value::Kind::text, "a name");
    if (found == nullptr) return;
    if (!is_actor_name(found->text))
        fail(*found, pointer_to(key),
             fmt::format("found {}, allowed is a name of 1 to {} letters a-z and '_', the first of "
                         "them a letter",
                         describe(*found), max_actor_name));
    value = found->text;
}

void Reader::prose(std::string_view key, std::string& value, std::size_t most) {
    const Value* const found = take(key, Value::Kind::text, "a text");
    if (found == nullptr) return;
    if (found->text.empty() || found->text.size() > most)
        fail(
            *found, pointer_to(key),
            fmt::format("found a text of {} bytes, allowed are 1 to {}", found->text.size(), most));
    if (printable(found->text) != found->text)
        fail(*found, pointer_to(key),
             fmt::format("found {}, which holds invisible characters", describe(*found)));
    value = found->text;
}

void Reader::one_of(std::string_view key, std::string& value, const Vocabulary& valid) {
    const Value* const found = take(key, Value::Kind::text, "a word");
    if (found == nullptr) return;
    if (!valid.contains(found->text)) fail(*found, pointer_to(key), unknown_word(*found, valid));
    value = found->text;
}

void Reader::several_of(std::string_view key, std::vector<std::string>& values,
                        const Vocabulary& valid) {
    const Value* const found = take(key, Value::Kind::list, "a list of words");
    if (found == nullptr) return;
    values.clear();
    for (const Value& item : found->children) {
        const std::string pointer = pointer_to(key) + pointer_token(values.size());
        if (item.kind != Value::Kind::text || !valid.contains(item.text))
            fail(item, pointer, unknown_word(item, valid));
        if (std::ranges::find(values, item.text) != values.end())
            fail(item, pointer, fmt::format("found {} for the second time", describe(item)));
        values.push_back(item.text);
    }
}

void Reader::texts(std::string_view key, std::vector<std::string>& values, std::size_t most) {
    const Value* const found = take(key, Value::Kind::list, "a list of texts");
    if (found == nullptr) return;
    values.clear();
    for (const Value& item : found->children) {
        const std::string pointer = pointer_to(key) + pointer_token(values.size());
        if (item.kind != Value::Kind::text || item.text.empty() || item.text.size() > most ||
            printable(item.text) != item.text)
            fail(item, pointer,
                 fmt::format("found {}, wanted is a visible text of 1 to {} bytes", describe(item),
                             most));
        values.push_back(item.text);
    }
}

void Reader::number(std::string_view key, std::uint64_t& value, NumberRange range) {
    const Value* const found = take(key);
    if (found == nullptr) return;
    const auto number = decode_number(*found, range);
    if (!number) fail(*found, pointer_to(key), not_in(*found, range));
    value = *number;
}

void Reader::span(std::string_view key, std::uint32_t& least, std::uint32_t& most,
                  NumberRange range) {
    const Value* const found = take(key, Value::Kind::list, "a pair such as [0, 2]");
    if (found == nullptr) return;
    if (found->children.size() != 2)
        fail(*found, pointer_to(key),
             fmt::format("found a list of {}, wanted is a pair such as [0, 2]",
                         found->children.size()));
    std::uint64_t ends[2] = {};
    for (std::size_t each = 0; each < 2; ++each) {
        const Value& item = found->children[each];
        const auto number = decode_number(item, range);
        if (!number) fail(item, pointer_to(key) + pointer_token(each), not_in(item, range));
        ends[each] = *number;
    }
    if (ends[0] > ends[1])
        fail(*found, pointer_to(key),
             fmt::format("found [{}, {}], but the least comes first", ends[0], ends[1]));
    least = static_cast<std::uint32_t>(ends[0]);
    most = static_cast<std::uint32_t>(ends[1]);
}

void Reader::duration(std::string_view key, sim::Duration& value, DurationRange range) {
    const Value* const found = take(key);
    if (found == nullptr) return;
    const auto duration = decode_duration(*found, range);
    if (!duration) fail(*found, pointer_to(key), not_in(*found, range));
    value = *duration;
}

void Reader::distribution(std::string_view key, sim::Distribution& value) {
    const Value* const found = take(key);
    if (found == nullptr) return;
    if (found->kind != Value::Kind::object) {
        sim::Duration always{};
        duration(key, always, {});
        value = sim::fixed(always);
        return;
    }
    Reader inner{*file_, *found, pointer_to(key)};
    value = decode_distribution(inner);
    inner.finish();
}

void Reader::hash(std::string_view key, std::uint64_t& value) {
    const Value* const found = take(key, Value::Kind::text, "16 hexadecimal digits");
    if (found == nullptr) return;
    const auto number = decode_hex(found->text, 16);
    if (!number)
        fail(*found, pointer_to(key),
             fmt::format("found {}, wanted are 16 hexadecimal digits", describe(*found)));
    value = *number;
}

void Reader::hashes(std::string_view key, std::vector<std::uint32_t>& values) {
    const Value* const found = take(key, Value::Kind::list, "a list of hashes");
    if (found == nullptr) return;
    values.clear();
    for (const Value& item : found->children) {
        const auto number =
            item.kind == Value::Kind::text ? decode_hex(item.text, 8) : std::nullopt;
        if (!number)
            fail(item, pointer_to(key) + pointer_token(values.size()),
                 fmt::format("found {}, wanted are 8 hexadecimal digits", describe(item)));
        values.push_back(static_cast<std::uint32_t>(*number));
    }
}

std::size_t Reader::choose(std::string_view key, std::size_t current, Words words) {
    const Value* const found = take(key);
    if (found == nullptr) return current;
    const auto word =
        found->kind == Value::Kind::text ? std::ranges::find(words, found->text) : words.end();
    if (word == words.end())
        fail(*found, pointer_to(key),
             fmt::format("found {}{}", describe(*found), advice(found->text, words)));
    return static_cast<std::size_t>(word - words.begin());
}

void Reader::object(std::string_view key, const Visit& visit) {
    const Value* const found = take(key);
    if (found == nullptr) return;
    Reader inner{*file_, *found, pointer_to(key)};
    visit(inner);
    inner.finish();
}

void Reader::list(std::string_view key, std::size_t, std::size_t most,
                  const std::function<void(std::size_t)>& resize,
                  const std::function<void(std::size_t, Fields&)>& visit) {
    const Value* const found = take(key, Value::Kind::list, "a list of objects");
    if (found == nullptr) return;
    const std::size_t count = found->children.size();
    if (count > most)
        fail(*found, pointer_to(key),
             fmt::format("found a list of {}, allowed are at most {}", count, most));
    resize(count);
    for (std::size_t index = 0; index < count; ++index) {
        Reader inner{*file_, found->children[index], pointer_to(key) + pointer_token(index)};
        visit(index, inner);
        inner.finish();
    }
}

Fields::Presence Reader::has(std::string_view key, Presence) {
    return take(key) == nullptr ? Presence::absent : Presence::present;
}

std::size_t Reader::alternative(Words keys, std::size_t) {
    std::vector<std::size_t> present;
    for (std::size_t each = 0; each < keys.size(); ++each)
        if (take(keys[each]) != nullptr) present.push_back(each);
    if (present.size() == 1) return present.front();
    const std::string allowed = fmt::format("'{}'", fmt::join(keys, "', '"));
    if (present.empty()) {
        refuse_misspelt(keys);
        fail(*object_, pointer_, fmt::format("found none of {}; one is needed", allowed));
    }
    fail(*object_->find(keys[present[1]]), pointer_to(keys[present[1]]),
         fmt::format("found '{}' beside '{}'; allowed is exactly one of {}", keys[present[1]],
                     keys[present[0]], allowed));
}

void Reader::refuse_misspelt(Words keys) const {
    // The first few will do: a stranger's object may hold a million keys.
    for (const Value& member :
         std::span{object_->children}.first(std::min<std::size_t>(object_->children.size(), 100)))
        if (std::ranges::find(known_, member.key) == known_.end() &&
            !nearest(member.key, keys).empty())
            fail(member, pointer_ + pointer_token(member.key),
                 fmt::format("unknown key '{}'{}", printable(member.key, 60),
                             advice(member.key, keys)));
}

void Reader::require(std::initializer_list<std::string_view> keys) {
    required_.insert(required_.end(), keys);
}

void Reader::reject(std::string_view key, const std::string& message) {
    const std::string below = key.empty() ? std::string{} : fmt::format("/{}", key);
    const Value* const found = resolve(*object_, below);
    if (found == nullptr) fail(*object_, pointer_, message);
    fail(*found, pointer_ + below, message);
}

void Reader::finish() const {
    for (const Value& member : object_->children) {
        if (std::ranges::find(known_, member.key) != known_.end()) continue;
        fail(member, pointer_ + pointer_token(member.key),
             fmt::format("unknown key '{}'{}", printable(member.key, 60),
                         advice(member.key, known_)));
    }
    for (const std::string_view key : required_)
        if (object_->find(key) == nullptr)
            fail(*object_, pointer_, fmt::format("key '{}' is missing", key));
}

const Value* Reader::take(std::string_view key) {
    if (std::ranges::find(known_, key) == known_.end()) known_.push_back(key);
    return object_->find(key);
}

const Value* Reader::take(std::string_view key, Value::Kind kind, std::string_view wanted) {
    const Value* const found = take(key);
    if (found != nullptr && found->kind != kind)
        fail(*found, pointer_to(key),
             fmt::format("found {}, wanted is {}", describe(*found), wanted));
    return found;
}

std::string Reader::pointer_to(std::string_view key) const { return pointer_ + pointer_token(key); }

void Reader::fail(const Value& value, std::string pointer, const std::string& message) const {
    throw BadInput({.file = *file_, .line = value.line, .pointer = std::move(pointer)}, message);
}

}  // namespace redeliver::scenarios::json
