// The worker loop of worker.py, by ioredis: the same lines for the same behaviour.

import Redis from "ioredis";

const RUNS = "koda:runs", DEAD = "koda:runs:dead", GROUP = "workers";
const IDLE_MS = 250, POISON_THRESHOLD = 3;

const numbers = new Map();
const runs = new Map();  // By idempotency key.
const status = new Map();
const replies = new Set();

const say = (...words) => console.log(...words);
const listed = (words) => `[${words.join(" ")}]`;
const pause = (ms) => new Promise((resume) => setTimeout(resume, ms));
const fieldsOf = (flat) => {
    const fields = {};
    for (let at = 0; at < flat.length; at += 2) fields[flat[at]] = flat[at + 1];
    return fields;
};

function numbered(id) {
    if (id === "0-0") return id;
    if (!numbers.has(id)) numbers.set(id, `e${numbers.size + 1}`);
    return numbers.get(id);
}

async function attempt(command) {
    try {
        return await command;
    } catch (error) {
        return `error ${error.message}`;
    }
}

// The gateway: insert first, publish second; a known key answers with the known run.
async function submit(broker, key, text) {
    if (runs.has(key)) return say("gateway", key, "known", runs.get(key));
    const run = `run-${runs.size + 1}`;
    runs.set(key, run);
    status.set(run, text);
    const entry = await broker.xadd(RUNS, "*", "runId", run, "sessionId", "s1");
    say("gateway", key, "accepted", run, "published", numbered(entry));
}

async function moveToDeadLetters(broker, name, entry, run, count) {
    const [[, added], [, acknowledged]] = await broker
        .multi()
        .xadd(DEAD, "*", "runId", run, "originalId", numbered(entry), "deliveries", count)
        .xack(RUNS, GROUP, entry)
        .exec();
    status.set(run, "failed");
    say(name, "dead-lettered", run, "as", numbered(added), "acknowledged", acknowledged);
}

async function work(broker, name, entry, run) {
    if (status.get(run) === "poison") {
        const [[, owner, , count]] = await broker.xpending(RUNS, GROUP, entry, entry, 1);
        say(name, "failed on", run, "delivery", count, "of", owner);
        if (count >= POISON_THRESHOLD) await moveToDeadLetters(broker, name, entry, run, count);
        return;
    }
    const isNew = !replies.has(run);
    replies.add(run);
    status.set(run, "done");
    say(name, isNew ? "stored" : "absorbed", "the reply of", run);
    say(name, "acknowledged", await broker.xack(RUNS, GROUP, entry));
}

async function claim(broker, name) {
    const [cursor, claimed, deleted] =
        await broker.xautoclaim(RUNS, GROUP, name, IDLE_MS, "0-0", "COUNT", 10);
    const ids = listed(claimed.map(([entry]) => numbered(entry)));
    say(name, "claimed", ids, "cursor", cursor, "deleted", listed(deleted));
    return claimed;
}

function read(broker, name, count, ...blocking) {
    return broker.xreadgroup(
        "GROUP", GROUP, name, "COUNT", count, ...blocking, "STREAMS", RUNS, ">");
}

function tellRead(name, answer) {
    const entries = answer === null ? [] : answer[0][1];
    say(name, "read", listed(entries.map(([entry]) => numbered(entry))));
    return entries;
}

// Abandoned entries first; new ones only when there were none.
async function take(broker, name, count) {
    const claimed = await claim(broker, name);
    return claimed.length > 0 ? claimed : tellRead(name, await read(broker, name, count));
}

async function workAll(broker, name, entries) {
    for (const [entry, flat] of entries) await work(broker, name, entry, fieldsOf(flat).runId);
}

async function turn(broker, name, count) {
    await workAll(broker, name, await take(broker, name, count));
}

async function pending(broker) {
    const [count, , , owners] = await broker.xpending(RUNS, GROUP);
    say("pending", count, listed((owners ?? []).map(([name, held]) => `${name}=${held}`)));
}

