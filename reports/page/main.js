// Puts the page together, and moves through it.
//
// The files of this folder are joined in this order: words.js, model.js, view.js, diagram.js,
// verdict.js, tables.js, panels.js, main.js.

const page = {trial: null, diagram: null, comparison: undefined, mark_raw: () => {}};

/** The steps that are rows of the diagram, as the reader wants them. */
function rows_of(trial, {detail, filter, only, focus}) {
    const telling = (page.telling ??= new Set(
        (trial.about.promises ?? []).flatMap((promise) =>
            promise.verdict === "violated"
                ? [promise.step, ...(promise.why ?? []).map((line) => line.step)]
                : [],
        ),
    ));
    const chosen = filter ? ledger_filter(trial, filter) : undefined;
    return trial.steps.filter((step) => {
        if (chosen) return chosen(step);
        if (
            only &&
            focus &&
            trial.run_of(step) !== focus &&
            !strikes.has(step.kind) &&
            !trial.breaches.has(step.number)
        )
            return false;
        return detail === "all" || step.is_shown || telling.has(step.number);
    });
}

function show_rows() {
    const {state} = view;
    const rows = rows_of(page.trial, state);
    page.diagram.set_rows(
        rows,
        state.filter || (state.only && state.focus) ? "some" : state.detail === "all" ? "all" : "shown",
    );
    const what = state.filter
        ? ` that are ${spaced(state.filter)}`
        : state.only && state.focus
          ? ` of ${state.focus}`
          : "";
    const toggle = (text, key, on, title) =>
        el(
            "button",
            {
                type: "button",
                class: "toggle",
                title,
                "data-toggle": key,
                "aria-pressed": String(state[key] === on),
                onclick: () => view.change({[key]: view.state[key] === on ? "" : on}),
            },
            text,
        );
    put(
        by_id("diagram_bar"),
        el("b", {}, "Timeline"),
        el(
            "span",
            {class: "count"},
            `showing ${grouped(rows.length)}${what} of ${counted(page.trial.steps.length, "step")}`,
        ),
        state.filter
            ? el(
                  "button",
                  {type: "button", class: "toggle on", onclick: () => view.change({filter: ""})},
                  `✕ ${spaced(state.filter)}`,
              )
            : null,
        el("span", {class: "space"}),
        toggle("every step", "detail", "all", "Show requests, answers and polls as well"),
        state.focus
            ? toggle(`only ${state.focus}`, "only", "focus", "Leave out what is about other messages")
            : null,
        toggle("virtual time", "scale", "virtual", "Distances as time passes, long waits cut short"),
    );
}

// ------------------------------------------------------------------ moving

const current_row = () => page.diagram.row_until(view.state.step);

function go(number) {
    view.change({
        step: Math.min(Math.max(Number(number) || page.trial.first, page.trial.first), page.trial.last),
    });
}

/** To the next row of the diagram, or the one before. */
function go_by_row(direction) {
    const {rows} = page.diagram;
    if (rows.length === 0) return;
    let row = current_row();
    if (direction < 0 && row >= 0 && rows[row].number < view.state.step) row += 1;
    const next = rows[Math.min(Math.max(row + direction, 0), rows.length - 1)];
    go(next.number);
}

function go_to(direction, is_wanted) {
    const {steps} = page.trial;
    const at = view.state.step;
    const found =
        direction > 0
            ? steps.find((step) => step.number > at && is_wanted(step))
            : steps.findLast((step) => step.number < at && is_wanted(step));
    if (found) go(found.number);
}

function go_to_next_fault() {
    const is_fault = (step) => strikes.has(step.kind);
    const {steps} = page.trial;
    const next =
        steps.find((step) => step.number > view.state.step && is_fault(step)) ?? steps.find(is_fault);
    if (next) go(next.number);
}

function go_to_violation() {
    const promise = main_promise(page.trial.about);
    if (promise?.step) go(promise.step);
}

const is_about_focus = (step) => step.is_shown && page.trial.run_of(step) === view.state.focus;

const keys = [
    ["→", "ArrowRight", "next row of the timeline", () => go_by_row(1)],
    ["←", "ArrowLeft", "row before", () => go_by_row(-1)],
    ["Shift →", "Shift+ArrowRight", "next step, shown or not", () => go(view.state.step + 1)],
    ["Shift ←", "Shift+ArrowLeft", "step before, shown or not", () => go(view.state.step - 1)],
    ["n", "n", "next step of the message that is followed", () => go_to(1, is_about_focus)],
    ["p", "p", "step before of that message", () => go_to(-1, is_about_focus)],
    ["f", "f", "next fault", go_to_next_fault],
    ["v", "v", "the violation", go_to_violation],
    [
        "a",
        "a",
        "every step, or those that matter",
        () => view.change({detail: view.state.detail === "all" ? "" : "all"}),
    ],
    [
        "t",
        "t",
        "logical or virtual time",
        () => view.change({scale: view.state.scale === "virtual" ? "" : "virtual"}),
    ],
    ["d", "d", "light or dark", () => next_theme()],
    ["Esc", "Escape", "nothing chosen", () => view.change({filter: "", lane: "", only: ""})],
    ["?", "?", "this help", () => toggle_help()],
];

