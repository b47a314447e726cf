// A Chromium without a window, driven over a pipe: messages of the DevTools protocol, each ended
// by a zero byte, on file descriptors 3 (to it) and 4 (from it). Needs nothing but Node 18.

import {spawn} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

export class Browser {
    static async start(program) {
        const browser = new Browser();
        browser.profile = mkdtempSync(join(tmpdir(), "page-test-"));
        browser.process = spawn(
            program,
            [
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--hide-scrollbars",
                "--remote-debugging-pipe",
                `--user-data-dir=${browser.profile}`,
                "about:blank",
            ],
            {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]},
        );
        browser.waiting = new Map();
        browser.listeners = [];
        browser.number = 0;
        let received = Buffer.alloc(0);
        browser.process.stdio[4].on("data", (data) => {
            received = Buffer.concat([received, data]);
            for (let end = received.indexOf(0); end >= 0; end = received.indexOf(0)) {
                browser.receive(JSON.parse(received.subarray(0, end).toString("utf8")));
                received = received.subarray(end + 1);
            }
        });
        browser.process.on("error", (error) => {
            for (const {reject} of browser.waiting.values()) reject(error);
        });
        browser.process.on("exit", (code) => {
            for (const {reject} of browser.waiting.values())
                reject(new Error(`the browser ended with ${code}`));
        });
        return browser;
    }

    receive(message) {
        if (message.id === undefined) {
            for (const listener of this.listeners) listener(message);
            return;
        }
        const {resolve, reject, method} = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        if (message.error) reject(new Error(`${method}: ${message.error.message}`));
        else resolve(message.result);
    }

    send(method, params = {}, sessionId = undefined) {
        const id = ++this.number;
        this.process.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + "\0");
        return new Promise((resolve, reject) => this.waiting.set(id, {resolve, reject, method}));
    }

    /** A page that has been loaded, and has drawn itself. */
    async open(address, {width = 1440, height = 900} = {}) {
        const {targetId} = await this.send("Target.createTarget", {url: "about:blank"});
        const {sessionId} = await this.send("Target.attachToTarget", {targetId, flatten: true});
        const tab = new Tab(this, targetId, sessionId);
        for (const domain of ["Page", "Runtime", "Log", "Network", "Performance"])
            await tab.send(`${domain}.enable`);
        await tab.resize(width, height);
        await tab.load(address);
        return tab;
    }

    async stop() {
        const ended = new Promise((resolve) => this.process.on("exit", resolve));
        await this.send("Browser.close").catch(() => {});
        await ended;
        rmSync(this.profile, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
    }
}

export class Tab {
    constructor(browser, targetId, sessionId) {
        Object.assign(this, {browser, targetId, sessionId, complaints: [], requests: [], loads: 0});
        browser.listeners.push((message) => message.sessionId === sessionId && this.observe(message));
    }

    observe({method, params}) {
        if (method === "Runtime.exceptionThrown")
            this.complaints.push(
                params.exceptionDetails.exception?.description ?? params.exceptionDetails.text,
            );
        if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type))
            this.complaints.push(params.args.map((arg) => arg.value ?? arg.description).join(" "));
        if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level))
            this.complaints.push(params.entry.text);
        if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
        if (method === "Page.loadEventFired") this.loads += 1;
    }

    send(method, params = {}) {
        return this.browser.send(method, params, this.sessionId);
    }

    async load(address) {
        const loads = this.loads;
        await this.send("Page.navigate", {url: "about:blank"});
        while (this.loads === loads) await pause(10);
        await this.send("Page.navigate", {url: address});
        while (this.loads < loads + 2) await pause(10);
        await this.settle();
    }

    /** What an expression comes to; promises are waited for. */
    async value(expression) {
        const {result, exceptionDetails} = await this.send("Runtime.evaluate", {
            expression,
            awaitPromise: true,
            returnByValue: true,
        });
        if (exceptionDetails)
            throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
    }

    /** Until what was asked for is drawn. */
    settle() {
        return this.value(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 80))))",
        );
    }

    /** For how many milliseconds the page has kept its browser busy. */
    async busy() {
        const {metrics} = await this.send("Performance.getMetrics");
        return 1000 * metrics.find(({name}) => name === "TaskDuration").value;
    }

    async press(key, {shift = false} = {}) {
        const text = key.length === 1 ? key : undefined;
        const modifiers = shift ? 8 : 0;
        await this.send("Input.dispatchKeyEvent", {
            type: text ? "keyDown" : "rawKeyDown",
            key,
            code: key,
            text,
            modifiers,
        });
        await this.send("Input.dispatchKeyEvent", {type: "keyUp", key, code: key, modifiers});
        await this.settle();
    }

    async click(selector) {
        await this.value(`document.querySelector(${JSON.stringify(selector)}).click()`);
        await this.settle();
    }

    async choose(selector, value) {
        await this.value(`(() => {
            const field = document.querySelector(${JSON.stringify(selector)});
            field.value = ${JSON.stringify(value)};
            field.dispatchEvent(new Event("input", {bubbles: true}));
            field.dispatchEvent(new Event("change", {bubbles: true}));
        })()`);
        await this.settle();
    }

    resize(width, height) {
        return this.send("Emulation.setDeviceMetricsOverride", {
            width,
            height,
            deviceScaleFactor: 1,
            mobile: false,
        });
    }

    prefer(scheme) {
        return this.send("Emulation.setEmulatedMedia", {
            features: [{name: "prefers-color-scheme", value: scheme}],
        });
    }

    async screenshot() {
        const {data} = await this.send("Page.captureScreenshot", {format: "png"});
        return Buffer.from(data, "base64");
    }

    close() {
        return this.browser.send("Target.closeTarget", {targetId: this.targetId});
    }
}

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
