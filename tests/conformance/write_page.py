"""Writes docs/redis-conformance.md from what the judges said, or checks that it says the same.

    write_page.py --write | --check RESULTS PAGE

RESULTS is the folder that judge.sh fills: differential.json and one text per judge.
"""

import json
import re
import sys
from pathlib import Path

# Commands about the connection or the process. No byte of their replies is compared: what they
# answer depends on the process that answers. Redis's own tests and the real clients use them.
BESIDE_THE_DATA = {
    "HELLO, AUTH, SELECT, CLIENT, ECHO, QUIT, RESET": "connections and their protocol",
    "COMMAND": "what clients ask when they connect",
    "INFO": "the fields that clients and Redis's own tests read",
    "CONFIG GET, SET, RESETSTAT": "node sizes, persistence and memory; others are refused",
    "DEBUG LOADAOF, BGREWRITEAOF": "rebuild the state from the log, and rewrite the log",
    "RESTORE": "strings and streams",
    "FUNCTION FLUSH, WAIT, TIME, DBSIZE, SHUTDOWN": "as far as an empty server would do something",
}

NOT_MODELLED = {
    "Scripts (EVAL, FCALL), Pub/Sub, MONITOR, ACL, modules, cluster, SORT, SCAN, OBJECT": "no actor needs them",
    "Most commands of lists, sets, hashes, bitmaps, geo": "lists and sets exist to put another type where a stream is expected",
    "SELECT of another database than 0, SWAPDB, MOVE, COPY": "there is one database",
    "Eviction (maxmemory-policy other than noeviction)": "a limit refuses commands that may grow memory",
    "The order in which reads with the same deadline time out": "the real server goes by the address of the client",
    "Sizes in bytes of INFO memory, and CPU times": "zero or absent",
    "Versions other than 7.0.15": "6.2, 7.2 and 7.4 are a switch with the differences that their documentation and our tests name; only 7.0 is judged by a real server",
    "8.x commands (XDELEX, XACKDEL, XNACK, IDMP, CLAIM)": "not there",
}


# What the judge says of a run that depends on its seed alone.
DETERMINED = r"^differential:|commands met|masked|^coverage:|agree with the model"


def read(results: Path, name: str) -> str:
    return (results / f"{name}.txt").read_text()


def lines_with(text: str, pattern: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if re.search(pattern, line)]


def outcomes(cells: dict) -> str:
    by_option = []
    for option, found in cells.items():
        kinds = sorted({outcome.removeprefix("waited:") for outcome in found} - {"queued"})
        by_option.append(f"`{option}`: " + ", ".join(kinds))
    return "; ".join(by_option).replace("|", "\\|")


def command_table(commands: dict) -> list[str]:
    rows = ["| command | compared | options, and what came of them |", "| --- | ---: | --- |"]
    for name, cells in sorted(commands.items()):
        rows.append(f"| {name} | {cells['commands']:,} | {outcomes(cells.get('options', {}))} |")
    return rows


def pair_table(head: str, pairs: dict) -> list[str]:
    return [head, "| --- | --- |", *(f"| {left} | {right} |" for left, right in pairs.items())]


def mutation_table(head: str, text: str) -> list[str]:
    rows = [f"| {head} | caught |", "| --- | --- |"]
    for line in text.splitlines():
        found = re.match(r"(\S+)\s+(.*): (caught by .*)$", line)
        if found:
            rows.append(f"| {found[1]}: {found[2]} | {found[3].removeprefix('caught ')} |")
    return rows


def without_names(text: str) -> str:
    return re.sub(r"(Unsupported option) .*", r"\1 ...", text)


def without_count(line: str) -> str:
    return re.sub(r"\d+ tests failed, as they must", "tests fail, as they must", line)


def without_speed(line: str) -> str:
    return re.sub(r",? *[0-9.]+ s\b.*$", "", line)


def page(results: Path) -> str:
    differential = json.loads((results / "differential.json").read_text())
    compared = differential["differential"]
    coverage = compared["coverage"]
    quoted = [
        *(without_count(line) for line in lines_with(read(results, "suite"), r"^redis_suite:")),
        *(without_speed(line) for line in lines_with(read(results, "differential"), DETERMINED)),
        *lines_with(read(results, "mutations"), r"^mutations:"),
        *lines_with(read(results, "clients"), r"^real clients"),
        *lines_with(read(results, "lab-check"), r"^lab-check"),
        *lines_with(read(results, "fuzz"), r"^fuzz:"),
    ]
    texts = sorted({without_names(text) for text in coverage["error_texts"]})
    long_run = Path(__file__).with_name("long_run.txt").read_text().splitlines()
    parts = [
        "# How the broker model is judged",
        "",
        "<!-- Written by tests/conformance/write_page.py; ./dev test --conformance checks it. -->",
        "",
        "The broker model answers like redis-server 7.0.15. Those who say so did not write it: Redis's own",
        "tests, a real redis-server under a clock that the judge sets, three client libraries, and a fuzzer.",
        "`./dev test --conformance` runs them all, and came to this:",
        "",
        "```",
        *quoted,
        "```",
        "",
        "Once, with `./dev test --conformance --commands 2000000`:",
        "",
        "```",
        *long_run,
        "```",
        "",
        "## Command by command",
        "",
        "Each was sent to the model and to redis-server, and each reply was the same, byte for byte, RESP2 and",
        "RESP3, at once, behind a blocked read, and inside MULTI. An outcome is the kind of reply: `ok`, `0`,",
        "`n` (a number above 0), `value`, `empty`, `nil`, or the code of the error. The judge fails when an",
        "outcome listed in `tests/conformance/cells.txt` was never met.",
        "",
        *command_table(coverage["commands"]),
        "",
        "These concern the connection or the process. Redis's own tests and the real clients use them; their",
        "replies are not compared byte for byte:",
        "",
        *pair_table("| command | what there is |", BESIDE_THE_DATA),
        "",
        "## Error texts",
        "",
        f"{len(texts)} different texts were compared; `...` stands for what they quote:",
        "",
        "```",
        *texts,
        "```",
        "",
        "## Wrong brokers",
        "",
        "A judge that finds nothing may be blind. So small mistakes were put into the model, one at a time; those",
        "named B were reported of real servers or of doubles of them. Each was found:",
        "",
        *mutation_table("wrong broker", read(results, "mutations")),
        "",
        "## Restarts and failovers",
        "",
        "A restart is a SIGKILL at a random command, under each `appendfsync`; a failover promotes a replica",
        "whose link was frozen before. The survivor equals the model at the prefix of the commands that is named:",
        "",
        "```",
        *(differential["restarts"]["lines"]),
        *(differential["failovers"]["lines"]),
        "```",
        "",
        "## What is not modelled",
        "",
        *pair_table("| what | instead |", NOT_MODELLED),
        "",
    ]
    return "\n".join(parts)


def keep(page, how: str, results: Path, target: Path) -> None:
    """Writes what the function makes of the results, or ends with an error if it is not there."""
    text = page(results)
    if how == "--write":
        target.write_text(text)
    elif not target.exists() or target.read_text() != text:
        fresh = results / target.name
        fresh.write_text(text)
        sys.exit(f"{target} is out of date: compare it with {fresh}, or run with --write-page")
    print(f"page: {target.name} says what the judges said")


if __name__ == "__main__":
    keep(page, sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
