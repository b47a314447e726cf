// The answer: what broke, for which message, why, and what would have prevented it.

const outcome_words = {as_expected: "as expected", wrong: "FAIL", inconclusive: "inconclusive"};
const promise_words = {
    holds: "holds",
    violated: "broken",
    vacuous: "nothing to judge",
    inconclusive: "not shown",
};

function show_verdict(trial) {
    const {about} = trial;
    const promise = main_promise(about);
    const broken = (about.promises ?? []).filter((each) => each.verdict === "violated");
    const is_expected = about.outcome === "as_expected";
    const headline = promise
        ? [
              promise.subject ? run_link(promise.subject) : "",
              promise.subject ? " " : "",
              sentence(promise.evidence),
          ]
        : [
              is_expected
                  ? "Every promise that was judged holds"
                  : (about.complaints?.[0] ?? "Something is not as expected"),
          ];
    const others = broken.length - 1;
    const badge = el(
        "span",
        {class: `badge ${about.outcome}`},
        `${verdict_signs[about.outcome] ?? "?"} ${outcome_words[about.outcome] ?? about.outcome}`,
    );
    const facts = [
        ["story", about.story],
        ["seed", String(about.seed)],
        ["build", about.build],
        ["fingerprint", about.fingerprint],
    ].filter(([, value]) => value);
    const counts = [
        counted(about.step_count ?? trial.steps.length, "step"),
        `${moment(about.end_us ?? trial.end_us)} of virtual time`,
        `${counted((about.faults ?? []).filter((fault) => fault.fired).length, "fault")} struck`,
        about.ending ? `ended ${spaced(about.ending)}` : "",
        about.explanation?.shrunk ?? "",
    ]
        .filter(Boolean)
        .join(" · ");
    put(
        by_id("verdict"),
        el("div", {class: "headline"}, badge, el("h1", {}, ...headline)),
        promise
            ? el(
                  "p",
                  {class: "promise"},
                  "This breaks ",
                  el("b", {}, spaced(promise.name)),
                  ": ",
                  promise.sentence,
                  " ",
                  promise.expected === "breaks"
                      ? "The story expects it to. "
                      : promise.expected === "holds"
                        ? "It was to hold. "
                        : "The story leaves it open. ",
                  promise.step ? step_link(promise.step) : "",
                  promise.step ? ` at ${moment(promise.at_us)}` : "",
                  others > 0 ? `, and ${counted(others, "more promise")} below.` : ".",
              )
            : null,
        el("p", {class: "story"}, about.sentence),
        ...(about.complaints ?? []).map((complaint) => el("p", {class: "complaint"}, "✗ ", complaint)),
        el(
            "div",
            {class: "facts"},
            ...facts.map(([name, value]) => el("span", {}, el("i", {}, name), " ", value)),
            el("span", {class: "counts"}, counts),
        ),
        el("div", {class: "commands"}, ...(about.commands ?? []).map(command_line)),
    );
    document.title = `${promise ? "⚑" : verdict_signs[about.outcome]} ${about.story} ${about.seed} – redeliver`;
}

/** Evidence begins in the middle of a sentence. */
function sentence(text = "") {
    return with_arrows(text);
}

function show_ledger(trial) {
    const {totals = {}} = trial.about;
    const cell = ([name, meaning, , tone]) => {
        const value = totals[name] ?? 0;
        return el(
            "button",
            {
                type: "button",
                class: `total${value === 0 ? " zero" : tone === "bad" ? " bad" : ""}`,
                "data-total": name,
                title: `${meaning}: show them in the diagram`,
                "aria-pressed": "false",
                onclick: () => view.change({filter: view.state.filter === name ? "" : name}),
            },
            el("b", {}, grouped(value)),
            el("span", {}, tone === "bad" && value > 0 ? "⚑ " : "", spaced(name)),
        );
    };
    put(by_id("ledger"), ...ledger.filter(([name]) => name in totals).map(cell));
}

function mark_ledger(filter) {
    for (const cell of by_id("ledger").children) {
        cell.classList.toggle("chosen", cell.dataset.total === filter);
        cell.setAttribute("aria-pressed", String(cell.dataset.total === filter));
    }
}

function show_why(trial) {
    const promise = main_promise(trial.about);
    if (!promise?.why?.length) {
        put(by_id("why"), el("h2", {}, "What was promised"), promise_list(trial));
        return;
    }
    const lines = promise.why.map((line, index) => {
        const step = trial.step(line.step);
        const is_last = index === promise.why.length - 1;
        const sign = is_last ? "broken" : step?.mark || "none";
        return el(
            "li",
            {class: `is-${sign}`, "data-step": line.step, onclick: () => view.change({step: line.step})},
            step_link(line.step, String(line.step)),
            el("span", {class: "time"}, moment(line.at_us ?? step?.at_us ?? 0)),
            el("span", {class: "sign"}, signs[sign]),
            el("span", {}, capital(with_arrows(said(line.text, promise)))),
        );
    });
    put(by_id("why"), el("h2", {}, "Why"), el("ol", {class: "why"}, ...lines));
}

