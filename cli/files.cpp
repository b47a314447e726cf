#include "cli/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "cli/errors.h"
#include "cli/output.h"
#include "scenarios/json/limits.h"

namespace redeliver::cli {

namespace {

/// An open file that closes itself.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return number_; }
    bool is_open() const { return number_ >= 0; }
    /// What the system says on closing: some file systems report a full disk only then.
    int close() { return ::close(std::exchange(number_, -1)); }

private:
    int number_;
};

[[noreturn]] void cannot_read(const std::string& path, int reason) {
    throw UsageError(
        fmt::format("cannot read {}: {}", path, std::generic_category().message(reason)));
}

std::string read_all(const Descriptor& file, const std::string& path) {
    std::string text;
    std::array<char, 1u << 16> block{};
    while (true) {
        const ::ssize_t got = ::read(file.number(), block.data(), block.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) cannot_read(path, errno);
        if (got == 0) return text;
        text.append(block.data(), static_cast<std::size_t>(got));
        if (text.size() > scenarios::json::max_file_bytes)
            throw UsageError(fmt::format("{} is larger than {} MiB", path,
                                         scenarios::json::max_file_bytes >> 20));
    }
}

/// Removes the file unless told to keep it.
class Aside {
public:
    explicit Aside(std::filesystem::path path) : path_(std::move(path)) {}
    ~Aside() {
        if (!path_.empty()) ::unlink(path_.c_str());
    }
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;

    void rename_to(const std::filesystem::path& path) {
        if (::rename(path_.c_str(), path.c_str()) != 0)
            throw OutputError("cannot write " + path.string(), errno);
        path_.clear();
    }

private:
    std::filesystem::path path_;
};

}  // namespace

std::string read_file(const std::string& path) {
    // A path that holds NUL would silently name another file.
    if (path.find('\0') != std::string::npos) cannot_read(path, ENOENT);
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.is_open()) cannot_read(path, errno);
    return read_all(file, path);
}

void write_file(const std::filesystem::path& path, std::string_view text) {
    std::error_code failure;
    std::filesystem::create_directories(path.parent_path(), failure);
    if (failure) throw OutputError("cannot make " + path.parent_path().string(), failure.value());

    std::string name = path.string() + ".XXXXXX";
    Descriptor file(::mkostemp(name.data(), O_CLOEXEC));
    if (!file.is_open()) throw OutputError("cannot write " + path.string(), errno);
    Aside aside{name};
    Output output(file.number(), path.string());
    output.print(text);
    output.flush();
    constexpr ::mode_t usual = 0644;
    if (::fchmod(file.number(), usual) != 0 || file.close() != 0)
        throw OutputError("cannot write " + path.string(), errno);
    aside.rename_to(path);
}

bool is_plain_name(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

}  // namespace redeliver::cli
