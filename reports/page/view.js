// What all parts of the page share: elements, the state with its address, and who wants to know.

/** An element. What comes from the trace gets in as text and in no other way. */
function el(name, attributes = {}, ...children) {
    return filled(document.createElement(name), attributes, children);
}

function svg(name, attributes = {}, ...children) {
    return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(element, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) {
        if (value === undefined || value === false || value === null) continue;
        if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
        else element.setAttribute(key, value === true ? "" : value);
    }
    element.append(
        ...children.flat().filter((child) => child !== undefined && child !== null && child !== ""),
    );
    return element;
}

/** Puts children in the place of whatever there is. */
function put(host, ...children) {
    host.replaceChildren();
    return filled(host, {}, children);
}

const by_id = (id) => document.getElementById(id);

/** A button that puts a text on the clipboard, and says so. */
function copy_button(text, label = "copy") {
    const button = el("button", {type: "button", class: "copy", title: "Copy"}, label);
    button.addEventListener("click", async () => {
        await put_on_clipboard(typeof text === "function" ? text() : text);
        button.textContent = "copied ✓";
        setTimeout(() => {
            button.textContent = label;
        }, 1200);
    });
    return button;
}

async function put_on_clipboard(text) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        // A file:// page may not be trusted with the clipboard; a selection always works.
        const area = el("textarea", {class: "offscreen"});
        area.value = text;
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
    }
}

const command_line = (command) =>
    el("div", {class: "command"}, el("code", {}, command), copy_button(command));

const step_link = (number, label = `step ${number}`) =>
    el(
        "a",
        {
            class: "step",
            href: `#step=${number}`,
            onclick: (event) => {
                event.preventDefault();
                view.change({step: number});
            },
        },
        label,
    );

const run_link = (run) =>
    el(
        "a",
        {
            class: "run",
            href: `#focus=${run}`,
            onclick: (event) => {
                event.preventDefault();
                event.stopPropagation();
                view.change({focus: view.state.focus === run ? "" : run});
            },
        },
        run,
    );

/**
 * What the reader has chosen. Every choice is in the address, so that it can be sent to somebody:
 * `#step=14&focus=run-2&lane=worker-1`.
 */
const view = {
    trial: null,
    state: {step: 0, focus: "", lane: "", filter: "", only: "", detail: "", scale: "", theme: "", try: ""},
    listeners: [],

    /** Calls back with the state and the names of what changed. */
    observe(listener) {
        this.listeners.push(listener);
    },

    change(changes) {
        const changed = new Set();
        for (const [key, value] of Object.entries(changes)) {
            if (this.state[key] === value) continue;
            this.state[key] = value;
            changed.add(key);
        }
        if (changed.size === 0) return;
        this.write_address();
        for (const listener of this.listeners) listener(this.state, changed);
    },

    write_address() {
        const parts = Object.entries(this.state)
            .filter(([, value]) => value)
            .map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
        clearTimeout(this.writing_);
        // Browsers slow down pages that rewrite their address with every frame.
        this.writing_ = setTimeout(() => history.replaceState(null, "", "#" + parts.join("&")), 60);
    },

    read_address() {
        const read = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
        const changes = {};
        for (const key of Object.keys(this.state))
            if (key in read) changes[key] = key === "step" ? Number(read[key]) || 0 : read[key];
        if (changes.step) changes.step = Math.min(Math.max(changes.step, this.trial.first), this.trial.last);
        return {changes, part: read.part};
    },
};

function show_theme() {
    const {theme} = view.state;
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    by_id("theme").textContent = {"": "◐ auto", light: "○ light", dark: "● dark"}[theme] ?? "◐ auto";
}

const next_theme = () => view.change({theme: {"": "dark", dark: "light", light: ""}[view.state.theme] ?? ""});
