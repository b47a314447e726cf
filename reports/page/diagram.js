// The space-time diagram: a lane per node, time downwards. Only what is in view is in the document.

const row_height = 24;
const most_virtual_gap = 120; // Pixels; a longer wait breaks the axis.
const virtual_pixels_per_second = 320;
const most_printed_rows = 400;
const printed_width = 700; // Pixels, of A4 without its margins.

class Diagram {
    /** `on_pick` is told the number of a step that was chosen. */
    constructor(host, trial, {on_pick = () => {}, is_compact = false, label = "Timeline"} = {}) {
        this.host = host;
        this.trial = trial;
        this.on_pick = on_pick;
        this.is_compact = is_compact;
        this.at = 0;
        this.focus = "";
        this.lane = "";
        this.scale = "logical";
        this.difference = 0;
        this.drawing = svg("svg", {class: "drawing", "aria-hidden": "true"});
        this.rows_layer = el("div", {class: "rows"});
        this.canvas = el("div", {class: "canvas"}, this.drawing, this.rows_layer);
        this.heads = el("div", {class: "heads"});
        this.scroller = el(
            "div",
            {class: "scroller", tabindex: "0", role: "region", "aria-label": label},
            this.heads,
            this.canvas,
        );
        host.replaceChildren(this.scroller);
        this.scroller.addEventListener("scroll", () => this.ask_to_draw(), {passive: true});
        new ResizeObserver(() => {
            this.measure();
            this.ask_to_draw();
        }).observe(this.scroller);
        this.set_rows(trial.steps.filter((step) => step.is_shown));
    }

    /** `detail` tells how much is drawn between rows: all, or what the rows are about, or nothing. */
    set_rows(steps, detail = "shown") {
        this.rows = steps;
        this.detail = detail;
        this.row_of = new Map(steps.map((step, index) => [step.number, index]));
        this.place_rows();
        this.choose_arrows();
        this.ask_to_draw();
    }

    set_scale(scale) {
        this.scale = scale;
        this.place_rows();
        this.ask_to_draw();
    }

    // -------------------------------------------------------------- places

    /** Where each row is: evenly spaced, or by time with waits cut short. */
    place_rows() {
        const tops = (this.tops = new Float64Array(this.rows.length));
        this.gaps = []; // Waits that the axis leaves out.
        let top = row_height / 2 + 4;
        this.rows.forEach((step, index) => {
            if (index > 0) {
                const previous = this.rows[index - 1];
                const waited = step.at_us - previous.at_us;
                let gap = row_height;
                let is_broken = false;
                if (this.scale === "virtual") {
                    const wanted = (waited / 1_000_000) * virtual_pixels_per_second;
                    gap = Math.max(row_height, Math.min(wanted, most_virtual_gap));
                    is_broken = wanted > most_virtual_gap;
                } else if (waited >= 1_000_000) {
                    gap = row_height * 2;
                    is_broken = true;
                }
                if (is_broken) {
                    const polls =
                        this.detail === "all"
                            ? 0
                            : this.trial.idle_polls_between(previous.number, step.number);
                    this.gaps.push({top: top + gap / 2, waited, polls});
                }
                top += gap;
            }
            tops[index] = top;
        });
        this.height = top + row_height;
        this.canvas.style.height = `${this.height}px`;
    }

