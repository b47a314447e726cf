#pragma once

#include <string>

#include "reports/look.h"
#include "scenarios/explore/bug_bench.h"

namespace redeliver::reports {

/// The case of a bug with the fewest faults, messages and steps, whoever found it; nothing when
/// nobody did.
const scenarios::SmallCase* smallest_case(const scenarios::BugResult& result);

/// One row for each bug: what it needs, and for each strategy how many attempts and milliseconds it
/// took; what is not as it should be; a last line.
std::string bug_bench_text(const scenarios::BugBench& bench, const Look& look);

/// docs/planted-bugs.md: the same in Markdown, with the mistakes in words.
std::string bug_bench_markdown(const scenarios::BugBench& bench);

/// `bench --bugs --json`; docs/schemas/bug-bench-report.schema.json describes it.
std::string bug_bench_document(const scenarios::BugBench& bench);

}  // namespace redeliver::reports
