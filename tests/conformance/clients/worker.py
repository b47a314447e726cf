"""The worker loop of a chat back end, by redis-py, against whatever listens on HOST PORT.

Prints what every command answered, one line each. Entry ids are numbered in the order in which
they were first seen, so that two servers that behave alike give the same lines.
"""

import sys
import threading
import time

import redis

RUNS, DEAD, GROUP = "koda:runs", "koda:runs:dead", "workers"
IDLE_MS, POISON_THRESHOLD = 250, 3

numbers: dict[str, str] = {}
runs: dict[str, str] = {}  # By idempotency key.
status: dict[str, str] = {}
replies: set[str] = set()


speaking = threading.RLock()  # Held for as long as nobody else may say something in between.


def say(*words: object) -> None:
    with speaking:
        print(*words, flush=True)


def listed(words: list[str]) -> str:
    return f"[{' '.join(words)}]"


def numbered(entry_id: str) -> str:
    if entry_id == "0-0":
        return entry_id
    return numbers.setdefault(entry_id, f"e{len(numbers) + 1}")


def attempt(call) -> object:
    try:
        return "OK" if (answer := call()) is True else answer
    except redis.RedisError as error:
        return f"error {error}"


def submit(broker: redis.Redis, key: str, text: str) -> None:
    """The gateway: insert first, publish second; a known key answers with the known run."""
    if key in runs:
        say("gateway", key, "known", runs[key])
        return
    run = runs[key] = f"run-{len(runs) + 1}"
    status[run] = text
    entry = broker.xadd(RUNS, {"runId": run, "sessionId": "s1"})
    say("gateway", key, "accepted", run, "published", numbered(entry))


def move_to_dead_letters(broker: redis.Redis, name: str, entry: str, run: str, count: int) -> None:
    with broker.pipeline(transaction=True) as transaction:
        letter = {"runId": run, "originalId": numbered(entry), "deliveries": count}
        transaction.xadd(DEAD, letter)
        transaction.xack(RUNS, GROUP, entry)
        added, acknowledged = transaction.execute()
    status[run] = "failed"
    say(name, "dead-lettered", run, "as", numbered(added), "acknowledged", acknowledged)


def work(broker: redis.Redis, name: str, entry: str, run: str) -> None:
    if status[run] == "poison":
        row = broker.xpending_range(RUNS, GROUP, entry, entry, 1)[0]
        count = row["times_delivered"]
        say(name, "failed on", run, "delivery", count, "of", row["consumer"])
        if count >= POISON_THRESHOLD:
            move_to_dead_letters(broker, name, entry, run, count)
        return
    is_new = run not in replies
    replies.add(run)
    status[run] = "done"
    say(name, "stored" if is_new else "absorbed", "the reply of", run)
    say(name, "acknowledged", broker.xack(RUNS, GROUP, entry))


def take(broker: redis.Redis, name: str, count: int, block: int | None = None) -> list:
    """Abandoned entries first; new ones only when there were none."""
    cursor, claimed, deleted = broker.xautoclaim(RUNS, GROUP, name, IDLE_MS, "0-0", count=10)
    ids = listed([numbered(entry) for entry, _ in claimed])
    say(name, "claimed", ids, "cursor", cursor, "deleted", listed(deleted))
    if claimed:
        return claimed
    answer = broker.xreadgroup(GROUP, name, {RUNS: ">"}, count=count, block=block)
    entries = answer[0][1] if answer else []
    say(name, "read", listed([numbered(entry) for entry, _ in entries]))
    return entries


def turn(broker: redis.Redis, name: str, count: int, block: int | None = None) -> None:
    for entry, fields in take(broker, name, count, block):
        work(broker, name, entry, fields["runId"])


def pending(broker: redis.Redis) -> None:
    summary = broker.xpending(RUNS, GROUP)
    owners = [f"{owner['name']}={owner['pending']}" for owner in summary["consumers"] or []]
    say("pending", summary["pending"], listed(owners))


