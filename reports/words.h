#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/time.h"

/// Numbers and times as people read them. Times of this kind are never parsed again.
namespace redeliver::reports {

enum class Precision : std::uint8_t { milliseconds, microseconds };

/// `31.002s`, since the beginning of the trial; rounded down, so that nothing seems later than it
/// was.
std::string moment(sim::Instant instant, Precision precision = Precision::milliseconds);

/// `2s`, `250ms`, `1.25s`, `350us`, `-3s`: exact.
std::string length(sim::Duration duration);

/// `8,600`.
std::string grouped(std::uint64_t number);

/// `1 seed`, `200 seeds`.
std::string counted(std::uint64_t number, std::string_view noun);
/// The same for a noun whose plural is no mere `s`: `1 entry`, `2 entries`.
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);

/// 16 hexadecimal digits.
std::string fingerprint_text(std::uint64_t fingerprint);

/// `1st`, `2nd`, `3rd`, `11th`.
std::string ordinal(std::uint64_t number);

/// One argument as a POSIX shell reads it back: quoted unless it is plain.
std::string shell_word(std::string_view argument);

}  // namespace redeliver::reports
