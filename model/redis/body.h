#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/smart_ptr/intrusive_ptr.hpp>

namespace redeliver::model::redis {

using FieldView = std::pair<std::string_view, std::string_view>;

/// The field-value pairs of a stream entry: ordered, duplicates and empty strings allowed,
/// immutable from birth. Copies share one allocation, so that replies and logs cost no strings.
/// The count of owners is not atomic: never let bodies cross threads.
///
/// A default-constructed Body is absent: in a reply to a history read it stands for an entry that
/// has left the stream. It differs from a body without fields, which XADD refuses.
class Body {
public:
    Body() = default;
    Body(std::initializer_list<FieldView> fields);
    explicit Body(const std::vector<FieldView>& fields);

    bool is_absent() const { return content_ == nullptr; }
    std::size_t size() const;
    std::string_view field(std::size_t index) const;
    std::string_view value(std::size_t index) const;

    /// The value of the first such field; empty when there is none.
    std::string_view value_of(std::string_view field) const;

    /// XXH3 of the lengths and bytes; 0 when absent. Computed once.
    std::uint64_t content_hash() const;

    /// Length of all fields and values together, as the server's node-size check counts it.
    std::size_t raw_bytes() const;

    /// Bytes the values, and the fields, would take inside a listpack.
    std::size_t listpack_bytes_of_values() const;
    std::size_t listpack_bytes_of_fields() const;

    /// True when both have the same fields in the same order, whatever their values.
    bool has_same_fields_as(const Body& other) const;

    friend bool operator==(const Body& one, const Body& other);

private:
    struct Content;
    friend void intrusive_ptr_add_ref(const Content* content);
    friend void intrusive_ptr_release(const Content* content);
    static Content* make(const FieldView* fields, std::size_t count);

    boost::intrusive_ptr<const Content> content_;
};

}  // namespace redeliver::model::redis
