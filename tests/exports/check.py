"""Reads the exports of traces back with the parsers of others, and counts.

    check.py --mermaid FOUND FOLDER...

Each folder holds trace.jsonl and what `redeliver report` made of it; FOUND is what mermaid.mjs found
in their diagrams. Messages, faults, crashes, violations and runs of each export must be those of the
trace, or those of the part that the export says it shows.
"""

import argparse
import csv
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict
from pathlib import Path

MOST_CHARACTERS = 50_000
WIDEST = 120


class Wrong(Exception):
    pass


def claim(what: str, found, expected) -> None:
    if found != expected:
        raise Wrong(f"{what}: found {found}, in the trace {expected}")


class Trace:
    def __init__(self, folder: Path):
        with open(folder / "trace.jsonl", encoding="ascii") as lines:
            self.about, *self.steps = (json.loads(line) for line in lines)
        self.kinds = Counter(step["kind"] for step in self.steps)
        # Whatever is on the wire was put there by one of these.
        self.requests = self.kinds["Sent"]
        self.answers = self.kinds["Replied"] + self.kinds["AnsweredNobody"]
        self.messages = self.requests + self.answers
        self.broken = [each for each in self.about["promises"] if each["verdict"] == "violated"]


def check_mermaid(folder: Path, trace: Trace, found: dict) -> None:
    text = (folder / "sequence.mmd").read_text(encoding="utf-8")
    if found["characters"] > MOST_CHARACTERS:
        raise Wrong(f"{found['characters']} characters")
    stated = re.search(r"%% messages (\d+) of (\d+), lost (\d+) of (\d+), faults (\d+) of (\d+), "
                       r"crashes (\d+) of (\d+)\n", text)
    here, all_of, lost, _, faults, all_faults, crashes, all_crashes = map(int, stated.groups())
    arrows = {kind: count for kind, count in found["counts"].items()
              if kind.endswith(("request", "answer"))}
    claim("arrows", sum(arrows.values()), here)
    claim("lost arrows", sum(count for kind, count in arrows.items() if kind.startswith("lost")), lost)
    claim("messages", all_of, trace.messages)
    claim("faults", all_faults, trace.kinds["FaultFired"])
    claim("crashes", all_crashes, trace.kinds["Crashed"])
    is_whole = "%% showing all" in text
    if is_whole and (faults, crashes) != (all_faults, all_crashes):
        raise Wrong("something is left out of a whole diagram")
    if not is_whole and not any(note.startswith("showing steps") for note in found["notes"]):
        raise Wrong("it is cut, and no note says so")
    claim("faults that strike", sum(bool(re.match(r"[\d.]+s fault \d+ strikes", note))
                                    for note in found["notes"]), faults)
    breaches = sum(note.startswith("BREAKS ") for note in found["notes"])
    if is_whole:
        claim("violations", breaches, len(trace.broken))