    /** The row that shows the last of the steps up to a number, or -1. */
    row_until(number) {
        const exact = this.row_of.get(number);
        if (exact !== undefined) return exact;
        let low = 0,
            high = this.rows.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.rows[middle].number <= number) low = middle + 1;
            else high = middle;
        }
        return low - 1;
    }

    /** Where a step is, or would be: between rows, by number or by time. */
    y(number) {
        const row = this.row_until(number);
        if (row < 0) return 0;
        const step = this.rows[row];
        const top = this.tops[row];
        if (step.number === number || row + 1 >= this.rows.length) return top;
        const next = this.rows[row + 1];
        let share = (number - step.number) / (next.number - step.number);
        if (this.scale === "virtual" && next.at_us > step.at_us) {
            const at_us = this.trial.step(number)?.at_us ?? step.at_us;
            share = (at_us - step.at_us) / (next.at_us - step.at_us);
        }
        return top + share * (this.tops[row + 1] - top);
    }

    x(name) {
        const lane = this.trial.lane_of.get(name);
        return lane === undefined ? -1 : this.gutter + (lane + 0.5) * this.lane_width;
    }

    measure(width = this.scroller.clientWidth) {
        if (!width) return;
        const lanes = this.trial.lanes.length || 1;
        this.is_narrow = width < 520;
        this.scroller.classList.toggle("narrow", this.is_narrow);
        this.scroller.classList.toggle("compact", this.is_compact);
        this.gutter = this.is_narrow ? 40 : this.is_compact ? 108 : 112;
        const text = this.is_narrow ? 158 : this.is_compact ? 190 : 360;
        this.lane_width = Math.floor(
            Math.min(
                this.is_compact ? 52 : 64,
                Math.max(
                    this.is_narrow ? 21 : this.is_compact ? 24 : 30,
                    (width - this.gutter - text) / lanes,
                ),
            ),
        );
        this.text_left = this.gutter + lanes * this.lane_width + 10;
        this.width = Math.max(width, this.text_left + text);
        this.canvas.style.width = `${this.width}px`;
        this.heads.style.width = `${this.width}px`;
        put(
            this.heads,
            el("span", {class: "head step"}, this.is_narrow ? "" : "step"),
            this.is_narrow ? null : el("span", {class: "head time", style: `left:48px`}, "time"),
            ...this.trial.lanes.map((lane, index) => this.lane_head(lane, index)),
            el(
                "span",
                {class: "head", style: `left:${this.text_left}px`},
                this.is_narrow ? "what" : "who does what to whom",
            ),
        );
    }

    lane_head(lane, index) {
        const title = this.lane_width >= 60 ? lane.title : short_name(lane.title, this.lane_width);
        return el(
            "button",
            {
                type: "button",
                title: `${lane.title} (${lane.role})`,
                class: "head lane" + (lane.names.includes(this.lane) ? " chosen" : ""),
                style: `left:${this.gutter + index * this.lane_width}px;width:${this.lane_width}px`,
                onclick: () => view.change({lane: view.state.lane === lane.names[0] ? "" : lane.names[0]}),
            },
            title,
        );
    }

    // -------------------------------------------------------------- what to draw

    choose_arrows() {
        const all = this.trial.arrows();
        if (this.detail === "all") this.arrows = all;
        else if (this.detail === "shown")
            this.arrows = all.filter((arrow) => arrow.is_shown && !arrow.is_poll);
        else this.arrows = all.filter((arrow) => arrow.is_shown && this.row_of.has(arrow.end || arrow.start));
        this.arrows = [...this.arrows].sort((a, b) => a.start - b.start);
    }

    ask_to_draw() {
        if (this.asked) return;
        this.asked = true;
        requestAnimationFrame(() => {
            this.asked = false;
            this.draw();
        });
    }

    draw() {
        if (!this.lane_width) this.measure();
        if (!this.lane_width) return;
        const {scrollTop, clientHeight} = this.scroller;
        const from = this.prints ? 0 : Math.max(0, Math.min(scrollTop - 160, this.height));
        const to = this.prints ? this.height : Math.min(this.height, scrollTop + clientHeight + 160);
        this.draw_rows(from, to);
        this.draw_lanes(from, to);
    }

    /** Rows are made once and kept while they are in view. */
    draw_rows(from, to) {
        let index = this.row_at(from);
        const rows = [];
        for (; index < this.rows.length && this.tops[index] <= to; ++index) rows.push(this.row(index));
        for (const gap of this.gaps) if (gap.top >= from && gap.top <= to) rows.push(this.gap_row(gap));
        this.rows_layer.replaceChildren(...rows);
    }

    row_at(y) {
        let low = 0,
            high = this.tops.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.tops[middle] < y) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    row(index) {
        const step = this.rows[index];
        const sign = this.trial.sign(step);
        const run = this.trial.run_of(step);
        const is_apart =
            this.is_apart(step, run) ||
            (this.lane &&
                step.actor !== this.lane &&
                step.peer !== this.lane &&
                this.trial.place(step) !== this.lane);
        const classes = ["row", `is-${sign}`];
        if (step.number === this.at) classes.push("now");
        if (!step.is_shown && sign === "none") classes.push("plumbing");
        if (is_apart && sign !== "broken") classes.push("apart");
        if (step.number === this.difference) classes.push("differs");
        const breach = this.trial.breaches.get(step.number);
        const how = breach ? `${step.how}; breaks ${breach.join(", ")}` : (step.how ?? "");
        const what = el("span", {class: "what"}, step.what ?? step.kind);
        const text = this.is_narrow
            ? [el("span", {class: "sign"}, signs[sign]), what, step.about ? run_link(step.about) : ""]
            : [
                  this.is_compact ? null : el("span", {class: "who"}, step.actor || "–"),
                  el("span", {class: "sign"}, sign === "none" ? "" : signs[sign]),
                  what,
                  el("span", {class: "about"}, step.about ? run_link(step.about) : ""),
                  el("span", {class: "how", title: with_arrows(how)}, with_arrows(how)),
              ];
        return el(
            "div",
            {
                class: classes.join(" "),
                style: `top:${this.tops[index] - row_height / 2}px`,
                "data-step": step.number,
                onclick: () => this.on_pick(step.number),
            },
            el("span", {class: "number"}, String(step.number)),
            this.is_narrow ? null : el("span", {class: "time"}, moment(step.at_us)),
            el(
                "div",
                {class: "text", style: `left:${this.text_left}px;width:${this.width - this.text_left}px`},
                ...text,
            ),
        );
    }

    /** What befalls nodes is everybody's business; all else only that of its own message. */
    is_apart(step, run) {
        return (
            this.focus &&
            run !== this.focus &&
            step.number !== this.at &&
            (run || !step.is_shown || !step.mark)
        );
    }

    gap_row(gap) {
        const polls = gap.polls ? `, ${counted(gap.polls, "idle poll")}` : "";
        return el(
            "div",
            {class: "gap", style: `top:${gap.top - 9}px`},
            el(
                "span",
                {class: "gap_text", style: `left:${this.is_narrow ? 6 : 48}px`},
                this.is_narrow ? "≈" : "≈ " + about_length(gap.waited),
            ),
            el(
                "span",
                {class: "gap_text", style: `left:${this.text_left}px`},
                `${about_length(gap.waited)} later${polls}`,
            ),
        );
    }

    // -------------------------------------------------------------- lanes

    draw_lanes(from, to) {
        const height = to - from;
        this.drawing.setAttribute("width", this.width);
        this.drawing.setAttribute("height", height);
        this.drawing.setAttribute("viewBox", `0 ${from} ${this.width} ${height}`);
        this.drawing.style.top = `${from}px`;
        const id = (this.id_ ??= `d${++Diagram.made}`);
        const layers = [this.definitions(id), ...this.background(id, from, to)];
        for (const spell of this.trial.spells()) layers.push(...this.spell(id, spell, from, to));
        for (const bar of this.trial.bars()) layers.push(...this.bar(id, bar, from, to));
        const first = this.rows[Math.max(0, this.row_at(from) - 1)]?.number ?? 0;
        for (const arrow of this.arrows) {
            // Sorted by start.
            if ((arrow.end || arrow.start) < first) continue;
            const start = this.y(arrow.start);
            if (start > to) break;
            layers.push(...this.arrow(id, arrow, start, from, to));
        }
        for (let index = this.row_at(from); index < this.rows.length && this.tops[index] <= to; ++index)
            layers.push(...this.sign_of(this.rows[index], this.tops[index]));
        this.drawing.replaceChildren(...layers.filter(Boolean));
    }

    definitions(id) {
        const head = (name) =>
            svg(
                "marker",
                {
                    id: `${id}-${name}`,
                    viewBox: "0 0 8 8",
                    refX: 7,
                    refY: 4,
                    markerWidth: 7,
                    markerHeight: 7,
                    orient: "auto",
                    class: `head-${name}`,
                },
                svg("path", {d: "M0,0.8 L7.4,4 L0,7.2 z"}),
            );
        const hatch = (name, angle) =>
            svg(
                "pattern",
                {
                    id: `${id}-${name}`,
                    width: 6,
                    height: 6,
                    patternUnits: "userSpaceOnUse",
                    patternTransform: `rotate(${angle})`,
                },
                svg("line", {x1: 0, y1: 0, x2: 0, y2: 6, class: `hatch-${name}`}),
            );
        return svg(
            "defs",
            {},
            head("request"),
            head("answer"),
            head("focus"),
            head("apart"),
            hatch("quiet", 45),
            hatch("down", -45),
            hatch("double", 45),
        );
    }

    background(id, from, to) {
        const layers = [];
        const left = this.gutter;
        const right = this.gutter + this.trial.lanes.length * this.lane_width;
        const heal = this.rows.findIndex((step) => step.kind === "Healed");
        if (heal >= 0 && this.tops[heal] < to) {
            const top = Math.max(from, this.tops[heal]);
            layers.push(
                svg("rect", {
                    class: "quiet",
                    x: left,
                    y: top,
                    width: right - left,
                    height: Math.max(0, to - top),
                    fill: `url(#${id}-quiet)`,
                }),
            );
        }
        this.trial.lanes.forEach((lane, index) => {
            const x = left + (index + 0.5) * this.lane_width;
            layers.push(
                svg("line", {
                    class: "lane" + (lane.names.includes(this.lane) ? " chosen" : ""),
                    x1: x,
                    x2: x,
                    y1: from,
                    y2: to,
                }),
            );
        });
        for (const gap of this.gaps)
            if (gap.top >= from && gap.top <= to)
                layers.push(
                    svg("path", {
                        class: "break",
                        d: `M${left},${gap.top + 3} l6,-6 M${left + 5},${gap.top + 3} l6,-6 M${right - 11},${gap.top + 3} l6,-6 M${right - 6},${gap.top + 3} l6,-6`,
                    }),
                    svg("line", {class: "break", x1: left + 14, x2: right - 14, y1: gap.top, y2: gap.top}),
                );
        if (this.at && (this.detail !== "some" || this.row_of.has(this.at))) {
            const y = this.y(this.at);
            if (y >= from && y <= to)
                layers.push(
                    svg("line", {class: "now", x1: this.gutter, x2: this.text_left - 10, y1: y, y2: y}),
                );
        }
        return layers;
    }

    spell(id, spell, from, to) {
        const top = Math.max(from, this.y(spell.start));
        const bottom = Math.min(to, spell.end ? this.y(spell.end) : this.height);
        const x = this.x(spell.lane);
        if (top >= bottom || x < 0) return [];
        if (spell.kind === "partition") {
            const other = this.x(spell.peer);
            if (other < 0) return [];
            return [
                svg("rect", {
                    class: "partition",
                    x: Math.min(x, other),
                    width: Math.abs(other - x),
                    y: top,
                    height: bottom - top,
                }),
            ];
        }
        const half = Math.min(13, this.lane_width / 2 - 2);
        const layers = [
            svg("rect", {
                class: `spell ${spell.kind}`,
                x: x - half,
                width: 2 * half,
                y: top,
                height: bottom - top,
                fill: spell.kind === "down" ? `url(#${id}-down)` : undefined,
            }),
        ];
        if (spell.kind === "paused" && bottom - top > 40)
            layers.push(svg("text", {class: "spell_word", x, y: (top + bottom) / 2 + 4}, "‖"));
        return layers;
    }

    bar(id, bar, from, to) {
        const start = this.y(bar.start);
        const end = bar.end ? this.y(bar.end) : this.height;
        const is_between_rows =
            this.detail === "some" && this.row_until(bar.start) === this.row_until(bar.end || Infinity);
        if (end < from || start > to || is_between_rows) return [];
        const x = this.x(bar.lane);
        if (x < 0) return [];
        const top = Math.max(from - 4, start),
            bottom = Math.max(top + 3, Math.min(to + 4, end));
        const is_focus = this.focus && bar.run === this.focus;
        const is_apart = this.focus && !is_focus;
        const width = Math.min(9, this.lane_width * 0.34);
        const shape = {x: x - width / 2, width, y: top, height: bottom - top, rx: 2};
        const classes = `work${is_focus ? " focus" : ""}${is_apart ? " apart" : ""}${bar.overlaps ? " doubled" : ""} ${bar.outcome.replace(" ", "_")}`;
        const layers = [
            svg(
                "rect",
                {class: classes, ...shape},
                svg(
                    "title",
                    {},
                    `${bar.lane} works on ${bar.run}, execution ${bar.execution}: ${bar.outcome}`,
                ),
            ),
        ];
        if (bar.overlaps) layers.push(svg("rect", {...shape, class: "double", fill: `url(#${id}-double)`}));
        return layers;
    }

    arrow(id, arrow, start, from, to) {
        const x1 = this.x(arrow.from),
            x2 = this.x(arrow.to);
        if (x1 < 0 || x2 < 0 || x1 === x2) return [];
        let end = arrow.end ? this.y(arrow.end) : start + (this.detail === "all" ? row_height / 2 : 6);
        if (this.detail === "some") start = end;
        if (end < from) return [];
        const is_focus = this.focus && arrow.run === this.focus;
        const is_apart = this.focus && !is_focus;
        const classes = `arrow ${arrow.kind}${is_focus ? " focus" : ""}${is_apart ? " apart" : ""}${arrow.is_lost ? " lost" : ""}${arrow.is_poll ? " poll" : ""}`;
        if (arrow.is_lost) {
            const share = arrow.kind === "refused" ? 0.3 : 0.55;
            if (arrow.kind !== "request" || arrow.end - arrow.start > 3) start = end;
            const x = x1 + (x2 - x1) * share;
            return [
                svg("line", {class: classes, x1, y1: start, x2: x, y2: end}),
                svg(
                    "text",
                    {class: "lost_sign" + (is_apart ? " apart" : ""), x, y: end + 4},
                    arrow.kind === "refused" ? "⊘" : "✗",
                ),
            ];
        }
        const toward = Math.sign(x2 - x1);
        if (arrow.kind === "claim") {
            const y = end - 5; // Above the answer that tells of it.
            return [
                svg("path", {
                    class: classes,
                    d: `M${x1 + toward * 9},${y - 2} H${x2 - toward * 13} M${x1 + toward * 9},${y + 2} H${x2 - toward * 13}`,
                }),
                svg("path", {
                    class: `claim_head${is_focus ? " focus" : ""}${is_apart ? " apart" : ""}`,
                    d: `M${x2 - toward * 14},${y - 5} l${toward * 8},5 l${-toward * 8},5 z`,
                }),
            ];
        }
        const stop = arrow.end || arrow.kind === "request" ? x2 - toward * 6 : x1 + (x2 - x1) * 0.6;
        const marker =
            arrow.end || arrow.kind === "request"
                ? `url(#${id}-${is_focus ? "focus" : is_apart ? "apart" : arrow.kind})`
                : undefined;
        return [
            svg("line", {
                class: classes,
                x1: x1 + toward * 5,
                y1: start,
                x2: stop,
                y2: end,
                "marker-end": marker,
            }),
        ];
    }

    sign_of(step, y) {
        const place = this.trial.place(step);
        const x = this.x(place);
        const sign = this.trial.sign(step);
        const run = this.trial.run_of(step);
        const apart = this.is_apart(step, run) && sign !== "broken" ? " apart" : "";
        if (x < 0) return [];
        const is_focus = this.focus && run === this.focus ? " focus" : "";
        if (sign === "none" || sign === "claim")
            return [svg("circle", {class: `dot${is_focus}${apart}`, cx: x, cy: y, r: 3})];
        if (sign === "stored" || sign === "absorbed")
            return [svg("circle", {class: `${sign}${is_focus}${apart}`, cx: x, cy: y, r: 4.5})];
        const layers = [
            svg("circle", {class: `badge is-${sign}${apart}`, cx: x, cy: y, r: 9}),
            svg("text", {class: `badge_sign is-${sign}${apart}`, x, y: y + 4}, signs[sign]),
        ];
        if (sign === "restart" && step.incarnation)
            layers.push(
                svg("text", {class: "incarnation", x: x + 11, y: y + 9}, String(step.incarnation + 1)),
            );
        return layers;
    }

    // -------------------------------------------------------------- going places

    set_at(number) {
        this.at = number;
        this.reveal(number);
        this.ask_to_draw();
    }

    reveal(number, is_centred = false) {
        const y = this.y(number);
        const {scrollTop, clientHeight} = this.scroller;
        const visible = clientHeight - this.heads.offsetHeight;
        if (!is_centred && y > scrollTop + 60 && y < scrollTop + visible - 60) return;
        this.scroller.scrollTop = y - visible * 0.4;
    }

    /** For paper: all rows, at the width of an A4 page; of long trials only those that are in view. */
    print(is_printing) {
        this.prints = is_printing && this.rows.length <= most_printed_rows;
        this.measure(is_printing ? printed_width : undefined);
        this.draw();
    }
}
Diagram.made = 0;

/** `worker-1` as `w1`, `redis` as `rd` where five letters are too many. */
function short_name(name, room) {
    const number = name.match(/\d+$/)?.[0];
    if (number) return name[0] + number;
    return room >= 32 ? name.slice(0, 5) : name[0] + name.slice(1).replace(/[aeiou]/g, "")[0];
}