async function checkAcknowledging(broker) {
    for (let time = 0; time < 2; ++time)
        say("group", await attempt(broker.xgroup("CREATE", RUNS, GROUP, "0", "MKSTREAM")));
    await submit(broker, "k1", "hello");
    await turn(broker, "worker-1", 10);
    await pending(broker);
}

async function checkSplitting(broker) {
    for (const key of ["k2", "k3", "k4"]) await submit(broker, key, "hello");
    const first = await take(broker, "worker-1", 2);
    const second = await take(broker, "worker-2", 2);
    await pending(broker);
    await workAll(broker, "worker-1", first);
    await workAll(broker, "worker-2", second);
    await pending(broker);
}

async function checkDuplicates(broker) {
    for (const key of ["k5", "k6", "k5", "k7"]) await submit(broker, key, "hello");
    await turn(broker, "worker-1", 10);
    say("runs", runs.size, "replies", replies.size);
}

async function checkCrash(connect) {
    const dying = connect();
    await submit(dying, "k8", "hello");
    await take(dying, "worker-1", 10);
    dying.disconnect();
    const survivor = connect();
    await pending(survivor);
    await pause(2 * IDLE_MS);
    await turn(survivor, "worker-2", 10);
    await pending(survivor);
    survivor.disconnect();
}

async function checkPoison(broker) {
    await submit(broker, "k9", "poison");
    for (let delivery = 0; delivery < POISON_THRESHOLD; ++delivery) {
        await turn(broker, "worker-1", 10);
        await pause(2 * IDLE_MS);
    }
    await turn(broker, "worker-1", 10);
    await pending(broker);
    const letters = await broker.xrange(DEAD, "-", "+");
    say("dead letters", listed(letters.map(([, flat]) => flat.join(" "))));
    say("status", status.get(runs.get("k9")));
}

async function checkBlocking(connect) {
    const reader = connect(), gateway = connect();
    await claim(reader, "worker-1");
    tellRead("worker-1", await read(reader, "worker-1", 10, "BLOCK", 50));
    await claim(reader, "worker-1");
    const answer = read(reader, "worker-1", 10, "BLOCK", 5000);
    while ((await gateway.info("clients")).includes("blocked_clients:0")) await pause(10);
    await submit(gateway, "k10", "hello");
    await workAll(reader, "worker-1", tellRead("worker-1", await answer));
    reader.disconnect();
    gateway.disconnect();
}

async function checkPipeline(broker) {
    const answers = await broker.pipeline().xlen(RUNS).xlen(DEAD).get(RUNS).ping().exec();
    const words = answers.map(([error, value]) => error ? `error ${error.message}` : value);
    say("pipeline", ...words.slice(0, 3));
    say("ping", words[3]);
}

async function checkTotals(broker) {
    for (const flat of await broker.xinfo("GROUPS", RUNS)) {
        const group = fieldsOf(flat);
        group["last-delivered-id"] = numbered(group["last-delivered-id"]);
        say("group", ...Object.keys(group).sort().map((name) => `${name}=${group[name]}`));
    }
    for (const flat of await broker.xinfo("CONSUMERS", RUNS, GROUP)) {
        const consumer = fieldsOf(flat);
        say("consumer", consumer.name, "pending", consumer.pending);
    }
    say("no group",
        await attempt(broker.xreadgroup("GROUP", "nosuch", "w", "STREAMS", RUNS, ">")));
    say("deleted", await broker.xgroup("DELCONSUMER", RUNS, GROUP, "worker-2"));
    say("trimmed", await broker.xtrim(RUNS, "MAXLEN", 3));
    const left = await broker.xrange(RUNS, "-", "+");
    say("left", listed(left.map(([entry]) => numbered(entry))));
}

const [host, port] = process.argv.slice(2);
const connect = () => new Redis(Number(port), host, {retryStrategy: null});

const broker = connect();
await broker.flushall();
await checkAcknowledging(broker);
await checkSplitting(broker);
await checkDuplicates(broker);
await checkCrash(connect);
await checkPoison(broker);
await checkBlocking(connect);
await checkPipeline(broker);
await checkTotals(broker);
broker.disconnect();
