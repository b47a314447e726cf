#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/ensure.h"

namespace redeliver::model::database {

/// An array that grows at its end and never moves what it holds, so that views stay valid. Each
/// place holds `width` elements side by side.
///
/// Chunks double in size: the first holds 16 places, because most trials are tiny, and a million
/// places take 17 chunks.
template <typename Element>
class StableArray {
public:
    explicit StableArray(std::size_t width) : width_(width) {}

    Element* operator[](std::uint32_t place) {
        const std::uint32_t chunk = chunk_of(place);
        return chunks_[chunk].get() + (place - first_of(chunk)) * width_;
    }
    const Element* operator[](std::uint32_t place) const {
        const std::uint32_t chunk = chunk_of(place);
        return chunks_[chunk].get() + (place - first_of(chunk)) * width_;
    }

    std::uint32_t size() const { return size_; }

    /// Adds one place of default elements and names it.
    std::uint32_t grow() {
        sim::ensure(size_ < max_size, "an array has fewer than 2^31 places");
        const std::uint32_t chunk = chunk_of(size_);
        if (chunk == chunks_.size()) {
            const std::size_t places = chunk == 0 ? first_places : first_of(chunk);
            chunks_.push_back(std::make_unique<Element[]>(places * width_));
        }
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

    std::size_t width_;
    std::uint32_t size_ = 0;
    std::vector<std::unique_ptr<Element[]>> chunks_;
};

}  // namespace redeliver::model::database
