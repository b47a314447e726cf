#include "cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "cli/errors.h"

namespace redeliver::cli {

namespace {

constexpr std::size_t most_kept = 1u << 16;

}  // namespace

Output::Output(int descriptor, std::string name)
    : descriptor_(descriptor), name_(std::move(name)) {}

void Output::print(std::string_view text) {
    kept_.append(text);
    if (kept_.size() >= most_kept) flush();
}

void Output::flush() {
    // Emptied first, so that a failed write is not tried again by whoever cleans up.
    const std::string pending = std::exchange(kept_, {});
    std::string_view left = pending;
    while (!left.empty()) {
        const ::ssize_t written = ::write(descriptor_, left.data(), left.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) throw OutputError("cannot write to " + name_, errno);
        left.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace redeliver::cli