def check_acknowledging(broker: redis.Redis) -> None:
    say("group", attempt(lambda: broker.xgroup_create(RUNS, GROUP, "0", mkstream=True)))
    say("group", attempt(lambda: broker.xgroup_create(RUNS, GROUP, "0", mkstream=True)))
    submit(broker, "k1", "hello")
    turn(broker, "worker-1", 10)
    pending(broker)


def check_splitting(broker: redis.Redis) -> None:
    for key in ("k2", "k3", "k4"):
        submit(broker, key, "hello")
    first = take(broker, "worker-1", 2)
    second = take(broker, "worker-2", 2)
    pending(broker)
    for name, entries in (("worker-1", first), ("worker-2", second)):
        for entry, fields in entries:
            work(broker, name, entry, fields["runId"])
    pending(broker)


def check_duplicates(broker: redis.Redis) -> None:
    for key in ("k5", "k6", "k5", "k7"):
        submit(broker, key, "hello")
    turn(broker, "worker-1", 10)
    say("runs", len(runs), "replies", len(replies))


def check_crash(connect) -> None:
    dying = connect()
    submit(dying, "k8", "hello")
    take(dying, "worker-1", 10)
    dying.close()
    survivor = connect()
    pending(survivor)
    time.sleep(2 * IDLE_MS / 1000)
    turn(survivor, "worker-2", 10)
    pending(survivor)
    survivor.close()


def check_poison(broker: redis.Redis) -> None:
    submit(broker, "k9", "poison")
    for _ in range(POISON_THRESHOLD):
        turn(broker, "worker-1", 10)
        time.sleep(2 * IDLE_MS / 1000)
    turn(broker, "worker-1", 10)
    pending(broker)
    letters = [" ".join(word for pair in fields.items() for word in pair)
               for _, fields in broker.xrange(DEAD)]
    say("dead letters", listed(letters))
    say("status", status[runs["k9"]])


def check_blocking(connect) -> None:
    reader, gateway = connect(), connect()
    turn(reader, "worker-1", 10, block=50)
    waiting = threading.Thread(target=turn, args=(reader, "worker-1", 10, 5000))
    waiting.start()
    while gateway.info("clients")["blocked_clients"] == 0:
        time.sleep(0.01)
    with speaking:
        submit(gateway, "k10", "hello")
    waiting.join()
    reader.close()
    gateway.close()


def check_pipeline(broker: redis.Redis) -> None:
    with broker.pipeline(transaction=False) as pipeline:
        pipeline.xlen(RUNS).xlen(DEAD).get(RUNS).ping()
        answers = pipeline.execute(raise_on_error=False)
    say("pipeline", *(f"error {a}" if isinstance(a, redis.RedisError) else a for a in answers[:3]))
    say("ping", "PONG" if answers[3] is True else answers[3])


def check_totals(broker: redis.Redis) -> None:
    for group in broker.xinfo_groups(RUNS):
        group["last-delivered-id"] = numbered(group["last-delivered-id"])
        say("group", *(f"{name}={value}" for name, value in sorted(group.items())))
    for consumer in broker.xinfo_consumers(RUNS, GROUP):
        say("consumer", consumer["name"], "pending", consumer["pending"])
    say("no group", attempt(lambda: broker.xreadgroup("nosuch", "w", {RUNS: ">"})))
    say("deleted", broker.xgroup_delconsumer(RUNS, GROUP, "worker-2"))
    say("trimmed", broker.xtrim(RUNS, maxlen=3, approximate=False))
    say("left", listed([numbered(entry) for entry, _ in broker.xrange(RUNS)]))


def main() -> None:
    host, port = sys.argv[1], int(sys.argv[2])

    def connect() -> redis.Redis:
        return redis.Redis(host, port, decode_responses=True, single_connection_client=True)

    broker = connect()
    broker.flushall()
    check_acknowledging(broker)
    check_splitting(broker)
    check_duplicates(broker)
    check_crash(connect)
    check_poison(broker)
    check_blocking(connect)
    check_pipeline(broker)
    check_totals(broker)


main()
