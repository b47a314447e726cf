#include "model/redis/body.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "model/redis/hasher.h"
#include "model/redis/listpack.h"
#include "sim/ensure.h"

namespace redeliver::model::redis {

/// One allocation: this header, then `ends` (field, value, field, value …), then the bytes.
struct Body::Content {
    mutable std::uint32_t owners = 0;
    std::uint32_t fields = 0;
    std::uint64_t hash = 0;
    std::size_t values_in_listpack = 0;
    std::size_t fields_in_listpack = 0;

    std::uint32_t* ends() { return reinterpret_cast<std::uint32_t*>(this + 1); }
    const std::uint32_t* ends() const { return reinterpret_cast<const std::uint32_t*>(this + 1); }
    char* bytes() { return reinterpret_cast<char*>(ends() + 2 * std::size_t{fields}); }
    const char* bytes() const {
        return reinterpret_cast<const char*>(ends() + 2 * std::size_t{fields});
    }

    std::string_view part(std::size_t index) const {
        const std::uint32_t begin = index == 0 ? 0 : ends()[index - 1];
        return {bytes() + begin, ends()[index] - begin};
    }

    void append(std::size_t index, std::string_view text) {
        const std::uint32_t begin = index == 0 ? 0 : ends()[index - 1];
        std::copy(text.begin(), text.end(), bytes() + begin);
        ends()[index] = begin + static_cast<std::uint32_t>(text.size());
    }
};

void intrusive_ptr_add_ref(const Body::Content* content) { ++content->owners; }

void intrusive_ptr_release(const Body::Content* content) {
    if (--content->owners == 0) ::operator delete(const_cast<Body::Content*>(content));
}

Body::Content* Body::make(const FieldView* fields, std::size_t count) {
    constexpr std::size_t most_bytes = 1u << 30;  // STREAM_LISTPACK_MAX_SIZE, with room to spare
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i)
        bytes += fields[i].first.size() + fields[i].second.size();
    sim::ensure(bytes <= most_bytes && count <= most_bytes / 8, "a body is smaller than 1 GiB");

    static_assert(std::is_trivially_destructible_v<Content>);
    const std::size_t size = sizeof(Content) + count * 2 * sizeof(std::uint32_t) + bytes;
    auto* content = new (::operator new(size)) Content;
    content->fields = static_cast<std::uint32_t>(count);
    for (std::size_t i = 0; i < count; ++i) {
        content->append(2 * i, fields[i].first);
        content->append(2 * i + 1, fields[i].second);
        content->fields_in_listpack += listpack::bytes_of(fields[i].first);
        content->values_in_listpack += listpack::bytes_of(fields[i].second);
    }
    // `ends` and the bytes lie side by side; the ends tell "ab", "c" from "a", "bc".
    Hasher hasher;
    hasher.add(
        std::string_view(reinterpret_cast<const char*>(content->ends()), size - sizeof(Content)));
    content->hash = hasher.value();
    return content;
}

Body::Body(std::initializer_list<FieldView> fields)
    : content_(make(fields.begin(), fields.size())) {}

Body::Body(const std::vector<FieldView>& fields) : content_(make(fields.data(), fields.size())) {}

std::size_t Body::size() const { return content_ ? content_->fields : 0; }

std::string_view Body::field(std::size_t index) const {
    sim::ensure(index < size(), "a field asked for exists");
    return content_->part(2 * index);
}

std::string_view Body::value(std::size_t index) const {
    sim::ensure(index < size(), "a value asked for exists");
    return content_->part(2 * index + 1);
}

std::string_view Body::value_of(std::string_view name) const {
    for (std::size_t i = 0; i < size(); ++i)
        if (field(i) == name) return value(i);
    return {};
}

std::uint64_t Body::content_hash() const { return content_ ? content_->hash : 0; }

std::size_t Body::raw_bytes() const { return size() == 0 ? 0 : content_->ends()[2 * size() - 1]; }

std::size_t Body::listpack_bytes_of_values() const {
    return content_ ? content_->values_in_listpack : 0;
}

std::size_t Body::listpack_bytes_of_fields() const {
    return content_ ? content_->fields_in_listpack : 0;
}

bool Body::has_same_fields_as(const Body& other) const {
    if (content_ == other.content_) return true;
    if (size() != other.size()) return false;
    for (std::size_t i = 0; i < size(); ++i)
        if (content_->part(2 * i) != other.content_->part(2 * i)) return false;
    return true;
}

bool operator==(const Body& one, const Body& other) {
    if (one.content_ == other.content_) return true;
    if (one.is_absent() || other.is_absent() || !one.has_same_fields_as(other)) return false;
    for (std::size_t i = 0; i < one.size(); ++i)
        if (one.value(i) != other.value(i)) return false;
    return true;
}

}  // namespace redeliver::model::redis
