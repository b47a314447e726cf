// What a trace says, worked out: pure functions of the data, without a document in sight.

/** What a step does inside a server has its client as the actor; these say which server it was. */
const inside = {
    broker: new Set([
        "Added",
        "Delivered",
        "Reread",
        "Claimed",
        "Acknowledged",
        "EntryRemoved",
        "PendingDropped",
        "DeadLettered",
        "ConsumerDeleted",
        "BrokerForgot",
    ]),
    database: new Set([
        "Accepted",
        "SubmissionAbsorbed",
        "StatusChanged",
        "ReplyStored",
        "ReplyAbsorbed",
        "RolledBack",
        "DatabaseForgot",
        "StatementFailed",
    ]),
};
const gives_entries = new Set(["Delivered", "Reread", "Claimed"]);
const strikes = new Set([
    "Crashed",
    "Paused",
    "Partitioned",
    "ConnectionReset",
    "ClockStepped",
    "FailedOver",
    "Slowed",
    "Disturbed",
    "Dropped",
]);

/** Lanes from left to right: the way a message takes. */
const role_ranks = ["user", "gateway", "relay", "republisher", "broker", "pruner", "worker", "database"];
const most_lanes = 16;

/** One trial, or a neighbour of it: a head and steps in order. */
class Trial {
    constructor(about, steps) {
        this.about = about;
        this.steps = steps;
        this.indices = new Map(steps.map((step, index) => [step.number, index]));
        this.lanes = lanes_of(about.nodes ?? []);
        this.lane_of = new Map();
        this.lanes.forEach((lane, index) => lane.names.forEach((name) => this.lane_of.set(name, index)));
        this.end_us = steps.length ? steps[steps.length - 1].at_us : 0;
        this.breaches = breaches_of(about);
        this.timeline = new TableHistory(about, steps);
    }

    get first() {
        return this.steps.length ? this.steps[0].number : 0;
    }
    get last() {
        return this.steps.length ? this.steps[this.steps.length - 1].number : 0;
    }

    step(number) {
        return this.steps[this.indices.get(number)];
    }

    /** The index of the last step that is not after `number`, or -1. */
    index_until(number) {
        const exact = this.indices.get(number);
        if (exact !== undefined) return exact;
        let low = 0,
            high = this.steps.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.steps[middle].number <= number) low = middle + 1;
            else high = middle;
        }
        return low - 1;
    }

    tables(number) {
        return this.timeline.compared(this.index_until(number));
    }

    /** Where a step happens: the lane of the server, not that of the client it works for. */
    place(step) {
        for (const role of ["broker", "database"]) {
            if (!inside[role].has(step.kind)) continue;
            const server = this.about.nodes.find((node) => node.role === role);
            if (server) return server.name;
        }
        return step.actor || "";
    }

    run_of(step) {
        return step.about || (/^run-/.test(step.subject ?? "") ? step.subject : "");
    }

    sign(step) {
        if (this.breaches.has(step.number)) return "broken";
        return step.mark || "none";
    }

    arrows() {
        return (this.arrows_ ??= arrows_of(this));
    }
    bars() {
        return (this.bars_ ??= bars_of(this));
    }
    spells() {
        return (this.spells_ ??= spells_of(this));
    }

    /** What is drawn as a sign: crashes, pauses, claims, losses, the violation. */
    marks() {
        return (this.marks_ ??= this.steps
            .filter((step) => this.sign(step) !== "none")
            .map((step) => ({step: step.number, sign: this.sign(step), lane: this.place(step)})));
    }

    /** Requests that bring nothing, between two steps. */
    idle_polls_between(from, to) {
        this.polls_ ??= this.arrows()
            .filter((arrow) => arrow.is_poll && arrow.kind === "request")
            .map((arrow) => arrow.start)
            .sort((a, b) => a - b);
        return count_until(this.polls_, to) - count_until(this.polls_, from);
    }
}

function count_until(sorted, number) {
    let low = 0,
        high = sorted.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (sorted[middle] <= number) low = middle + 1;
        else high = middle;
    }
    return low;
}