function on_key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const {target} = event;
    const is_typing =
        target instanceof HTMLTextAreaElement ||
        target instanceof HTMLSelectElement ||
        (target instanceof HTMLInputElement && target.type !== "range");
    if (is_typing) return;
    const name = (event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "") + event.key;
    const found = keys.find(([, key]) => key === name);
    if (!found || (by_id("help").open && found[1] !== "?")) return;
    event.preventDefault();
    found[3]();
}

function toggle_help() {
    const dialog = by_id("help");
    if (dialog.open) dialog.close();
    else dialog.showModal();
}

function show_help() {
    put(
        by_id("help"),
        el("h2", {}, "Keys"),
        el(
            "dl",
            {},
            ...keys.flatMap(([label, , meaning]) => [
                el("dt", {}, el("kbd", {}, label)),
                el("dd", {}, meaning),
            ]),
        ),
        el("h2", {}, "Signs"),
        el(
            "dl",
            {},
            ...Object.entries(sign_words).flatMap(([sign, meaning]) => [
                el("dt", {}, signs[sign]),
                el("dd", {}, meaning),
            ]),
            el("dt", {}, "→ ⇢"),
            el("dd", {}, "a request; an answer (dashed)"),
            el("dt", {}, "▮"),
            el("dd", {}, "work in progress; hatched where two work on one message at once"),
            el("dt", {}, "▨"),
            el("dd", {}, "a node that is down; with wide lines: the faults are over"),
            el("dt", {}, "◆"),
            el("dd", {}, "point of no return: after it no future that was tried keeps the promise"),
        ),
        el("form", {method: "dialog"}, el("button", {}, "close")),
    );
}

// ------------------------------------------------------------------ beginning

function on_change(state, changed) {
    const {trial, diagram} = page;
    if (changed.has("theme")) show_theme();
    if (changed.has("focus") || changed.has("lane")) {
        diagram.focus = state.focus;
        diagram.lane = state.lane;
        diagram.measure();
        if (page.comparison)
            for (const each of Object.values(page.comparison)) {
                each.focus = state.focus;
                each.ask_to_draw();
            }
    }
    if (["filter", "only", "detail", "focus"].some((key) => changed.has(key))) show_rows();
    if (changed.has("scale")) {
        diagram.set_scale(state.scale || "logical");
        show_rows();
    }
    if (changed.has("filter")) mark_ledger(state.filter);
    if (changed.has("focus")) show_hops(trial, state.focus, state.step);
    if (changed.has("step") || changed.has("detail") || changed.has("scale")) diagram.set_at(state.step);
    if (changed.has("step")) {
        move_scrubber(trial, state.step);
        mark_hops(state.step);
        for (const line of document.querySelectorAll("ol.why > li"))
            line.classList.toggle("now", Number(line.dataset.step) === state.step);
        show_tables(trial, state.step);
        put(
            by_id("tables_bar"),
            el("b", {}, "What the servers hold"),
            el("span", {class: "count"}, `after step ${state.step}`),
        );
        page.mark_raw();
    }
    if (changed.has("try")) show_tried(trial, state.try);
    diagram.ask_to_draw();
}

function begin() {
    const {about, steps} = JSON.parse(by_id("trace").textContent);
    const trial = (page.trial = view.trial = new Trial(about, steps));
    by_id("page").hidden = false;
    show_verdict(trial);
    show_ledger(trial);
    show_why(trial);
    show_prevented(trial);
    show_scrubber(trial);
    show_plan(trial);
    show_try(trial);
    show_paths(trial);
    show_help();
    page.diagram = new Diagram(by_id("diagram"), trial, {on_pick: go});
    show_raw(trial);
    for (const link of by_id("contents").children)
        link.addEventListener("click", go_to_part(new URLSearchParams(link.hash.slice(1)).get("part")));
    by_id("theme").addEventListener("click", next_theme);
    by_id("help_button").addEventListener("click", toggle_help);
    document.addEventListener("keydown", on_key);
    addEventListener("hashchange", () => view.change(view.read_address().changes));
    addEventListener("beforeprint", () => page.diagram.print(true));
    addEventListener("afterprint", () => page.diagram.print(false));
    const total = about.step_count ?? steps.length;
    by_id("foot").textContent =
        `${about.story}, seed ${about.seed} · redeliver ${about.build ?? ""} · trace version ${about.trace ?? ""}` +
        (steps.length < total ? ` · showing steps ${trial.first}–${trial.last} of ${grouped(total)}` : "");

    const promise = main_promise(about);
    const nearest = passing_neighbours(about)[0];
    const {changes, part} = view.read_address();
    view.observe(on_change);
    show_rows();
    show_theme();
    show_hops(trial, "", 0);
    show_tried(trial, "");
    view.change({
        step: promise?.step || trial.last,
        focus: /^run-/.test(promise?.subject ?? "") ? promise.subject : "",
        try: nearest?.title ?? "",
        ...changes,
    });
    page.diagram.reveal(view.state.step, true);
    if (part) by_id(part)?.scrollIntoView();
}

try {
    begin();
    by_id("static").remove();
} catch (error) {
    // What was made without a script is still there, and says what matters.
    by_id("page").hidden = true;
    throw error;
}

/** For tests, and for the curious at a console. */
window.redeliver = {
    tables: (step) => page.trial.tables(step),
    arrows: () => page.trial.arrows(),
    marks: () => page.trial.marks(),
    bars: () => page.trial.bars(),
    get at() {
        return view.state.step;
    },
    go,
};
