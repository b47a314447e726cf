// JUnit's XML, as Jenkins, GitLab and others read it. tests/exports/junit.xsd is what it keeps to.

#include <fmt/format.h>

#include "reports/exports.h"
#include "reports/verdict_words.h"
#include "reports/words.h"
#include "scenarios/json/printable.h"

namespace redeliver::reports {

namespace {

/// Line ends are ours: texts of strangers have none after this, nor any character that XML forbids.
std::string escaped(std::string_view stranger) {
    std::string safe;
    for (const char each : scenarios::printable(stranger)) {
        switch (each) {
        case '&': safe += "&amp;"; break;
        case '<': safe += "&lt;"; break;
        case '>': safe += "&gt;"; break;
        case '"': safe += "&quot;"; break;
        default: safe += each;
        }
    }
    return safe;
}

std::string commands(const Trace& trace) {
    std::string lines;
    for (const std::string& command : commands_of(trace))
        lines += fmt::format("same trial  {}\n", escaped(command));
    return lines;
}

std::string body(const Trace& trace, const TracePromise& promise) {
    std::string lines = fmt::format("story       {}\nseed        {}\npromise     {}\n",
                                    escaped(trace.story), trace.seed, escaped(promise.sentence));
    if (promise.verdict == "violated")
        lines += fmt::format("evidence    {}\n", escaped(finding(promise)));
    for (const TraceSentence& sentence : promise.why)
        lines += fmt::format("why         {} step {}: {}\n",
                             moment(sim::at(sim::Duration{sentence.at_us})), sentence.step,
                             escaped(sentence.text));
    return lines + commands(trace);
}

struct Cases {
    std::string xml;
    std::size_t count = 0;
    std::size_t failures = 0;
    std::size_t errors = 0;
    std::size_t skipped = 0;

    void add(const Trace& trace, std::string_view name, const std::string& inside) {
        ++count;
        xml += fmt::format("    <testcase classname=\"{}\" name=\"{}\">{}</testcase>\n",
                           escaped(trace.story), escaped(name), inside);
    }
};

void add_promise(const Trace& trace, const TracePromise& promise, Cases& cases) {
    std::string inside;
    switch (bearing_of(promise, trace)) {
    case Bearing::as_expected: break;
    case Bearing::wrong:
        ++cases.failures;
        inside =
            fmt::format("\n      <failure type=\"promise\" message=\"{}\">\n{}</failure>\n    ",
                        escaped(promise.verdict == "violated"
                                    ? "broke " + finding(promise)
                                    : "was expected to break and did not: " + promise.verdict),
                        body(trace, promise));
        break;
    case Bearing::not_shown:
        ++cases.skipped;
        inside = fmt::format("\n      <skipped message=\"{}\"/>\n    ",
                             escaped("neither shown nor refuted: " + promise.verdict));
        break;
    }
    cases.add(trace, promise.name, inside);
}

void add_complaints(const Trace& trace, Cases& cases) {
    const std::vector<std::string> complaints = other_complaints(trace);
    if (complaints.empty()) return;
    std::string lines =
        fmt::format("story       {}\nseed        {}\n", escaped(trace.story), trace.seed);
    for (const std::string& complaint : complaints)
        lines += fmt::format("complaint   {}\n", escaped(complaint));
    // A trial that ended in a cap has shown nothing wrong; nor may it pass.
    const bool is_failure = trace.outcome == "wrong";
    ++(is_failure ? cases.failures : cases.errors);
    cases.add(trace, "expectations",
              fmt::format("\n      <{0} type=\"expectation\" message=\"{1}\">\n{2}{3}</{0}>\n    ",
                          is_failure ? "failure" : "error", escaped(complaints.front()), lines,
                          commands(trace)));
}

}  // namespace

std::string junit(const Trace& trace) {
    Cases cases;
    for (const TracePromise& promise : trace.promises)
        if (promise.expected == "holds" || promise.expected == "breaks")
            add_promise(trace, promise, cases);
    add_complaints(trace, cases);
    const std::string counts =
        fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", cases.count,
                    cases.failures, cases.errors, cases.skipped);
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites>\n  <testsuite name=\"{0}\" {1}>\n"
        "    <properties>\n"
        "      <property name=\"seed\" value=\"{2}\"/>\n"
        "      <property name=\"fingerprint\" value=\"{3}\"/>\n"
        "      <property name=\"build\" value=\"{4}\"/>\n"
        "    </properties>\n{5}  </testsuite>\n</testsuites>\n",
        escaped(trace.story), counts, trace.seed, fingerprint_text(trace.fingerprint),
        escaped(trace.build), cases.xml);
}

}  // namespace redeliver::reports
