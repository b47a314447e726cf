#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/ensure.h"

namespace redeliver::model::database {

/// An array that grows at its end and never moves what it holds, so that views stay valid. Each
/// place holds `width` elements side by side.
///
/// Chunks double in size: the first holds 16 places, because most trials are tiny, and a million
/// places take 17 chunks. Elements are made place by place, so that a chunk costs what is used of
/// it.
template <typename Element>
class StableArray {
public:
    explicit StableArray(std::size_t width) : width_(width) {}
    StableArray(StableArray&& other) noexcept
        : width_(other.width_),
          size_(std::exchange(other.size_, 0)),
          chunks_(std::exchange(other.chunks_, {})) {}
    StableArray& operator=(StableArray&&) = delete;
    ~StableArray() {
        for (std::uint32_t chunk = 0; chunk < chunks_.size(); ++chunk) {
            const std::size_t used = std::min(size_ - first_of(chunk), places_of(chunk));
            std::destroy_n(chunks_[chunk], used * width_);
            std::allocator<Element>().deallocate(chunks_[chunk], places_of(chunk) * width_);
        }
    }

    Element* operator[](std::uint32_t place) {
        const std::uint32_t chunk = chunk_of(place);
        return chunks_[chunk] + (place - first_of(chunk)) * width_;
    }
    const Element* operator[](std::uint32_t place) const {
        const std::uint32_t chunk = chunk_of(place);
        return chunks_[chunk] + (place - first_of(chunk)) * width_;
    }

    std::uint32_t size() const { return size_; }

    /// Adds one place of default elements and names it.
    std::uint32_t grow() {
        sim::ensure(size_ < max_size, "an array has fewer than 2^31 places");
        const std::uint32_t chunk = chunk_of(size_);
        if (chunk == chunks_.size()) {
            chunks_.reserve(chunks_.size() + 1);
            chunks_.push_back(std::allocator<Element>().allocate(places_of(chunk) * width_));
        }
        std::uninitialized_value_construct_n((*this)[size_], width_);
        return size_++;
    }

private:
    static constexpr std::uint32_t first_places = 16;
    static constexpr std::uint32_t max_size = 1u << 31;

    static std::uint32_t chunk_of(std::uint32_t place) {
        return static_cast<std::uint32_t>(std::bit_width(place / first_places));
    }
    static std::uint32_t first_of(std::uint32_t chunk) {
        return chunk == 0 ? 0 : (first_places / 2) << chunk;
    }
    static std::uint32_t places_of(std::uint32_t chunk) {
        return chunk == 0 ? first_places : first_of(chunk);
    }

    std::size_t width_;
    std::uint32_t size_ = 0;
    std::vector<Element*> chunks_;
};

}  // namespace redeliver::model::database
