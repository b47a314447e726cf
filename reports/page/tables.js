// What the servers hold at the scrubber's step, and the promises over time.

const change_signs = {added: "+", removed: "−", changed: "~", same: ""};
const change_words = {added: "new", removed: "gone", changed: "changed"};
const most_rows_of_a_table = 40;

function show_tables(trial, number) {
    const {about} = trial;
    const step = trial.steps[trial.index_until(number)];
    if (!trial.timeline.has_tables) {
        put(by_id("tables"), el("p", {class: "empty"}, "This trace has no tables."));
        return;
    }
    const tables = trial.tables(number);
    put(by_id("tables"), ...tables.map((table) => table_element(about, table, step)));
}

function table_element(about, table, step) {
    const is_pending = table.title.startsWith("pending list of ");
    const changes = Object.entries(change_words)
        .map(([change, word]) => [table.rows.filter((row) => row.change === change).length, word])
        .filter(([count]) => count > 0);
    const changed = changes.reduce((sum, [count]) => sum + count, 0);
    // Rows that changed are always among those that are shown.
    const cut = table.rows.length > most_rows_of_a_table;
    const rows = !cut
        ? table.rows
        : table.rows.filter(
              (row, index) =>
                  row.change !== "same" || index >= table.rows.length - most_rows_of_a_table + changed,
          );
    const columns = is_pending ? idle_before_instant(table.columns) : table.columns;
    const body = rows.map((row) =>
        el(
            "tr",
            {class: row.change},
            el("td", {class: "change", title: change_words[row.change]}, change_signs[row.change]),
            ...columns.map((column) => cell_element(about, is_pending, column, row, step)),
        ),
    );
    return el(
        "details",
        {class: "table" + (table.rows.length === 0 ? " is_empty" : ""), open: true},
        el(
            "summary",
            {},
            el("b", {}, table.title),
            " ",
            el(
                "span",
                {},
                table.rows.length === 0
                    ? "empty"
                    : counted(table.rows.filter((row) => row.change !== "removed").length, "row"),
            ),
            el("span", {class: "changes"}, changes.map(([count, word]) => ` ${count} ${word}`).join(",")),
        ),
        table.rows.length === 0
            ? null
            : el(
                  "div",
                  {class: "wide_table"},
                  el(
                      "table",
                      {},
                      el(
                          "thead",
                          {},
                          el("tr", {}, el("th", {}), ...columns.map((column) => el("th", {}, column))),
                      ),
                      el("tbody", {}, ...body),
                  ),
              ),
        cut
            ? el(
                  "p",
                  {class: "cut"},
                  `Showing ${rows.length} of ${grouped(table.rows.length)} rows: the last ones, and what changed.`,
              )
            : null,
    );
}

/** What the eye looks for comes first. */
const idle_before_instant = (columns) => [
    ...columns.filter((column) => column !== "delivered at"),
    ...columns.filter((column) => column === "delivered at"),
];

function cell_element(about, is_pending, column, row, step) {
    const value = row.values[column];
    const was = row.was?.[column];
    const content = was === undefined ? [value] : [el("del", {}, was), " ", el("ins", {}, value)];
    const classes = was === undefined ? "" : "differs";
    if (is_pending && column === "idle" && about.idle_us)
        return el("td", {class: "measure"}, threshold_bar(about, value), ...content);
    if (is_pending && column === "deliveries" && about.deliveries)
        return el(
            "td",
            {class: classes, title: `${value} of ${about.deliveries} deliveries, then it is poison`},
            ...content,
            el("span", {class: "limit"}, ` of ${about.deliveries}`),
        );
    if (/^run-\d+$/.test(value))
        return el("td", {class: classes}, was === undefined ? run_link(value) : content);
    return el("td", {class: classes}, ...content);
}