/** The last sentence repeats the promise, which stands above. */
const said = (text, promise) => text.replace(`, which breaks ${promise.name}: ${promise.sentence}`, ".");

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function promise_list(trial) {
    return el(
        "ul",
        {class: "promises"},
        ...(trial.about.promises ?? []).map((promise) =>
            el(
                "li",
                {class: promise.verdict},
                `${verdict_signs[promise.verdict] ?? "?"} `,
                el("b", {}, spaced(promise.name)),
                ` ${promise_words[promise.verdict] ?? promise.verdict}`,
            ),
        ),
    );
}

/** The neighbours that keep the promise, nearest first. */
function passing_neighbours(about) {
    const promise = main_promise(about);
    if (!promise) return [];
    const named = about.explanation?.passing ?? [];
    const keeps = (about.neighbours ?? []).filter((each) => each.verdicts?.[promise.name] === "holds");
    const rank = (each) => (named.indexOf(each.title) + named.length + 1) % (named.length + 1);
    return keeps
        .filter((each) => named.length === 0 || named.includes(each.title) || !each.path)
        .sort((a, b) => Boolean(a.path) - Boolean(b.path) || rank(a) - rank(b));
}

function show_prevented(trial) {
    const {about} = trial;
    const promise = main_promise(about);
    const panel = by_id("prevented");
    if (!promise) {
        const reached = (about.reached ?? []).filter((path) => path.count > 0);
        put(
            panel,
            el("h2", {}, "Was it tested at all?"),
            el(
                "p",
                {},
                `${counted(reached.length, "rare path")} of ${(about.reached ?? []).length} were reached; `,
                el("a", {href: "#part=paths", onclick: go_to_part("paths")}, "all of them"),
                ".",
            ),
            el(
                "ul",
                {class: "remedies"},
                ...reached
                    .slice(0, 8)
                    .map((path) => remedy("✓", [`${path.sentence} (${grouped(path.count)})`])),
            ),
        );
        return;
    }
    const lines = [];
    for (const fault of (about.faults ?? []).filter((each) => each.need === "needed"))
        lines.push(
            remedy(
                "✓",
                [el("b", {}, `Without fault ${fault.number}`), ` it holds: ${fault.text}`],
                `without fault ${fault.number}`,
            ),
        );
    const unneeded = (about.faults ?? []).filter((each) => each.need === "not_needed").length;
    if (unneeded > 0)
        lines.push(
            remedy("–", [
                unneeded === about.faults.length
                    ? `No single fault is to blame: it breaks without any one of the ${unneeded}.`
                    : `${counted(unneeded, "fault")} of the plan ${unneeded === 1 ? "is" : "are"} not needed.`,
            ]),
        );
    if ((about.faults ?? []).length === 0)
        lines.push(remedy("–", ["No fault is needed: it breaks by itself."]));
    const passing = passing_neighbours(about).filter((each) => each.path);
    for (const each of passing.slice(0, 5))
        lines.push(
            remedy("✓", [el("b", {}, `${each.path} = ${each.value}`), ` keeps it${cost_of(about, each)}`], each.title),
        );
    if (passing.length > 5)
        lines.push(
            remedy("✓", [
                el(
                    "a",
                    {href: "#part=try", onclick: go_to_part("try")},
                    `${passing.length - 5} more changes`,
                ),
                " keep it",
            ]),
        );
    if (passing.length === 0 && about.neighbours?.length)
        lines.push(remedy("–", ["No single change of a value that was tried keeps it."]));
    const {chance} = about.explanation ?? {};
    if (chance?.after)
        lines.push(
            remedy(
                "◆",
                [
                    el("b", {}, "Last chance "),
                    "after ",
                    step_link(chance.after),
                    `: ${chance.keeping ?? 0} of ${counted(chance.futures ?? 0, "other future")} from there keep it, none from later.`,
                ],
                "",
                chance.command,
            ),
        );
    else if (chance)
        lines.push(
            remedy("◆", [
                "No last chance: from the first step on it breaks in each of ",
                `${counted(chance.futures ?? 0, "future")} that were tried.`,
            ]),
        );
    put(panel, el("h2", {}, "What would have prevented it"), el("ul", {class: "remedies"}, ...lines));
}

/** What a change breaks that held without it. */
function cost_of(about, neighbour) {
    const broken = (about.promises ?? [])
        .filter(({name, verdict}) => verdict === "holds" && neighbour.verdicts[name] === "violated")
        .map(({name}) => name.replaceAll("_", " "));
    return broken.length === 0 ? "" : `; but then it breaks ${broken.join(", ")}`;
}

function remedy(sign, text, title = "", command = "") {
    return el(
        "li",
        {},
        el("span", {class: "sign"}, sign),
        el("span", {}, ...text),
        title
            ? el(
                  "button",
                  {
                      type: "button",
                      class: "see",
                      title: "Show that trial beside this one",
                      onclick: () => {
                          view.change({try: title});
                          go_to_part("try")();
                      },
                  },
                  "compare",
              )
            : command
              ? copy_button(command, "command")
              : null,
    );
}

const go_to_part = (part) => (event) => {
    event?.preventDefault();
    by_id(part)?.scrollIntoView({block: "start"});
};
