// Compares what a page shows of a trial with what the trial itself says: its tables at 20 steps with
// `redeliver replay CASE --at STEP --json`, and its arrows, crashes and work with its trace.
//
//     node tests/page/tables_test.mjs CHROMIUM REDELIVER FOLDER...
//
// Each folder is one that `redeliver report` wrote: report.html, trace.jsonl, case.json.

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";
import {Browser} from "./browser.mjs";

const [program, redeliver, ...folders] = process.argv.slice(2);
const looked_at = 20;

const browser = await Browser.start(program);
let failed = false;
for (const folder of folders) {
    try {
        const tab = await browser.open(pathToFileURL(resolve(folder, "report.html")).href);
        const lines = readFileSync(join(folder, "trace.jsonl"), "utf8").trimEnd().split("\n").slice(1).map(JSON.parse);
        let rows = 0;
        for (let i = 0; i < looked_at; ++i) {
            // Spread over the whole trial, and the same ones every time.
            const step = 1 + Math.floor(((i * 7919 + 13) % (looked_at * 97)) / (looked_at * 97) * lines.length);
            const told = JSON.parse(execFileSync(redeliver, ["replay", join(folder, "case.json"), "--at", String(step), "--json"],
                {maxBuffer: 1 << 28}));
            const shown = await tab.value(`redeliver.tables(${step})`);
            assert.deepEqual(shown, told.tables, `tables at step ${step}`);
            rows += told.tables.reduce((sum, table) => sum + table.rows.length, 0);
        }
        assert.ok(rows > looked_at, "there was something to compare");

        const count = (test) => lines.filter(test).length;
        const marks = await tab.value("redeliver.marks()");
        const crashed = new Set(marks.filter(({sign}) => sign === "crash").map(({step}) => step));
        const crashes = lines.filter(({kind}) => kind === "Crashed");
        assert.ok(crashes.every(({number}) => crashed.has(number)), "crashes");
        assert.equal(crashed.size, count(({mark}) => mark === "crash"), "crashes and what they cut");
        const arrows = await tab.value("redeliver.arrows()");
        assert.equal(arrows.filter(({is_lost, end}) => is_lost && lines[end - 1].kind === "Dropped").length, count(({kind}) => kind === "Dropped"), "lost on the wire");
        const bars = await tab.value("redeliver.bars()");
        assert.equal(arrows.filter(({kind}) => kind === "request").length, count(({kind}) => kind === "Sent"), "requests");
        assert.equal(bars.length, count(({kind}) => kind === "WorkStarted"), "pieces of work");
        console.log(`  ok ${folder}: ${looked_at} steps, ${rows} rows, ${arrows.length} arrows, ${crashes.length} crashes, ${bars.length} bars`);
        await tab.close();
    } catch (error) {
        failed = true;
        console.log(`  FAILED ${folder}: ${error.message.slice(0, 2000)}`);
    }
}
await browser.stop();
process.exitCode = failed ? 1 : 0;
