// Any command, written out as a client would send it, is read back as the same command.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/redis/arguments.h"
#include "model/redis/resp/read_command.h"

namespace redeliver::model::redis::resp {
namespace {

template <typename... Values>
auto one_of(Values... values) {
    return *rc::gen::element(values...);
}

std::string any_text() { return *rc::gen::string<std::string>(); }
std::int64_t any_number() { return *rc::gen::arbitrary<std::int64_t>(); }
std::int64_t any_natural() {
    return *rc::gen::inRange<std::int64_t>(0, std::numeric_limits<std::int64_t>::max());
}

EntryId any_id() {
    return {*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::arbitrary<std::uint64_t>()};
}

Ids any_ids() {
    Ids ids;
    for (auto left = *rc::gen::inRange(1, 5); left > 0; --left) ids.push_back(any_id());
    return ids;
}

/// A value or none.
template <typename Draw>
auto maybe(Draw draw) -> std::optional<decltype(draw())> {
    if (*rc::gen::arbitrary<bool>()) return std::nullopt;
    return draw();
}

Bound any_bound() {
    return {.id = one_of(EntryId{1, 2}, EntryId{7, 0}, EntryId{99, 5}),
            .edge = one_of(Bound::Edge::inclusive, Bound::Edge::exclusive)};
}

Trim any_trim() {
    Trim trim{.precision = one_of(Trim::Precision::exact, Trim::Precision::approximate)};
    if (*rc::gen::arbitrary<bool>())
        trim.keep = MaxLen{any_natural()};
    else
        trim.keep = MinId{any_id()};
    if (trim.precision == Trim::Precision::approximate) trim.limit = maybe(any_natural);
    return trim;
}

Command any_xadd() {
    Xadd xadd{.key = any_text(),
              .body = {{any_text(), any_text()}, {any_text(), any_text()}},
              .trim = maybe(any_trim),
              .if_missing = one_of(Xadd::IfMissing::create, Xadd::IfMissing::skip)};
    switch (*rc::gen::inRange(0, 3)) {
    case 0: xadd.id = AutoId{}; break;
    case 1: xadd.id = AutoSeq{*rc::gen::arbitrary<std::uint64_t>()}; break;
    default: xadd.id = any_id();
    }
    return xadd;
}

Command any_xsetid() {
    return Xsetid{.key = any_text(),
                  .last_id = max_entry_id,
                  .entries_added = maybe(any_natural),
                  .max_deleted_id = maybe(any_id)};
}

Command any_xrange() {
    return Xrange{.key = any_text(),
                  .start = any_bound(),
                  .end = any_bound(),
                  .count = maybe(any_number),
                  .order = one_of(Xrange::Order::oldest_first, Xrange::Order::newest_first)};
}

std::optional<Milliseconds> any_block() {
    return maybe([] { return Milliseconds{any_natural()}; });
}

Command any_xread() {
    Xread read{.count = any_natural(), .block = any_block()};
    for (auto left = *rc::gen::inRange(1, 4); left > 0; --left)
        read.streams.push_back({.key = any_text(), .after = maybe(any_id)});
    return read;
}

Command any_xreadgroup() {
    using Acknowledgement = Xreadgroup::Acknowledgement;
    Xreadgroup read{.group = any_text(),
                    .consumer = any_text(),
                    .count = any_natural(),
                    .block = any_block(),
                    .acknowledgement = one_of(Acknowledgement::owed, Acknowledgement::none)};
    for (auto left = *rc::gen::inRange(1, 4); left > 0; --left)
        read.streams.push_back({.key = any_text(), .after = maybe(any_id).value_or(undelivered)});
    return read;
}

Command any_xgroup() {
    using IfMissing = XgroupCreate::IfMissing;
    const std::string key = any_text();
    const std::string group = any_text();
    switch (*rc::gen::inRange(0, 5)) {
    case 0:
        return XgroupCreate{.key = key,
                            .group = group,
                            .start = maybe(any_id),
                            .if_missing = one_of(IfMissing::refuse, IfMissing::create_stream),
                            .entries_read = maybe(any_natural)};
    case 1:
        return XgroupSetid{.key = key,
                           .group = group,
                           .last_delivered_id = maybe(any_id),
                           .entries_read = maybe(any_natural)};
    case 2: return XgroupDestroy{.key = key, .group = group};
    case 3: return XgroupCreateconsumer{.key = key, .group = group, .consumer = any_text()};
    default: return XgroupDelconsumer{.key = key, .group = group, .consumer = any_text()};
    }
}

Command any_xpending() {
    return XpendingRange{.key = any_text(),
                         .group = any_text(),
                         .start = any_bound(),
                         .end = any_bound(),
                         .count = any_number(),
                         .consumer = maybe(any_text),
                         .min_idle_time = Milliseconds{any_number()}};
}

Command any_xclaim() {
    Xclaim claim{.key = any_text(),
                 .group = any_text(),
                 .consumer = any_text(),
                 .min_idle_time = Milliseconds{any_natural()},
                 .ids = any_ids(),
                 .delivery_count = maybe(any_number),
                 .if_not_pending = one_of(Xclaim::IfNotPending::skip, Xclaim::IfNotPending::create),
                 .reply = one_of(ClaimReply::entries, ClaimReply::ids_only),
                 .last_delivered_id = maybe(any_id)};
    if (*rc::gen::arbitrary<bool>()) claim.delivered = Milliseconds{any_number()};
    return claim;
}

Command any_xautoclaim() {
    return Xautoclaim{.key = any_text(),
                      .group = any_text(),
                      .consumer = any_text(),
                      .min_idle_time = Milliseconds{any_natural()},
                      .start = any_bound(),
                      .count = *rc::gen::inRange<std::int64_t>(1, 1'000'000),
                      .reply = one_of(ClaimReply::entries, ClaimReply::ids_only)};
}

Command any_set() {
    using Condition = Set::Condition;
    Set set{.key = any_text(),
            .value = any_text(),
            .condition = one_of(Condition::always, Condition::if_absent, Condition::if_present),
            .answer = one_of(Set::Answer::ok, Set::Answer::old_value)};
    switch (*rc::gen::inRange(0, 4)) {
    case 0: set.expiry = ExpireIn{Milliseconds{any_natural() + 1}}; break;
    case 1: set.expiry = ExpireAt{WallMillis{Milliseconds{any_natural() + 1}}}; break;
    case 2: set.expiry = KeepTtl{}; break;
    default: break;
    }
    return set;
}

Command any_expiry() {
    const auto condition =
        one_of(IfExpiry::whatever, IfExpiry::is_absent, IfExpiry::is_present, IfExpiry::is_sooner,
               IfExpiry::is_later, IfExpiry::is_present_and_later);
    if (*rc::gen::arbitrary<bool>())
        return Pexpire{.key = any_text(),
                       .after = Milliseconds{*rc::gen::inRange(-9'000, 9'000) * 1'000},
                       .condition = condition,
                       .unit = one_of(Unit::milliseconds, Unit::seconds)};
    return Pexpireat{
        .key = any_text(), .when = WallMillis{Milliseconds{any_number()}}, .condition = condition};
}

Command any_small_command() {
    switch (*rc::gen::inRange(0, 9)) {
    case 0: return Xlen{any_text()};
    case 1: return Xdel{.key = any_text(), .ids = any_ids()};
    case 2: return Xtrim{.key = any_text(), .trim = any_trim()};
    case 3: return Xack{.key = any_text(), .group = any_text(), .ids = any_ids()};
    case 4: return XinfoStreamFull{.key = any_text(), .count = any_number()};
    case 5:
        return Rename{.from = any_text(),
                      .to = any_text(),
                      .if_taken = one_of(Rename::IfTaken::overwrite, Rename::IfTaken::refuse)};
    case 6: return Ping{maybe(any_text)};
    case 7: return Pttl{.key = any_text(), .unit = one_of(Unit::milliseconds, Unit::seconds)};
    default: return Watch{{any_text(), any_text()}};
    }
}

using Draw = Command (*)();

RC_GTEST_PROP(RoundTrip, ReadsEveryCommandAsItWasWritten, ()) {
    const auto draw = one_of<Draw>(any_xadd, any_xsetid, any_xrange, any_xread, any_xreadgroup,
                                   any_xgroup, any_xpending, any_xclaim, any_xautoclaim, any_set,
                                   any_expiry, any_small_command);
    const Command written = draw();
    const Command read = read_command(arguments(written), Configuration::Version::v7_0);
    RC_ASSERT(read.index() == written.index());
    RC_ASSERT(arguments(read) == arguments(written));
}

}  // namespace
}  // namespace redeliver::model::redis::resp
