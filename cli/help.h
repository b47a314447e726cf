#pragma once

#include <string_view>

/// What `--help` teaches, below what CLI11 says about each option.
namespace redeliver::cli::help {

extern const std::string_view program;
extern const std::string_view after_program;
extern const std::string_view after_list;
extern const std::string_view after_run;
extern const std::string_view after_replay;
extern const std::string_view after_explain;
extern const std::string_view after_explore;
extern const std::string_view after_report;
extern const std::string_view after_bench;
extern const std::string_view after_serve;

}  // namespace redeliver::cli::help
