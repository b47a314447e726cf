#pragma once

#include <cstdint>

namespace redeliver::reports {

/// Whether a policy decided otherwise than the system that a story gets when it says nothing: the
/// repaired reference design. Of all decisions that led to a breach, such a one is the suspect. The
/// numbers are those of scenarios::Policy and of its values; unknown ones do not depart.
bool departs_from_default(std::uint16_t policy, std::uint16_t value);

}  // namespace redeliver::reports
