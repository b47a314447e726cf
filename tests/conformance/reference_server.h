#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "tests/conformance/connection.h"
#include "tests/conformance/reference_clock.h"
#include "tests/conformance/temporary_folder.h"

namespace redeliver::conformance {

/// A real redis-server 7.0.15, started by us under our clock, reached by a Unix socket in a folder
/// of its own, and stopped by its pid whatever happens.
class ReferenceServer {
public:
    /// Further words of the command line, such as {"--appendonly", "yes"}.
    using Options = std::vector<std::string>;

    ReferenceServer(const ReferenceClock& clock, Options options = {});
    ReferenceServer(const ReferenceServer&) = delete;
    ReferenceServer& operator=(const ReferenceServer&) = delete;
    ~ReferenceServer();

    Connection connect() const { return Connection(socket_path()); }
    std::string socket_path() const { return folder_.path() + "/s"; }
    const std::string& folder() const { return folder_.path(); }

    /// SIGKILL: what the process had not handed to the kernel is lost.
    void kill();
    /// Starts it again on what it left in its folder, and waits until it has loaded that.
    void start();

private:
    const ReferenceClock& clock_;
    Options options_;
    TemporaryFolder folder_;
    pid_t process_ = -1;
};

/// What INFO says of itself; throws std::runtime_error unless it is 7.0.15.
std::string require_reference_version(Connection& control);

}  // namespace redeliver::conformance
