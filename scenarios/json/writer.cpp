#include "scenarios/json/writer.h"

#include <utility>

#include "scenarios/json/decode.h"
#include "scenarios/json/units.h"
#include "sim/ensure.h"

namespace redeliver::scenarios::json {

void Writer::add(std::string_view key, Value value) {
    sim::ensure(object_.find(key) == nullptr, "a struct names each of its members once");
    value.key = key;
    object_.children.push_back(std::move(value));
}

void Writer::name(std::string_view key, std::string& value) { add(key, text_value(value)); }

void Writer::actor_name(std::string_view key, std::string& value) { add(key, text_value(value)); }

void Writer::prose(std::string_view key, std::string& value, std::size_t) {
    add(key, text_value(value));
}

void Writer::one_of(std::string_view key, std::string& value, const Vocabulary&) {
    add(key, text_value(value));
}

void Writer::several_of(std::string_view key, std::vector<std::string>& values, const Vocabulary&) {
    Value list = list_value();
    for (const std::string& each : values) list.children.push_back(text_value(each));
    add(key, std::move(list));
}

void Writer::number(std::string_view key, std::uint64_t& value, NumberRange) {
    add(key, number_value(value));
}

void Writer::span(std::string_view key, std::uint32_t& least, std::uint32_t& most, NumberRange) {
    add(key, list_value({number_value(least), number_value(most)}));
}

void Writer::duration(std::string_view key, sim::Duration& value, DurationRange) {
    add(key, text_value(duration_text(value)));
}

void Writer::distribution(std::string_view key, sim::Distribution& value) {
    add(key, encode_distribution(value));
}

void Writer::hash(std::string_view key, std::uint64_t& value) {
    add(key, text_value(encode_hex(value, 16)));
}

void Writer::texts(std::string_view key, std::vector<std::string>& values, std::size_t) {
    Value list = list_value();
    for (const std::string& each : values) list.children.push_back(text_value(each));
    add(key, std::move(list));
}

void Writer::hashes(std::string_view key, std::vector<std::uint32_t>& values) {
    Value list = list_value();
    for (const std::uint32_t each : values)
        list.children.push_back(text_value(encode_hex(each, 8)));
    add(key, std::move(list));
}

std::size_t Writer::choose(std::string_view key, std::size_t current, Words words) {
    sim::ensure(current < words.size(), "every enumerator has a word");
    add(key, text_value(std::string(words[current])));
    return current;
}

void Writer::object(std::string_view key, const Visit& visit) {
    Writer inner;
    visit(inner);
    add(key, inner.take());
}

void Writer::list(std::string_view key, std::size_t count, std::size_t,
                  const std::function<void(std::size_t)>&,
                  const std::function<void(std::size_t, Fields&)>& visit) {
    Value list = list_value();
    for (std::size_t index = 0; index < count; ++index) {
        Writer inner;
        visit(index, inner);
        list.children.push_back(inner.take());
    }
    add(key, std::move(list));
}

}  // namespace redeliver::scenarios::json
