// The page of a trial: a template that is filled in.

#include <algorithm>

#include "reports/exports.h"
#include "reports/page_static.h"
#include "scenarios/catalog/embedded.h"
#include "sim/ensure.h"

namespace redeliver::reports {

namespace {

std::string_view page_file(std::string_view name) {
    const auto files = scenarios::embedded_page();
    const auto found = std::ranges::find(files, name, &scenarios::EmbeddedFile::name);
    sim::ensure(found != files.end(), "every file of the page is embedded");
    return found->text;
}

/// Script and style of the page, in the order in which they are to be read.
std::string joined(std::string_view suffix) {
    std::string text;
    for (const scenarios::EmbeddedFile& file : scenarios::embedded_page())
        if (file.name.ends_with(suffix)) text += file.text;
    return text;
}

void fill(std::string& page, std::string_view marker, std::string_view text) {
    const std::size_t at = page.find(marker);
    sim::ensure(at != std::string::npos, "the page has a place for everything");
    page.replace(at, marker.size(), text);
}

/// So that no text in it can end the element which holds it.
std::string without_tags(std::string text) {
    std::string safe;
    safe.reserve(text.size());
    for (const char each : text) {
        if (each == '<') {
            safe += "\\u003c";
        } else {
            safe += each;
        }
    }
    return safe;
}

}  // namespace

std::string html(const Trace& trace) {
    std::string page(page_file("report.html"));
    fill(page, "<!-- style -->", "<style>\n" + joined(".css") + "</style>");
    fill(page, "<!-- static -->", page_static(trace));
    fill(page, "<!-- trace -->",
         "<script type=\"application/json\" id=\"trace\">" + without_tags(json(trace)) +
             "</script>");
    fill(page, "<!-- script -->", "<script>\n" + joined(".js") + "</script>");
    return page;
}

}  // namespace redeliver::reports
