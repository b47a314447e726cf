// Does what a reader can do to a report.html in a real browser, and looks at what comes of it.
//
//     node tests/page/page_test.mjs CHROMIUM REPORT.html...
//
// Needs Node 18 and a Chromium, and nothing else. Says which test failed and exits with 1.

import assert from "node:assert/strict";
import {existsSync} from "node:fs";
import {resolve} from "node:path";
import {pathToFileURL} from "node:url";
import {Browser} from "./browser.mjs";

const [program, ...reports] = process.argv.slice(2);
if (!program || reports.length === 0 || !reports.every((report) => existsSync(report))) {
    console.error("usage: node page_test.mjs CHROMIUM REPORT.html...");
    process.exit(64);
}

const most_nodes = 3000;

const tests = {
    async "the answer is in view"(tab) {
        const seen =
            await tab.value(`["#verdict h1", "#why li:last-child", "#prevented li, #prevented p"].map((selector) => {
            const element = document.querySelector(selector);
            return element ? element.getBoundingClientRect().bottom : -1;
        })`);
        for (const bottom of seen) assert.ok(bottom > 0 && bottom <= 900, `ends at ${bottom} of 900`);
    },

    async "a change that keeps the promise says what it costs"(tab) {
        const about = await trace(tab, "about");
        const shown = await tab.value(
            `[...document.querySelectorAll("#prevented li")].map((line) => line.textContent)`,
        );
        for (const {title, verdicts} of about.neighbours) {
            const line = shown.find((each) => each.includes(`${title} keeps it`));
            if (!line) continue;
            const costs = about.promises.some(
                ({name, verdict}) => verdict === "holds" && verdicts[name] === "violated",
            );
            assert.equal(line.includes("but then it breaks"), costs, line);
        }
    },

    async "the static part gives way to the page"(tab) {
        assert.equal(await tab.value(`document.getElementById("static")`), null);
        assert.equal(await tab.value(`document.getElementById("page").hidden`), false);
    },

    async "a scrub moves everything"(tab) {
        const step = await tab.value("Math.floor(Number(document.getElementById('slider').max) / 2)");
        await tab.choose("#slider", String(step));
        assert.equal(await tab.value("redeliver.at"), step);
        assert.equal(await tab.value(`document.getElementById("at_step").textContent`), `step ${step}`);
        assert.match(
            await tab.value(`document.getElementById("tables_bar").textContent`),
            new RegExp(`after step ${step}$`),
        );
        const shown = await tab.value(
            `[...document.querySelectorAll("#tables summary b")].map((b) => b.textContent)`,
        );
        assert.deepEqual(shown, await tab.value(`redeliver.tables(${step}).map((table) => table.title)`));
        await until(tab, `location.hash.includes("step=${step}")`);
    },

    async "tables show what changed"(tab) {
        const found = await tab.value(`(() => {
            const last = Number(document.getElementById("slider").max);
            for (const change of ["added", "removed", "changed"])
                for (let step = 1; step <= last; ++step)
                    if (redeliver.tables(step).some((table) => table.rows.some((row) => row.change === change))) {
                        redeliver.go(step);
                        return [change, step];
                    }
        })()`);
        assert.ok(found, "something changes");
        assert.ok((await tab.value(`document.querySelectorAll("#tables tr.${found[0]}").length`)) > 0);
    },

    async "the arrow keys walk the rows"(tab) {
        await tab.value("redeliver.go(1)");
        await tab.press("ArrowRight");
        const first = await tab.value("redeliver.at");
        assert.ok(first > 1, "forwards");
        await tab.press("ArrowRight");
        assert.ok((await tab.value("redeliver.at")) > first, "and on");
        await tab.press("ArrowLeft");
        assert.equal(await tab.value("redeliver.at"), first, "and back");
        await tab.press("ArrowRight", {shift: true});
        assert.equal(await tab.value("redeliver.at"), first + 1, "or by one step");
        await tab.press("ArrowLeft", {shift: true});
        assert.equal(await tab.value("redeliver.at"), first);
    },

    async "v goes to the violation, f to the next fault"(tab) {
        const about = await trace(tab, "about");
        const broken = about.promises
            .filter((promise) => promise.verdict === "violated")
            .map((promise) => promise.step);
        await tab.value("redeliver.go(1)");
        await tab.press("v");
        assert.ok(broken.length === 0 || broken.includes(await tab.value("redeliver.at")));
        const kinds = [
            "Crashed",
            "Paused",
            "Partitioned",
            "ConnectionReset",
            "FailedOver",
            "Dropped",
            "Disturbed",
            "ClockStepped",
            "Slowed",
        ];
        const faults = (await trace(tab, "steps"))
            .filter((step) => kinds.includes(step.kind))
            .map((step) => step.number);
        if (faults.length === 0) return;
        await tab.value("redeliver.go(1)");
        await tab.press("f");
        assert.equal(await tab.value("redeliver.at"), faults[0]);
    },

    async "n and p follow a message"(tab) {
        const run = await tab.value(`document.getElementById("focus_choice").options[1].value`);
        await tab.choose("#focus_choice", run);
        await tab.value("redeliver.go(1)");
        await tab.press("n");
        const first = await tab.value("redeliver.at");
        await tab.press("n");
        const second = await tab.value("redeliver.at");
        assert.ok(first > 1 && second > first, `${first} < ${second}`);
        for (const step of (await trace(tab, "steps")).filter((each) =>
            [first, second].includes(each.number),
        ))
            assert.ok([step.about, step.subject].includes(run));
        await tab.press("p");
        assert.equal(await tab.value("redeliver.at"), first);
        assert.ok(
            (await tab.value(`document.querySelectorAll("#hops .hop").length`)) > 1,
            "its hops are shown",
        );
    },

    async "? opens the help, and closes it"(tab) {
        await tab.press("?");
        assert.equal(await tab.value(`document.getElementById("help").open`), true);
        await tab.press("?");
        assert.equal(await tab.value(`document.getElementById("help").open`), false);
    },

    async "numbers of the ledger filter the diagram"(tab) {
        const rows = () => tab.value(`document.querySelector("#diagram_bar .count").textContent`);
        const before = await rows();
        await tab.click(`[data-total="executions"]`);
        const {totals} = await trace(tab, "about");
        assert.match(await rows(), new RegExp(`^showing ${totals.executions} that are executions`));
        await tab.press("Escape");
        assert.equal(await rows(), before);
    },

    async "every step can be shown, and virtual time"(tab) {
        const count = (await trace(tab, "steps")).length;
        await tab.press("a");
        const text = await tab.value(
            `document.querySelector("#diagram_bar .count").textContent.replaceAll(",", "")`,
        );
        assert.match(text, new RegExp(`^showing ${count} of`));
        await tab.press("a");
        const height = () => tab.value(`document.querySelector("#diagram .canvas").offsetHeight`);
        const logical = await height();
        await tab.press("t");
        assert.notEqual(await height(), logical);
    },

    async "raw steps are filtered and copied"(tab) {
        await tab.choose("#raw_filter", "Concluded");
        const lines = await tab.value(
            `[...document.querySelectorAll(".raw_line")].map((line) => line.textContent)`,
        );
        assert.ok(lines.length > 0 && lines.every((line) => line.includes("Concluded")));
        await tab.value(`(() => {
            window.copied = "";
            Object.defineProperty(navigator, "clipboard", {value: {writeText: async (text) => { window.copied = text; }}});
        })()`);
        await tab.click("#raw .copy");
        await until(tab, "window.copied.includes('Concluded')");
    },

    async "an address leads to its step"(tab, address) {
        const {first, run, lane} =
            await tab.value(`({first: 14, run: document.getElementById("focus_choice").options[1].value,
            lane: document.querySelector("#diagram .head.lane").title.split(" ")[0]})`);
        await tab.load(`${address}#step=${first}&focus=${run}&lane=${lane}`);
        assert.equal(await tab.value("redeliver.at"), first);
        assert.equal(await tab.value(`document.getElementById("focus_choice").value`), run);
        assert.match(
            await tab.value(`document.querySelector("#diagram .head.lane.chosen").title`),
            new RegExp(`^${lane} `),
        );
        await tab.value(`location.hash = "#step=9"`);
        await until(tab, "redeliver.at === 9");
    },

    async "turning a knob shows another trial beside this one"(tab) {
        const {neighbours = [], promises} = await trace(tab, "about");
        const other =
            neighbours.find(
                (each) =>
                    each.path &&
                    each.shown?.length &&
                    promises.some((promise) => each.verdicts[promise.name] !== promise.verdict),
            ) ?? neighbours.find((each) => each.path && each.shown?.length);
        if (!other) return;
        await tab.choose(`.knobs select[data-path="${other.path}"]`, other.title);
        const tried = await tab.value(`document.getElementById("tried").textContent`);
        assert.ok(tried.includes(other.title) && tried.includes(other.command), tried);
        for (const promise of promises.filter((each) => each.verdict !== other.verdicts[each.name]))
            assert.ok(tried.includes(promise.name.replaceAll("_", " ")), promise.name);
        assert.ok(
            (await tab.value(`document.querySelectorAll("#compare .bench:first-child .row").length`)) > 0,
            "this trial",
        );
        const there = await tab.value(
            `[...document.querySelectorAll("#compare .bench:last-child .row")].map((row) => Number(row.dataset.step))`,
        );
        assert.ok(
            there.length > 0 && there.every((step) => other.shown.some((each) => each.number === step)),
            "the other one",
        );
        if (other.first_difference)
            assert.ok(
                (await tab.value(`document.querySelectorAll("#compare .row.differs").length`)) > 0,
                "the first difference",
            );
    },

    async "dark and light"(tab) {
        const paper = () => tab.value("getComputedStyle(document.body).backgroundColor");
        await tab.prefer("light");
        const light = await paper();
        await tab.prefer("dark");
        const dark = await paper();
        assert.notEqual(dark, light, "as the system has it");
        await tab.prefer("light");
        await tab.click("#theme");
        assert.equal(await paper(), dark, "or as the reader wants it");
    },

    async "it fits a narrow window"(tab) {
        for (const width of [390, 1440]) {
            await tab.resize(width, 844);
            await tab.settle();
            assert.ok((await tab.value("document.documentElement.scrollWidth")) <= width, `${width} pixels`);
        }
    },

    async "the document stays small"(tab) {
        await tab.press("a");
        const nodes = `document.querySelectorAll("*").length`;
        assert.ok((await tab.value(nodes)) < most_nodes, "elements");
        const last = await tab.value("Number(document.getElementById('slider').max)");
        const times = [];
        for (let i = 0; i < 60; ++i) {
            const before = await tab.busy();
            await tab.value(`redeliver.go(${1 + Math.floor((last * ((i * 37) % 60)) / 60)});
                new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`);
            times.push((await tab.busy()) - before);
        }
        times.sort((a, b) => a - b);
        const p95 = times[Math.floor(times.length * 0.95)];
        const count = await tab.value(nodes);
        console.log(
            `     ${count} elements; a scrub takes ${times[30].toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
        );
        assert.ok(count < most_nodes, `${count} elements`);
    },
};

async function until(tab, expression) {
    for (let i = 0; i < 100; ++i) {
        if (await tab.value(expression)) return;
        await tab.settle();
    }
    assert.fail(`never: ${expression}`);
}

const trace = async (tab, part) =>
    tab.value(`JSON.parse(document.getElementById("trace").textContent).${part}`);

const browser = await Browser.start(program);
let failures = 0;
for (const report of reports) {
    const address = pathToFileURL(resolve(report)).href;
    console.log(report);
    for (const [name, test] of Object.entries(tests)) {
        const tab = await browser.open(address);
        try {
            await test(tab, address);
            assert.deepEqual(tab.complaints, [], "nothing on the console");
            const elsewhere = tab.requests.filter(
                (url) => !url.startsWith(address) && !/^(data|about):/.test(url),
            );
            assert.deepEqual(elsewhere, [], "nothing from elsewhere");
            console.log(`  ok ${name}`);
        } catch (error) {
            failures += 1;
            console.log(`  FAILED ${name}: ${error.message}`);
        }
        await tab.close();
    }
}
await browser.stop();
console.log(failures === 0 ? "all is well" : `${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