function lanes_of(nodes) {
    const rank = ({role}) => (role_ranks.includes(role) ? role_ranks.indexOf(role) : role_ranks.length);
    const sorted = nodes
        .map((node, place) => ({node, place}))
        .sort((a, b) => rank(a.node) - rank(b.node) || a.place - b.place)
        .map(({node}) => node);
    const users = sorted.filter((node) => node.role === "user");
    if (sorted.length <= most_lanes || users.length < 2)
        return sorted.map(({name, role}) => ({title: name, role, names: [name]}));
    return [
        {title: "users", role: "user", names: users.map((node) => node.name)},
        ...sorted
            .filter((node) => node.role !== "user")
            .map(({name, role}) => ({title: name, role, names: [name]})),
    ];
}

/** The promises that broke, by the step at which they did. */
function breaches_of(about) {
    const found = new Map();
    for (const promise of about.promises ?? []) {
        if (promise.verdict !== "violated" || !promise.step) continue;
        found.set(promise.step, [...(found.get(promise.step) ?? []), promise.name]);
    }
    return found;
}

/** The promise that the page is about: the one that was explained, else the first that broke. */
function main_promise(about) {
    const broken = (about.promises ?? []).filter((promise) => promise.verdict === "violated");
    const unexpected = broken.filter((promise) => promise.expected === "holds");
    return (
        broken.find((promise) => promise.name === about.explanation?.promise) ??
        unexpected[0] ??
        broken.find((promise) => promise.expected === "breaks") ??
        broken[0]
    );
}

// ------------------------------------------------------------------ messages

/**
 * Requests from the client that sends them to the server, answers back, claims from owner to owner.
 * `start` and `end` are steps; an `end` of 0 is an arrival that nothing tells of.
 */
function arrows_of(trial) {
    const arrows = [];
    const requests = new Map(); // By their Sent.
    const answers = new Map(); // By their Replied.
    const open = new Map(); // Requests without a known arrival, by client, server and verb.
    const arrow = (kind, step, from, to) => {
        const result = {
            kind,
            from,
            to,
            start: step.number,
            end: 0,
            what: step.what ?? "",
            run: trial.run_of(step),
            is_lost: false,
            is_poll: false,
            is_shown: Boolean(step.is_shown),
        };
        arrows.push(result);
        return result;
    };
    const has_plumbing = trial.steps.some((step) => step.kind === "Sent");
    const channel = (client, server, what) => `${client}|${server}|${what}`;
    const origin = (step) => {
        let each = step;
        for (let hops = 0; hops < 12 && each; ++hops) {
            each = trial.step(each.cause);
            if (each && (each.kind === "Sent" || each.kind === "Replied")) return each;
            if (!each || each.kind === "Arrived" || each.kind === "Decided") return undefined;
        }
        return undefined;
    };
    for (const step of trial.steps) {
        if (step.kind === "Sent") {
            const request = arrow("request", step, step.actor, step.peer);
            request.is_poll = !request.run && trial.step(step.cause)?.kind !== "Submitted";
            requests.set(step.number, request);
            const key = channel(step.actor, step.peer, step.what);
            if (!open.has(key)) open.set(key, []);
            open.get(key).push(request);
            continue;
        }
        const source = origin(step);
        if (step.kind === "Dropped") {
            const message =
                requests.get(source?.number) ??
                answers.get(source?.number) ??
                arrow("request", step, step.actor, step.peer);
            Object.assign(message, {is_lost: true, end: step.number, is_shown: true});
            if (message.kind === "request") [message.from, message.to] = [step.actor, step.peer];
            continue;
        }
        if (step.kind === "AnsweredNobody") {
            Object.assign(arrow("answer", step, step.actor, step.peer), {
                is_lost: true,
                end: step.number,
                is_poll: !trial.run_of(step),
            });
            continue;
        }
        if (step.kind === "Refused") {
            Object.assign(arrow("refused", step, step.actor, step.peer), {
                is_lost: true,
                end: step.number,
                is_poll: !step.is_shown,
            });
            continue;
        }
        if (step.kind === "Arrived") {
            const answer = answers.get(step.cause);
            if (answer) answer.end = step.number;
            continue;
        }
        const request = requests.get(source?.number);
        const is_at_server = request && (step.actor === request.to || trial.place(step) === request.to);
        if (request && !request.end && is_at_server) {
            request.end = step.number;
            if (step.is_shown) request.is_shown = true;
            if (trial.run_of(step)) request.is_poll = false;
        }
        if (gives_entries.has(step.kind)) {
            const asked = open.get(channel(step.actor, trial.place(step), step.what))?.at(-1);
            if (asked) Object.assign(asked, {is_poll: false});
        }
        if (step.kind === "Replied") {
            const answer = arrow("answer", step, step.actor, step.peer);
            const effect = trial.step(step.cause);
            answer.is_shown = Boolean(effect && gives_entries.has(effect.kind) && effect.is_shown);
            if (answer.is_shown) answer.run = trial.run_of(effect);
            answer.is_poll = !answer.run && !answer.is_shown;
            answers.set(step.number, answer);
            const asked = open.get(channel(step.peer, step.actor, step.what))?.shift();
            if (asked && !asked.end) asked.answered = step.number;
        }
        if (step.kind === "Claimed" && step.delivery?.from && step.delivery.from !== step.actor)
            Object.assign(arrow("claim", step, step.delivery.from, step.actor), {
                end: step.number,
                is_shown: true,
            });
        if (!has_plumbing && step.is_shown && step.actor && trial.place(step) !== step.actor) {
            // A neighbour keeps no plumbing: what a client had a server do is an arrow of one step.
            const single = gives_entries.has(step.kind)
                ? arrow("answer", step, trial.place(step), step.actor)
                : arrow("request", step, step.actor, trial.place(step));
            single.end = step.number;
        }
    }
    for (const step of trial.steps) {
        // What a user is told.
        if (step.kind !== "Answered") continue;
        const arrival = trial.step(step.cause);
        const answer = arrival?.kind === "Arrived" ? answers.get(arrival.cause) : undefined;
        if (answer) answer.is_shown = true;
    }
    for (const request of requests.values())
        if (trial.step(trial.step(request.start)?.cause)?.kind === "Submitted") request.is_shown = true;
    return arrows;
}

