#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <rapidcheck.h>

#include "tests/conformance/script.h"

namespace redeliver::conformance {

/// Scripts of 10 to 60 commands over several connections and few keys, groups, consumers and ids,
/// so that commands meet. They never shrink by themselves: see shrink.h.
///
/// No two reads block until the same instant: in which order the server lets equal deadlines pass
/// depends on the addresses of its clients, and is the one order that cannot be compared.
rc::Gen<Script> scripts();

/// Questions that show everything a client can see of what a script may have left behind.
std::vector<Words> questions();

/// Looks at every key that can have an expiry, so that the reference notices what is due.
const Words& expirable_keys_exist();

/// The key that a command acts on first; empty when it names none.
const std::string& key_of(const Words& words);

}  // namespace redeliver::conformance
