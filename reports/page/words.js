"use strict";
// Numbers, times and signs as people read them.

const signs = {
    crash: "✂",
    restart: "↻",
    pause: "‖",
    resume: "▸",
    lost: "✗",
    partition: "╪",
    heal: "✚",
    claim: "⇉",
    stored: "●",
    absorbed: "○",
    forgot: "⌫",
    set_aside: "†",
    broken: "⚑",
    none: "·",
};

const sign_words = {
    crash: "a node crashes",
    restart: "it starts again",
    pause: "it pauses",
    resume: "it resumes",
    lost: "lost on the wire, or in vain",
    partition: "cut off, or disturbed",
    heal: "repaired",
    claim: "claimed: a new owner",
    stored: "a reply is stored",
    absorbed: "a duplicate is absorbed",
    forgot: "a server forgets",
    set_aside: "dead-lettered",
    broken: "a promise breaks here",
};

const verdict_signs = {
    holds: "✓",
    violated: "⚑",
    vacuous: "–",
    inconclusive: "?",
    as_expected: "✓",
    wrong: "✗",
};

/** `31.002s` since the beginning; rounded down, so that nothing seems later than it was. */
function moment(microseconds) {
    const milliseconds = Math.floor(microseconds / 1000);
    return `${Math.floor(milliseconds / 1000)}.${String(milliseconds % 1000).padStart(3, "0")}s`;
}

/** `2s`, `250ms`, `1.25s`, `350us`, `-3s`: exact. */
function length(microseconds) {
    if (microseconds < 0) return "-" + length(-microseconds);
    if (microseconds % 1000 !== 0 && microseconds < 1000) return `${microseconds}us`;
    const in_seconds = microseconds % 1_000_000 === 0 || microseconds >= 1_000_000;
    const unit = in_seconds ? 1_000_000 : 1000;
    const fraction = String(microseconds % unit)
        .padStart(in_seconds ? 6 : 3, "0")
        .replace(/0+$/, "");
    return Math.floor(microseconds / unit) + (fraction && "." + fraction) + (in_seconds ? "s" : "ms");
}

/** The same to three digits or so, where exactness would only be in the way. */
function about_length(microseconds) {
    if (microseconds >= 10_000_000) return length(Math.round(microseconds / 100_000) * 100_000);
    if (microseconds >= 1_000_000) return length(Math.round(microseconds / 10_000) * 10_000);
    return length(Math.floor(microseconds / 1000) * 1000);
}

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
const counted = (number, one, many = one + "s") => `${grouped(number)} ${number === 1 ? one : many}`;
/** `exactly_one_reply` as a sentence has it. */
const spaced = (name) => name.replaceAll("_", " ");
const with_arrows = (text) => text.replaceAll("->", "→");