// ------------------------------------------------------------------ work and outages

/** Work in progress on a lane: from its start until it ends, or its worker does. */
function bars_of(trial) {
    const bars = [];
    const open = new Map();
    const key = (step) => `${step.actor}|${step.subject}|${step.execution ?? 0}`;
    for (const step of trial.steps) {
        if (step.kind === "WorkStarted") {
            const bar = {
                lane: step.actor,
                run: trial.run_of(step),
                execution: step.execution ?? 0,
                start: step.number,
                end: 0,
                outcome: "unfinished",
            };
            bars.push(bar);
            open.set(key(step), bar);
        } else if (step.kind === "WorkFinished") {
            const bar = open.get(key(step));
            if (!bar) continue;
            bar.end = step.number;
            bar.outcome = step.how?.includes("succeeded") ? "succeeded" : "failed";
            open.delete(key(step));
        } else if (step.kind === "Crashed") {
            for (const [name, bar] of open) {
                if (bar.lane !== step.actor) continue;
                bar.end = step.number;
                bar.outcome = "cut short";
                open.delete(name);
            }
        }
    }
    const last = trial.last;
    const by_run = new Map();
    for (const bar of bars) by_run.set(bar.run, [...(by_run.get(bar.run) ?? []), bar]);
    for (const bar of bars) {
        bar.overlaps = by_run
            .get(bar.run)
            .some(
                (other) =>
                    other !== bar && other.start < (bar.end || last) && bar.start < (other.end || last),
            );
    }
    return bars;
}

/** Stretches in which a node is down or paused, or cannot reach another. */
function spells_of(trial) {
    const spells = [];
    const open = new Map();
    const begin = (kind, step) => {
        const spell = {
            kind,
            lane: step.actor,
            peer: step.peer ?? "",
            start: step.number,
            end: 0,
            incarnation: step.incarnation ?? 0,
        };
        spells.push(spell);
        open.set(`${kind}|${step.actor}|${spell.peer}`, spell);
    };
    const finish = (kind, step, peer = "") => {
        const spell = open.get(`${kind}|${step.actor}|${peer}`);
        if (spell) Object.assign(spell, {end: step.number, incarnation: step.incarnation ?? 0});
        open.delete(`${kind}|${step.actor}|${peer}`);
    };
    for (const step of trial.steps) {
        if (step.kind === "Crashed") (begin("down", step), finish("paused", step));
        if (step.kind === "Restarted") finish("down", step);
        if (step.kind === "Paused") begin("paused", step);
        if (step.kind === "Resumed") finish("paused", step);
        if (step.kind === "Partitioned") begin("partition", step);
        if (step.kind === "PartitionHealed") finish("partition", step, step.peer ?? "");
    }
    return spells;
}

