// Takes the picture of a page as it opens on a laptop.
//
//     node tests/page/picture.mjs CHROMIUM REPORT.html OUT.png

import {writeFileSync} from "node:fs";
import {resolve} from "node:path";
import {pathToFileURL} from "node:url";
import {Browser} from "./browser.mjs";

const [program, report, out] = process.argv.slice(2);
const browser = await Browser.start(program);
const tab = await browser.open(pathToFileURL(resolve(report)).href);
await tab.prefer("light");
await tab.settle();
writeFileSync(out, await tab.screenshot());
await browser.stop();