/** Idle time against the threshold from which others may claim. */
function threshold_bar(about, text) {
    const idle_us = microseconds_of(text);
    const share = Math.min(1, Math.max(0, idle_us / about.idle_us));
    const is_due = idle_us >= about.idle_us;
    return el(
        "span",
        {
            class: "meter" + (is_due ? " due" : ""),
            title:
                `idle ${text}; others may claim it after ${length(about.idle_us)}` + (is_due ? ": due" : ""),
        },
        el("span", {style: `width:${(share * 100).toFixed(1)}%`}),
    );
}

function microseconds_of(text) {
    const found = /^(-?[\d.]+)(us|ms|s)$/.exec(text);
    return found ? Math.round(Number(found[1]) * {us: 1, ms: 1000, s: 1_000_000}[found[2]]) : 0;
}

// ------------------------------------------------------------------ the scrubber and its strip

function show_scrubber(trial) {
    const slider = el("input", {
        type: "range",
        min: trial.first,
        max: trial.last,
        step: 1,
        id: "slider",
        "aria-label": "Step",
    });
    slider.addEventListener("input", () => view.change({step: Number(slider.value)}));
    const button = (text, title, act) => el("button", {type: "button", title, onclick: act}, text);
    put(
        by_id("scrubber"),
        el(
            "div",
            {class: "buttons"},
            button("←", "Previous step (←)", () => go_by_row(-1)),
            button("→", "Next step (→)", () => go_by_row(1)),
            button("✂ fault", "Next fault (f)", go_to_next_fault),
            main_promise(trial.about)?.step
                ? button("⚑ violation", "The violation (v)", go_to_violation)
                : null,
        ),
        el(
            "div",
            {class: "place"},
            el("b", {id: "at_step"}),
            el("span", {id: "at_time"}),
            el("span", {id: "at_text"}),
        ),
    );
    put(
        by_id("strip"),
        el("div", {class: "strip_grid"}, el("span", {class: "name"}, "step"), slider, ...strip_rows(trial)),
    );
}

/** One row per promise: what is known of it at each step. Those that broke come first. */
function strip_rows(trial) {
    const order = ["violated", "inconclusive", "holds"];
    const promises = (trial.about.promises ?? [])
        .filter((promise) => order.includes(promise.verdict))
        .sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
    const unjudged = (trial.about.promises ?? []).length - promises.length;
    const broken = promises.filter((promise) => promise.verdict !== "holds").length;
    const shown = promises.slice(0, Math.max(6, broken + 3));
    const held = promises.slice(shown.length);
    const rows = shown.flatMap((promise) => [
        el(
            "span",
            {class: `name ${promise.verdict}`, title: promise.sentence},
            `${verdict_signs[promise.verdict]} ${spaced(promise.name)}`,
        ),
        strip_cells(trial, promise),
    ]);
    const rest = [
        held.length ? `${held.length} more hold: ${held.map((each) => spaced(each.name)).join(", ")}` : "",
        unjudged ? `${unjudged} had nothing to judge` : "",
    ]
        .filter(Boolean)
        .join("; ");
    if (rest) rows.push(el("span", {class: "name"}, ""), el("span", {class: "rest", title: rest}, rest));
    return rows;
}

function strip_cells(trial, promise) {
    const span = Math.max(1, trial.last - trial.first);
    const percent = (number) => ((number - trial.first) / span) * 100;
    const cells = el("div", {class: "cells"});
    const stretch = (kind, from, to, title) =>
        cells.append(
            el("span", {
                class: `stretch ${kind}`,
                title,
                style: `left:${percent(from)}%;width:${Math.max(0, percent(to) - percent(from))}%`,
            }),
        );
    const chance =
        promise.name === trial.about.explanation?.promise ? trial.about.explanation.chance : undefined;
    if (promise.verdict === "violated" && promise.step) {
        const turn = chance?.after && chance.after < promise.step ? chance.after : promise.step;
        stretch("open", trial.first, turn, `${promise.name}: not yet broken, and still to be kept`);
        if (turn < promise.step)
            stretch(
                "doomed",
                turn,
                promise.step,
                `${promise.name}: not yet broken, but no future that was tried keeps it`,
            );
        stretch("violated", promise.step, trial.last, `${promise.subject ?? ""} ${promise.evidence ?? ""}`);
        if (chance?.after)
            cells.append(
                strip_sign("◆", percent(chance.after), `point of no return: after step ${chance.after}`),
            );
        cells.append(
            strip_sign(
                "⚑",
                percent(promise.step),
                `step ${promise.step}: ${promise.subject ?? ""} ${promise.evidence ?? ""}`,
            ),
        );
    } else if (promise.verdict === "inconclusive") {
        stretch("unknown", trial.first, trial.last, `${promise.name}: not shown`);
    } else {
        stretch("holds", trial.first, trial.last, `${promise.name}: ${promise.sentence}`);
    }
    cells.append(el("span", {class: "needle"}));
    cells.addEventListener("click", (event) => {
        const {left, width} = cells.getBoundingClientRect();
        view.change({step: Math.round(trial.first + ((event.clientX - left) / width) * span)});
    });
    return cells;
}