// ------------------------------------------------------------------ tables

const uncounted = new Set(["idle", "seen at"]);
const steps_between_checkpoints = 200;

/** The tables as they are after each step. */
class TableHistory {
    constructor(about, steps) {
        this.about = about;
        this.steps = steps;
        this.clocks = clocks_of(about);
        this.checkpoints = [apply_changes([], about.tables ?? [])];
        let tables = this.checkpoints[0];
        steps.forEach((step, index) => {
            if (step.tables) tables = apply_changes(tables, step.tables);
            if ((index + 1) % steps_between_checkpoints === 0) this.checkpoints.push(tables);
        });
        this.has_tables = this.checkpoints[0].length > 0 || steps.some((step) => step.tables);
    }

    /** After the first `count` steps. */
    after(count) {
        if (this.known_?.count === count) return this.known_.tables;
        const checkpoint = Math.floor(count / steps_between_checkpoints);
        let tables = this.checkpoints[checkpoint];
        for (let i = checkpoint * steps_between_checkpoints; i < count; ++i)
            if (this.steps[i].tables) tables = apply_changes(tables, this.steps[i].tables);
        this.known_ = {count, tables};
        return tables;
    }

    /**
     * After the step at `index`, in the form of `replay --at --json`. Marked is what the last
     * request did that a server dealt with: several steps where it had several effects.
     */
    compared(index) {
        const begin = index < 0 ? 0 : this.dealt_with(index);
        const before = this.after(begin);
        const after = this.after(index + 1);
        const now = this.broker_millis(index);
        const earlier = this.broker_millis(begin - 1);
        const of_title = (tables, title) => tables.find((table) => table.title === title);
        const result = after.map((table) =>
            compared_table(of_title(before, table.title) ?? {...table, rows: []}, table, earlier, now),
        );
        for (const table of before)
            if (!of_title(after, table.title))
                result.push(compared_table(table, {...table, rows: []}, earlier, now));
        return result;
    }

    /** What the broker's clock shows after the step at `index`: milliseconds since the trial began. */
    broker_millis(index) {
        const at_us = index < 0 ? 0 : this.steps[index].at_us;
        const {ahead_us = 0, gains_ppm = 0} = this.clocks.findLast((clock) => clock.index <= index) ?? {};
        return Math.floor((at_us + ahead_us + Math.floor((at_us * gains_ppm) / 1_000_000)) / 1000);
    }

    /** The index of the first step of the last thing that a server did up to the step at `index`. */
    dealt_with(index) {
        this.begins_ ??= begins_of(this.about, this.steps);
        return this.begins_[index];
    }
}

function begins_of(about, steps) {
    const servers = new Set(
        (about.nodes ?? [])
            .filter((node) => node.role === "broker" || node.role === "database")
            .map((node) => node.name),
    );
    const is_inside = (step) =>
        (step.kind === "Replied" && servers.has(step.actor)) ||
        inside.broker.has(step.kind) ||
        inside.database.has(step.kind);
    const begins = new Int32Array(steps.length);
    let begin = 0;
    steps.forEach((step, index) => {
        const previous = steps[index - 1];
        const goes_on = previous && is_inside(previous) && previous.at_us === step.at_us && !step.tables;
        if (step.tables || (is_inside(step) && !goes_on)) begin = index;
        begins[index] = begin;
    });
    return begins;
}

