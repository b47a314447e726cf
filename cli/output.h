#pragma once

#include <string>
#include <string_view>

namespace redeliver::cli {

/// Standard output, or another open file, that does not hide its failures: a full disk and a reader
/// that is gone both throw OutputError. Expects SIGPIPE to be ignored.
class Output {
public:
    /// Writes to a file descriptor that stays open; `name` appears in messages.
    Output(int descriptor, std::string name);
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    /// May keep the text for a while.
    void print(std::string_view text);
    /// Returns once the system has taken everything.
    void flush();

private:
    int descriptor_;
    std::string name_;
    std::string kept_;
};

}  // namespace redeliver::cli
