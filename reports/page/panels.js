// Below the workbench: the plan, other trials beside this one, rare paths, raw steps.

// ------------------------------------------------------------------ the plan of faults

const need_words = {
    needed: "✓ needed: without it the promise holds",
    not_needed: "– not needed",
    "": "not tried",
};

function show_plan(trial) {
    const faults = trial.about.faults ?? [];
    const fired = new Map(trial.steps.filter((step) => step.fault).map((step) => [step.fault, step]));
    const rows = faults.map((fault) => {
        const step = fired.get(fault.number);
        return el(
            "tr",
            {class: fault.need || "untried"},
            el("td", {class: "right"}, String(fault.number)),
            el("td", {}, fault.text),
            el("td", {}, fault.fired ? "✂ struck" : "never struck"),
            el("td", {}, step ? step_link(step.number) : ""),
            el("td", {class: "right"}, step ? moment(step.at_us) : ""),
            el("td", {}, step?.actor ?? ""),
            el("td", {}, need_words[fault.need ?? ""] ?? fault.need),
            el("td", {}, fault.command ? copy_button(fault.command, "copy command") : ""),
        );
    });
    put(
        by_id("plan"),
        el("h2", {}, "Fault plan"),
        faults.length === 0
            ? el("p", {class: "empty"}, "Nothing was broken on purpose.")
            : el(
                  "div",
                  {class: "wide_table"},
                  el(
                      "table",
                      {class: "plain"},
                      el(
                          "thead",
                          {},
                          el(
                              "tr",
                              {},
                              ...["#", "what and when", "struck", "step", "time", "whom", "needed", ""].map(
                                  (head) => el("th", {}, head),
                              ),
                          ),
                      ),
                      el("tbody", {}, ...rows),
                  ),
              ),
    );
}

// ------------------------------------------------------------------ one thing changed

function show_try(trial) {
    const neighbours = trial.about.neighbours ?? [];
    if (neighbours.length === 0) {
        put(by_id("try"), el("h2", {}, "Try it"), el("p", {class: "empty"}, "No neighbours were run."));
        return;
    }
    const knobs = new Map();
    for (const each of neighbours) knobs.set(each.path ?? "", [...(knobs.get(each.path ?? "") ?? []), each]);
    const values = new Map((trial.about.knobs ?? []).map((knob) => [knob.path, knob.value]));
    const promise = main_promise(trial.about);
    const keeps = (each) => promise && each.verdicts?.[promise.name] === "holds";
    const option = (each, text) =>
        el(
            "option",
            {value: each.title},
            `${text}${keeps(each) ? "  ✓ keeps it" : each.outcome !== trial.about.outcome ? "  ≠" : ""}`,
        );
    const knob = ([path, each]) => {
        const select = el(
            "select",
            {"data-path": path, "aria-label": path || "faults"},
            el("option", {value: ""}, path ? (values.get(path) ?? "as it was") : "all faults"),
            ...each.map((one) => option(one, path ? one.value : one.title)),
        );
        select.addEventListener("change", () => view.change({try: select.value}));
        const [group, name] = path ? path.split(".") : ["", "leave out a fault"];
        return el(
            "label",
            {class: "knob"},
            el(
                "span",
                {},
                group ? el("i", {}, group + ".") : "",
                name ?? path,
                each.some(keeps) ? el("b", {title: "One of its values keeps the promise"}, " ✓") : "",
            ),
            select,
        );
    };
    put(
        by_id("try"),
        el("h2", {}, "Try it: one thing changed"),
        el(
            "p",
            {class: "lead"},
            `Each of these ${neighbours.length} trials was really run: the same story, seed and faults with one value set otherwise, or one fault left out.`,
        ),
        el(
            "div",
            {class: "try_grid"},
            el("div", {class: "knobs"}, ...[...knobs].map(knob)),
            el(
                "div",
                {},
                el("div", {id: "tried", class: "tried"}),
                el("div", {id: "compare", class: "compare"}),
            ),
        ),
    );
}

function show_tried(trial, title) {
    for (const select of document.querySelectorAll(".knobs select")) {
        select.value = [...select.options].some((option) => option.value === title) ? title : "";
        select.parentElement.classList.toggle("turned", select.value !== "");
    }
    const neighbour = (trial.about.neighbours ?? []).find((each) => each.title === title);
    if (!by_id("tried")) return;
    show_tried_verdict(trial, neighbour);
    show_compare(trial, neighbour);
}