/** New tables; what did not change is shared with the old ones. */
function apply_changes(tables, changes) {
    const result = [...tables];
    for (const change of changes) {
        let at = result.findIndex((table) => table.title === change.title);
        if (change.kind === "drop") {
            result.splice(at, 1);
            continue;
        }
        if (change.kind === "create") {
            at = change.place ?? 0;
            result.splice(at, 0, {title: change.title, columns: change.columns, rows: []});
        }
        if (!change.rows) continue;
        const rows = [...result[at].rows];
        for (const {kind, row = 0, cells} of change.rows) {
            if (kind === "erase") rows.splice(row, 1);
            else rows.splice(row, kind === "replace" ? 1 : 0, cells);
        }
        result[at] = {...result[at], rows};
    }
    return result;
}

/** How the broker's clock goes, each with the index of the step from which on it goes so. */
const clocks_of = (about) =>
    (about.broker_clock ?? []).map((clock) => ({...clock, index: clock.from - 1}));

function compared_table(before, after, earlier, now) {
    const {title, columns} = after;
    const has_idle = title.startsWith("pending list of ");
    const texts = (cells, millis) =>
        Object.fromEntries(
            columns.map((column, i) => [
                column,
                has_idle && column === "idle" ? length((millis - Number(cells[i])) * 1000) : cells[i],
            ]),
        );
    const keys_before = new Map(before.rows.map((row, i) => [row[0], i]));
    const keys_after = new Set(after.rows.map((row) => row[0]));
    const rows = [];
    let old = 0;
    const take_removed = (until) => {
        for (; old < until; ++old)
            if (!keys_after.has(before.rows[old][0]))
                rows.push({change: "removed", values: texts(before.rows[old], earlier)});
    };
    for (const row of after.rows) {
        const place = keys_before.get(row[0]);
        if (place === undefined) {
            rows.push({change: "added", values: texts(row, now)});
            continue;
        }
        take_removed(Math.max(old, place));
        const was = before.rows[place];
        const differ =
            was === row
                ? []
                : columns
                      .map((column, i) => [column, i])
                      .filter(([column, i]) => !uncounted.has(column) && was[i] !== row[i]);
        rows.push(
            differ.length === 0
                ? {change: "same", values: texts(row, now)}
                : {
                      change: "changed",
                      values: texts(row, now),
                      was: Object.fromEntries(differ.map(([column, i]) => [column, was[i]])),
                  },
        );
    }
    take_removed(before.rows.length);
    return {title, columns, rows};
}

// ------------------------------------------------------------------ the ledger

const of_kind = (...kinds) => ({step: (step) => kinds.includes(step.kind)});
const of_runs = (chosen) => ({run: chosen});
const count_of = (run, name) => run.counts?.[name] ?? 0;

/** What each total is about: single steps, or all that befell certain runs. In order of reading. */
const ledger = [
    ["attempted", "submissions, retries included", of_kind("Submitted")],
    ["accepted", "runs whose row was committed", of_kind("Accepted")],
    [
        "told",
        "runs whose id a user was told",
        {step: (step) => step.kind === "Answered" && /accepted/.test(step.how)},
    ],
    ["published", "entries added to the stream", of_kind("Added")],
    ["delivered", "deliveries, claims included", of_kind("Delivered", "Reread", "Claimed")],
    ["claimed", "taken over from another owner", of_kind("Claimed")],
    ["executions", "times that work was started", of_kind("WorkStarted")],
    [
        "failures",
        "times that it failed",
        {step: (step) => step.kind === "WorkFinished" && !/succeeded/.test(step.how)},
    ],
    ["effects", "replies ever stored", of_kind("ReplyStored")],
    ["absorbed", "replies that the unique key kept out", of_kind("ReplyAbsorbed")],
    ["refused", "submissions that the idempotency key kept out", of_kind("SubmissionAbsorbed")],
    ["acknowledged", "entries taken off the pending list", of_kind("Acknowledged")],
    [
        "recovered",
        "runs delivered again, with one reply in the end",
        of_runs(
            (run) =>
                (count_of(run, "deliveries") > 1 || count_of(run, "claims") > 0) &&
                count_of(run, "replies") === 1,
        ),
    ],
    ["forgotten", "runs of which a loss undid something", of_runs((run) => run.forgotten)],
    [
        "lost",
        "runs with neither a reply nor a reason",
        of_runs(
            (run) => (run.accepted || run.told) && count_of(run, "replies") === 0 && run.status !== "failed",
        ),
        "bad",
    ],
    [
        "duplicated",
        "replies beyond the first of each run",
        of_runs((run) => count_of(run, "replies") > 1),
        "bad",
    ],
    [
        "unexpected",
        "effects of what was never accepted",
        of_runs((run) => !run.accepted && count_of(run, "effects") > 0),
        "bad",
    ],
    ["dead_lettered", "entries among the dead letters", of_kind("DeadLettered")],
    [
        "pending",
        "entries still pending at the end",
        of_runs((run) => count_of(run, "deliveries") > count_of(run, "acknowledgements")),
    ],
    [
        "unread",
        "entries that no worker was given",
        of_runs((run) => count_of(run, "publications") > 0 && count_of(run, "deliveries") === 0),
    ],
];