const strip_sign = (sign, left, title) =>
    el("span", {class: "strip_sign", style: `left:${left}%`, title}, sign);

function move_scrubber(trial, number) {
    const step = trial.steps[trial.index_until(number)];
    if (!step) return;
    by_id("slider").value = number;
    by_id("at_step").textContent = `step ${number}`;
    by_id("at_time").textContent = moment(step.at_us);
    by_id("at_text").textContent = [step.actor, step.what, step.about, with_arrows(step.how ?? "")]
        .filter(Boolean)
        .join("  ");
    const share = ((number - trial.first) / Math.max(1, trial.last - trial.first)) * 100;
    for (const needle of document.querySelectorAll(".needle")) needle.style.left = `${share}%`;
}

// ------------------------------------------------------------------ one message

const most_hops = 24;

function show_hops(trial, run, number) {
    const panel = by_id("hops");
    const runs = (trial.about.runs ?? []).filter(
        (each) => count_of(each, "attempts") || each.accepted || count_of(each, "publications"),
    );
    const choice = el(
        "select",
        {id: "focus_choice", "aria-label": "Message to follow"},
        el("option", {value: ""}, "no message"),
        ...runs
            .slice(0, 400)
            .map((each) => el("option", {value: each.run, selected: each.run === run}, each.run)),
    );
    choice.addEventListener("change", () => view.change({focus: choice.value}));
    const chips = run ? hops_of(trial, run) : [];
    const cut = chips.length - most_hops;
    const shown = cut > 0 ? [...chips.slice(0, most_hops / 2), null, ...chips.slice(-most_hops / 2)] : chips;
    const biography = (trial.about.runs ?? []).find((each) => each.run === run);
    const end = biography
        ? [
              `ends ${biography.status}${biography.reason ? ` (${biography.reason})` : ""}:`,
              `${counted(count_of(biography, "replies"), "reply", "replies")}, ${counted(count_of(biography, "deliveries"), "delivery", "deliveries")}, ${counted(count_of(biography, "executions"), "execution")}`,
          ].join(" ")
        : "";
    put(
        panel,
        el("label", {class: "follow"}, "follow ", choice),
        el(
            "span",
            {class: "chips"},
            ...shown.map((hop) =>
                hop === null
                    ? el("span", {class: "hop_gap"}, `… ${cut} more …`)
                    : el(
                          "button",
                          {
                              type: "button",
                              class: `hop is-${hop.sign || "none"}${hop.step === number ? " now" : ""}`,
                              "data-step": hop.step,
                              title: `step ${hop.step}`,
                              onclick: () => view.change({step: hop.step}),
                          },
                          hop.sign ? signs[hop.sign] + " " : "",
                          hop.text,
                          hop.note ? el("small", {}, " " + hop.note) : "",
                      ),
            ),
        ),
        end ? el("span", {class: "end"}, end) : "",
    );
}

function mark_hops(number) {
    for (const chip of document.querySelectorAll(".hop"))
        chip.classList.toggle("now", Number(chip.dataset.step) === number);
}