function show_tried_verdict(trial, neighbour) {
    const {about} = trial;
    if (!neighbour) {
        put(
            by_id("tried"),
            el(
                "p",
                {class: "empty"},
                "Turn a knob: the verdict, the ledger and the timeline of that trial appear here, next to this one.",
            ),
        );
        return;
    }
    const promise = main_promise(about);
    const verdict = promise ? neighbour.verdicts?.[promise.name] : undefined;
    const changed = (about.promises ?? []).filter(
        (each) => (neighbour.verdicts?.[each.name] ?? each.verdict) !== each.verdict,
    );
    const totals = ledger
        .map(([name, meaning, , tone]) => ({
            name,
            meaning,
            tone,
            was: about.totals?.[name] ?? 0,
            is: neighbour.totals?.[name] ?? 0,
        }))
        .filter(({was, is}) => was || is);
    put(
        by_id("tried"),
        el(
            "div",
            {class: "headline"},
            el(
                "span",
                {class: `badge verdict-${verdict ?? "none"}`},
                promise
                    ? `${verdict_signs[verdict] ?? "?"} ${spaced(promise.name)} ${promise_words[verdict] ?? "was not judged"}`
                    : `${verdict_signs[neighbour.outcome] ?? "?"} ${outcome_words[neighbour.outcome] ?? neighbour.outcome}`,
            ),
            el("h3", {}, neighbour.title),
        ),
        el(
            "p",
            {class: "changes"},
            "As a whole it would be judged ",
            el("b", {}, outcome_words[neighbour.outcome] ?? neighbour.outcome),
            neighbour.outcome === about.outcome
                ? ", as this one is."
                : verdict === "holds" && promise?.expected === "breaks"
                  ? ", for the story expects the promise to break."
                  : ".",
        ),
        changed.length === 0
            ? el("p", {class: "changes"}, "Every promise fares as before.")
            : el(
                  "ul",
                  {class: "promises"},
                  ...changed.map((each) =>
                      el(
                          "li",
                          {class: neighbour.verdicts[each.name]},
                          el("b", {}, spaced(each.name)),
                          `: ${verdict_signs[each.verdict]} ${promise_words[each.verdict]} → `,
                          el(
                              "b",
                              {},
                              `${verdict_signs[neighbour.verdicts[each.name]] ?? "?"} ${promise_words[neighbour.verdicts[each.name]] ?? neighbour.verdicts[each.name]}`,
                          ),
                      ),
                  ),
              ),
        el(
            "div",
            {class: "ledger small"},
            ...totals.map(({name, meaning, tone, was, is}) =>
                el(
                    "span",
                    {
                        class: `total${was !== is ? " differs" : ""}${tone === "bad" && is > 0 ? " bad" : ""}`,
                        title: meaning,
                    },
                    el(
                        "b",
                        {},
                        was !== is ? el("del", {}, grouped(was)) : "",
                        was !== is ? " " : "",
                        grouped(is),
                    ),
                    el("span", {}, spaced(name)),
                ),
            ),
        ),
        neighbour.command ? command_line(neighbour.command) : null,
    );
}

/** A neighbour as a trial of its own: the steps that a timeline shows, without tables. */
function trial_of(trial, neighbour) {
    const {about} = trial;
    const named = new Set(about.nodes.map((node) => node.name));
    const extra = [
        ...new Set(
            (neighbour.shown ?? []).map((step) => step.actor).filter((name) => name && !named.has(name)),
        ),
    ].map((name) => ({name, role: name.replace(/-\d+$/, "")}));
    return new Trial({nodes: [...about.nodes, ...extra], promises: [], tables: []}, neighbour.shown ?? []);
}