/** Whether a step belongs to a total of the ledger. */
function ledger_filter(trial, name) {
    const chosen = ledger.find(([each]) => each === name)?.[2];
    if (!chosen) return undefined;
    if (chosen.step) return chosen.step;
    const runs = new Set((trial.about.runs ?? []).filter(chosen.run).map((run) => run.run));
    return (step) => runs.has(trial.run_of(step)) && Boolean(step.is_shown);
}

// ------------------------------------------------------------------ one message

/** The hops of a message from its submission to its end: who had it, for how long, how it went on. */
function hops_of(trial, run) {
    const hops = [];
    let owner = null;
    const entries = new Map();
    const hop = (step, text, sign = "", note = "") => hops.push({step: step.number, text, sign, note});
    for (const step of trial.steps) {
        const is_about = trial.run_of(step) === run;
        if (step.kind === "Crashed" && owner === step.actor) hop(step, `${step.actor} crashes`, "crash");
        else if (step.kind === "Paused" && owner === step.actor) hop(step, `${step.actor} pauses`, "pause");
        if (!is_about) continue;
        const {delivery} = step;
        switch (step.kind) {
            case "Submitted":
                hop(step, `submit by ${step.actor}`);
                break;
            case "Accepted":
                hop(step, "row");
                break;
            case "SubmissionAbsorbed":
                hop(step, "duplicate", "absorbed");
                break;
            case "Added":
                hop(step, "XADD");
                break;
            case "Delivered":
            case "Reread":
                owner = delivery?.consumer ?? step.actor;
                entries.set(delivery?.entry, owner);
                hop(step, `${owner} (${delivery?.count ?? "?"})`);
                break;
            case "Claimed":
                owner = delivery?.consumer ?? step.actor;
                hop(
                    step,
                    `claim by ${owner} (${delivery?.count ?? "?"})`,
                    "claim",
                    delivery
                        ? `idle ${length(delivery.idle_ms ? delivery.idle_ms * 1000 : 0)} with ${delivery.from}`
                        : "",
                );
                break;
            case "WorkStarted":
                hop(step, `work ${step.execution ?? ""}`);
                break;
            case "WorkFinished":
                if (!/succeeded/.test(step.how)) hop(step, "work fails", "lost");
                break;
            case "ReplyStored":
                hop(step, "reply", "stored");
                break;
            case "ReplyAbsorbed":
                hop(step, "reply absorbed", "absorbed");
                break;
            case "Acknowledged":
                hop(step, "XACK");
                owner = null;
                break;
            case "DeadLettered":
                hop(step, "dead letter", "set_aside");
                break;
            case "PendingDropped":
                hop(step, "pending row dropped", "forgot");
                owner = null;
                break;
            case "EntryRemoved":
                hop(step, "entry removed", "forgot");
                break;
            case "BrokerForgot":
            case "DatabaseForgot":
                hop(step, "forgotten", "forgot");
                break;
            case "Dropped":
                hop(step, `${step.what} lost`, "lost");
                break;
            default:
                break;
        }
        if (trial.breaches.has(step.number) && hops.at(-1)?.step === step.number) hops.at(-1).sign = "broken";
    }
    return hops;
}

/** The first steps at which two trials differ, in the rows that are drawn of each. */
function first_difference(rows, number) {
    const found = rows.find((step) => step.number >= number);
    return found?.number ?? 0;
}
