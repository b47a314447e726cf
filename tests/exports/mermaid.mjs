// mermaid.mjs FILE...: what Mermaid's own parser finds in each, as one JSON object by file.
// Ends with 1 and the parser's words at the first that it refuses.
import fs from 'node:fs';
import { JSDOM } from 'jsdom';

const dom = new JSDOM('<!doctype html><body></body>');
globalThis.window = dom.window;
globalThis.document = dom.window.document;
const { default: mermaid } = await import('mermaid');

/** Names of LINETYPE in Mermaid's diagrams/sequence/sequenceDb.ts. */
const kinds = { 0: 'request', 1: 'answer', 2: 'note', 3: 'lost request', 4: 'lost answer',
                24: 'unknown request', 25: 'unknown answer' };

/** As a browser shows it: Mermaid keeps entities in a form of its own until it draws. */
const shown = (text) =>
    text.replaceAll(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCodePoint(Number(code)));

const found = {};
for (const file of process.argv.slice(2)) {
    const text = fs.readFileSync(file, 'utf8');
    try {
        await mermaid.parse(text);
        const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
        const counts = {};
        const notes = [];
        for (const { type, message } of db.getMessages()) {
            const kind = kinds[type] ?? `type ${type}`;
            counts[kind] = (counts[kind] ?? 0) + 1;
            if (kind === 'note') notes.push(shown(message));
        }
        const actors = [...db.getActors().values()].map(({ description }) => shown(description));
        found[file] = { characters: text.length, counts, notes, actors };
    } catch (error) {
        console.error(`${file}: ${error.message}`);
        process.exit(1);
    }
}
console.log(JSON.stringify(found));