def check_perfetto(folder: Path, trace: Trace) -> None:
    document = json.loads((folder / "perfetto.json").read_text(encoding="ascii"))
    by_phase = defaultdict(list)
    for event in document["traceEvents"]:
        by_phase[event["ph"]].append(event)
    instants = Counter(event["cat"] for event in by_phase["i"])
    claim("messages", len(by_phase["s"]) + instants["message"], trace.messages)
    claim("requests", sum(event["cat"] == "requests" for event in by_phase["X"]), trace.requests)
    claim("crashes", instants["Crashed"], trace.kinds["Crashed"])
    claim("times down", sum(event["name"] == "down" for event in by_phase["X"]), trace.kinds["Crashed"])
    claim("faults", instants["FaultFired"], trace.kinds["FaultFired"])
    claim("claims", instants["Claimed"], trace.kinds["Claimed"])
    claim("work", sum(event["cat"] == "work" for event in by_phase["X"]), trace.kinds["WorkStarted"])
    claim("violations", instants["violation"], len(trace.broken))
    slices = defaultdict(list)
    for event in by_phase["X"]:
        slices[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    for track, spans in slices.items():
        check_nesting(track, spans)
    check_flows(by_phase, slices)
    named = {(event["pid"], event["tid"]) for event in by_phase["M"] if event["name"] == "thread_name"}
    if not set(slices) <= named:
        raise Wrong("a track has no name")
    if any(event["args"]["entries"] < 0 for event in by_phase["C"]):
        raise Wrong("a counter is negative")
    check_counters(by_phase["C"], trace)


def check_nesting(track, spans: list) -> None:
    open_until = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        while open_until and open_until[-1] <= start:
            open_until.pop()
        if open_until and end > open_until[-1]:
            raise Wrong(f"a slice of track {track} ends after the one that it is in")
        open_until.append(end)


def check_flows(by_phase: dict, slices: dict) -> None:
    starts = {event["id"]: event for event in by_phase["s"]}
    ends = {event["id"]: event for event in by_phase["f"]}
    claim("ends of flows", sorted(ends), sorted(starts))
    for event in (*starts.values(), *ends.values()):
        spans = slices[event["pid"], event["tid"]]
        if not any(start <= event["ts"] < end for start, end in spans):
            raise Wrong(f"flow {event['id']} is tied to no slice")
    if any(ends[number]["ts"] < start["ts"] - 1 for number, start in starts.items()):
        raise Wrong("a flow ends before it begins")


def check_counters(counters: list, trace: Trace) -> None:
    """The last value of each is the last that the tables show."""
    tables: dict = {}
    for change in (*trace.about.get("tables", []),
                   *(each for step in trace.steps for each in step.get("tables", []))):
        if not change["title"].startswith("groups of "):
            continue
        kind = change.get("kind", "change")
        table = tables.setdefault(change["title"], {"columns": [], "rows": []})
        if kind != "change":
            table.update(columns=change.get("columns", []), rows=[])
        for row in change.get("rows", []):
            place, how = row.get("row", 0), row.get("kind", "insert")
            if how == "insert":
                table["rows"].insert(place, row["cells"])
            elif how == "replace":
                table["rows"][place] = row["cells"]
            else:
                del table["rows"][place]
    last = {}
    for event in counters:
        last[event["name"]] = event["args"]["entries"]
    for title, table in tables.items():
        for row in table["rows"]:
            cells = dict(zip(table["columns"], row))
            name = f"pending of {cells['group']} in {title.removeprefix('groups of ')}"
            claim(name, last.get(name), int(cells["pending"]))


def check_shiviz(folder: Path, trace: Trace) -> None:
    pattern, delimiter, *lines = (folder / "shiviz.log").read_text(encoding="utf-8").split("\n")
    claim("delimiter", delimiter, "")
    claim("last line", lines.pop(), "")
    claim("events", len(lines), len(trace.steps))
    line = re.compile(pattern.replace("(?<", "(?P<"))
    latest: dict = defaultdict(dict)
    counts = Counter()
    for text in lines:
        match = line.fullmatch(text)
        if match is None:
            raise Wrong(f"the pattern does not match {text!r}")
        host, clock = match["host"], json.loads(match["clock"])
        counts[host] += 1
        claim(f"own entry of {host}", clock[host], counts[host])
        for other, count in clock.items():
            if other != host and count > counts[other]:
                raise Wrong(f"{host} knows event {count} of {other}, which is still to come")
        if any(clock.get(other, 0) < count for other, count in latest[host].items()):
            raise Wrong(f"the clock of {host} goes back")
        latest[host] = clock
    events = [line.fullmatch(text)["event"].split(" ")[3] for text in lines]
    if "Crashed" in trace.kinds or "FaultFired" in trace.kinds:
        claim("crashes", events.count("Crashed"), trace.kinds["Crashed"])
        claim("faults", events.count("FaultFired"), trace.kinds["FaultFired"])
    claim("messages", events.count("Sent") + events.count("Replied") + events.count("AnsweredNobody"),
          trace.messages)


def check_csv(folder: Path, trace: Trace) -> None:
    with open(folder / "ledger.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    claim("runs", len(rows), len(trace.about["runs"]))
    for row, run in zip(rows, trace.about["runs"]):
        for name, count in run["counts"].items():
            claim(f"{name} of {run['run']}", int(row[name]), count)
        for name, cell in row.items():
            if name is None or cell is None:
                raise Wrong("a row is longer or shorter than the heading")
            if cell[:1] in ("=", "+", "-", "@", "\t", "\r"):
                raise Wrong(f"{name} would be calculated: {cell!r}")


def check_ascii(folder: Path, trace: Trace) -> None:
    text = (folder / "chart.txt").read_text(encoding="ascii")
    for line in text.split("\n"):
        if len(line) > WIDEST or not all(" " <= each <= "~" for each in line):
            raise Wrong(f"{line!r} does not fit")
    words = " ".join(text.split())
    number = r"([\d,]+)"
    stated = re.search(rf"Drawn are {number} of {number} messages? .*?, {number} lost; {number} "
                       rf"faults?, {number} crash(?:es)?; {number} steps? in all", words)
    drawn, messages, _, faults, crashes, steps = (int(each.replace(",", "")) for each in stated.groups())
    claim("messages", messages, trace.messages)
    claim("faults", faults, trace.kinds["FaultFired"])
    claim("crashes", crashes, trace.kinds["Crashed"])
    claim("steps", steps, len(trace.steps))
    region = slice(10, 10 + lanes_width(trace))
    tip = re.compile(r"->|<-|\.>|<\.|[-.][x?]|[x?][-.]")
    claim("arrows", sum(bool(re.match(r" +\d+\.\d{3}s ", line) and tip.search(line[region]))
                        for line in text.split("\n")), drawn)


def lanes_width(trace: Trace) -> int:
    """Of the part of a line where arrows are: as wide a lane as leaves 40 columns for words."""
    nodes = {step.get(who) for step in trace.steps for who in ("actor", "peer")} - {None, ""}
    lanes = min(len(nodes), 70 // 3)
    return lanes * min(max(70 // lanes, 3), 11)


def check_junit(folder: Path, trace: Trace) -> None:
    suite = ElementTree.parse(folder / "junit.xml").getroot().find("testsuite")
    cases = suite.findall("testcase")
    judged = [each for each in trace.about["promises"] if each["expected"] in ("holds", "breaks")]
    promises = [case for case in cases if case.get("name") != "expectations"]
    claim("promises", len(promises), len(judged))
    claim("tests", int(suite.get("tests")), len(cases))
    for what, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        claim(what, int(suite.get(what)), len(suite.findall(f"testcase/{tag}")))
    wrong = sum(each["expected"] == "holds" and each["verdict"] == "violated" for each in judged)
    if len(suite.findall("testcase/failure")) < wrong:
        raise Wrong("a broken promise is no failure")
    is_red = suite.find("testcase/failure") is not None or suite.find("testcase/error") is not None
    claim("whether it is red", is_red, trace.about["outcome"] != "as_expected")
    for failure in suite.findall("testcase/failure"):
        for part in ("story ", "seed ", "same trial "):
            if part not in failure.text:
                raise Wrong(f"a failure does not tell its {part}")


def check_summary(folder: Path, trace: Trace) -> None:
    text = (folder / "summary.md").read_text(encoding="utf-8")
    claim("violations", len(re.findall(r"^\*\*.* broke\*\* at ", text, re.M)), len(trace.broken))
    rows = re.findall(r"^\| [^|]+ \| ([\d,]+) \|$", text.replace("\\|", ""), re.M)
    claim("totals", sorted(int(each.replace(",", "")) for each in rows),
          sorted(value for value in trace.about["totals"].values() if value > 0))
    if re.search(r"<[a-z/!]", text[:text.index("### See it again")], re.I):
        raise Wrong("there is HTML in it")


def check_annotations(folder: Path, trace: Trace) -> None:
    text = (folder / "annotations.txt").read_text(encoding="utf-8")
    lines = text.removesuffix("\n").split("\n")
    command = re.compile(r"::(error|warning|notice) title=([^:,\r]*)::(.*)")
    for line in lines:
        if command.fullmatch(line) is None or "\r" in line:
            raise Wrong(f"{line!r} is no annotation of ours")
    errors = sum(line.startswith("::error ") for line in lines)
    wrong = [each for each in trace.broken if each["expected"] == "holds"]
    if errors < len(wrong):
        raise Wrong("a broken promise is no error")


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--mermaid", type=Path, required=True)
    arguments.add_argument("folders", type=Path, nargs="+")
    options = arguments.parse_args()
    diagrams = json.loads(options.mermaid.read_text(encoding="utf-8"))
    checks = {
        "perfetto": check_perfetto, "shiviz": check_shiviz, "csv": check_csv, "ascii": check_ascii,
        "junit": check_junit, "summary": check_summary, "annotations": check_annotations,
    }
    failures = 0
    for folder in options.folders:
        trace = Trace(folder)
        diagram = diagrams[str(folder / "sequence.mmd")]
        each_check = {"mermaid": lambda f, t, d=diagram: check_mermaid(f, t, d), **checks}
        for name, check in each_check.items():
            try:
                check(folder, trace)
            except Wrong as wrong:
                failures += 1
                print(f"{folder.name}: {name}: {wrong}")
        print(f"{folder.name}: {trace.messages} messages, {trace.kinds['FaultFired']} faults, "
              f"{trace.kinds['Crashed']} crashes, {len(trace.broken)} promises broken")
    sys.exit(1 if failures else 0)


main()