function show_compare(trial, neighbour) {
    page.comparison = undefined;
    if (!neighbour?.shown?.length) {
        put(
            by_id("compare"),
            neighbour
                ? el(
                      "p",
                      {class: "empty"},
                      "Of this neighbour only the verdict and the totals were kept; the command shows its steps.",
                  )
                : "",
        );
        return;
    }
    const other = trial_of(trial, neighbour);
    const here = el("div", {class: "diagram"}),
        there = el("div", {class: "diagram"});
    const shown = rows_of(trial, {detail: "", filter: "", only: "", focus: ""});
    const number = neighbour.first_difference ?? 0;
    const differs_here = number ? first_difference(shown, number) : 0;
    const differs_there = number ? first_difference(other.steps, number) : 0;
    put(
        by_id("compare"),
        el(
            "div",
            {class: "bench"},
            el(
                "div",
                {class: "bar"},
                el("b", {}, "This trial"),
                el("span", {}, counted(trial.about.step_count ?? trial.steps.length, "step")),
            ),
            here,
        ),
        el(
            "div",
            {class: "bench"},
            el(
                "div",
                {class: "bar"},
                el("b", {}, neighbour.title),
                el(
                    "span",
                    {},
                    counted(neighbour.steps ?? 0, "step"),
                    number ? `, differs from step ${number} on` : ", nothing differs",
                ),
            ),
            there,
        ),
    );
    const left = new Diagram(here, trial, {
        is_compact: true,
        label: "This trial",
        on_pick: (step) => view.change({step}),
    });
    left.set_rows(shown);
    const right = new Diagram(there, other, {is_compact: true, label: neighbour.title});
    page.comparison = {left, right};
    for (const [diagram, step] of [
        [left, differs_here],
        [right, differs_there],
    ]) {
        diagram.difference = step;
        diagram.focus = view.state.focus;
        requestAnimationFrame(() => {
            diagram.measure();
            if (step) diagram.reveal(step, true);
            diagram.ask_to_draw();
        });
    }
}

// ------------------------------------------------------------------ paths

function show_paths(trial) {
    const paths = trial.about.reached ?? [];
    const item = (path) =>
        el(
            "li",
            {title: path.name},
            el("b", {}, path.count ? grouped(path.count) : "–"),
            el("span", {}, path.sentence),
        );
    const reached = paths.filter((path) => path.count > 0).sort((a, b) => b.count - a.count);
    const never = paths.filter((path) => !path.count);
    put(
        by_id("paths"),
        el("h2", {}, "Rare paths"),
        el("h3", {}, `✓ ${reached.length} reached`),
        el("ul", {class: "paths reached"}, ...reached.map(item)),
        el(
            "details",
            {},
            el("summary", {}, `– ${never.length} never reached in this trial`),
            el("ul", {class: "paths"}, ...never.map(item)),
        ),
    );
}

// ------------------------------------------------------------------ raw

const raw_height = 20;

function show_raw(trial) {
    const input = el("input", {
        type: "search",
        placeholder: "filter: run-2, Claimed, worker-1 …",
        id: "raw_filter",
        "aria-label": "Filter of raw steps",
    });
    const count = el("span", {class: "count"});
    const canvas = el("div", {class: "canvas"});
    const scroller = el(
        "div",
        {class: "raw_scroller", tabindex: "0", role: "region", "aria-label": "Raw steps"},
        canvas,
    );
    let chosen = trial.steps;
    const texts = new Map();
    const text_of = (step) => {
        if (!texts.has(step)) texts.set(step, JSON.stringify(step));
        return texts.get(step);
    };
    const draw = () => {
        const first = Math.max(0, Math.floor(scroller.scrollTop / raw_height) - 8);
        const last = Math.min(
            chosen.length,
            Math.ceil((scroller.scrollTop + scroller.clientHeight) / raw_height) + 8,
        );
        const lines = [];
        for (let i = first; i < last; ++i) {
            const step = chosen[i];
            lines.push(
                el(
                    "div",
                    {
                        class: "raw_line",
                        "data-step": step.number,
                        style: `top:${i * raw_height}px`,
                        title: "Go to this step",
                        onclick: () => view.change({step: step.number}),
                    },
                    text_of(step).slice(0, 600),
                ),
            );
        }
        put(canvas, ...lines);
        mark();
    };
    const mark = () => {
        for (const line of canvas.children)
            line.classList.toggle("now", Number(line.dataset.step) === view.state.step);
    };
    const apply = () => {
        const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
        chosen =
            words.length === 0
                ? trial.steps
                : trial.steps.filter((step) => {
                      const text = text_of(step).toLowerCase();
                      return words.every((word) => text.includes(word));
                  });
        count.textContent = `${grouped(chosen.length)} of ${counted(trial.steps.length, "step")}`;
        canvas.style.height = `${chosen.length * raw_height}px`;
        scroller.scrollTop = 0;
        draw();
    };
    input.addEventListener("input", apply);
    scroller.addEventListener("scroll", () => requestAnimationFrame(draw), {passive: true});
    new ResizeObserver(draw).observe(scroller);
    put(
        by_id("raw"),
        el("h2", {}, "Raw steps"),
        el(
            "div",
            {class: "bar"},
            input,
            count,
            copy_button(() => chosen.map(text_of).join("\n"), "copy these lines"),
            trial.about.commands?.length ? copy_button(trial.about.commands[0], "copy command") : null,
        ),
        scroller,
    );
    apply();
    page.mark_raw = mark;
}
