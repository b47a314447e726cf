"""Audits the reference design: takes its repairs back one by one, and tries every single fault.

    audit.py --binary redeliver --write PAGE --cases FOLDER --log FILE
    audit.py --binary redeliver --check PAGE --cases FOLDER --log FILE

holes.json lists the repairs: what to set to take each back, which promise then breaks, and how the
hole is mended. For each the repaired design without that one repair is explored; the first breach
is shrunk and explained, and its case kept; then the repair is put back and the case must hold. What
is listed as spare are repairs behind which another one stands: without them nothing may break.

--write writes the page and the cases. --check explores once more and fails where the page or a case
says something else. --log names what `redeliver explore` printed about the million random trials of
the repaired design, which the page quotes.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Redeliver:
    """The program, and the folder in which it writes what nobody asked for."""

    def __init__(self, binary: str, folder: str):
        self.binary = str(Path(binary).resolve())
        self.folder = folder

    def __call__(self, *arguments: str) -> dict:
        finished = subprocess.run(
            [self.binary, *arguments, "--json"],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if not finished.stdout:
            sys.exit(f"audit: redeliver {' '.join(arguments)}: {finished.stderr.strip()}")
        return json.loads(finished.stdout)


def settings(values: list) -> list:
    return [word for value in values for word in ("--set", value)]


def counts(exploration: dict, promise: str) -> dict:
    return next(each for each in exploration["promises"] if each["name"] == promise)["verdicts"]


def broken(exploration: dict) -> dict:
    """How many attempts broke each promise that was to hold."""
    return {
        each["name"]: each["verdicts"]["violated"]
        for each in exploration["promises"]
        if each["expected"] == "holds" and each["verdicts"]["violated"]
    }


def expectations(promises: list, broken_one: str) -> list:
    """Of a story that is about this hole: what is to hold but for the one that is to break."""
    held = [name for name in promises if name != broken_one]
    return [f"expect.holds={json.dumps(held)}", f"expect.breaks={json.dumps([broken_one])}"]


def explore(redeliver: Redeliver, story: str, hole: dict, promises: list, repair: list) -> dict:
    """The single faults, or, where one does not suffice, random ones; with the repair put back or
    without it."""
    how = ["--strategy", hole["strategy"]]
    if hole["strategy"] == "random":
        how += ["--trials", str(hole["trials"])]
    if "only" in hole:
        how += ["--only", hole["only"]]
    changes = hole["without"] + repair + expectations(promises, hole["promise"])
    return redeliver("explore", story, *how, *settings(changes), "--out", hole["name"])


def broken_case(story: str, hole: dict, promises: list) -> list:
    """What to explain: the first that the exploration found, or the random trial that is named
    because fewer faults suffice for it."""
    if "seed" not in hole:
        return [f"{hole['name']}/{story}/{hole['promise']}/case.json"]
    changes = hole["without"] + expectations(promises, hole["promise"])
    return [story, "--seed", str(hole["seed"]), *settings(changes)]


def audit(redeliver: Redeliver, story: str, hole: dict, promises: list) -> dict:
    explored = explore(redeliver, story, hole, promises, [])
    violated = counts(explored, hole["promise"])["violated"]
    if violated == 0:
        sys.exit(f"audit: {hole['name']}: nothing broke {hole['promise']}")
    case = f"audit-{hole['name']}.json"
    found = broken_case(story, hole, promises)
    explained = redeliver("explain", *found, "--promise", hole["promise"], "--out", case)
    mended = redeliver("replay", case, *settings(hole["repair"]))
    verdict = next(e["verdict"] for e in mended["verdicts"] if e["promise"] == hole["promise"])
    if verdict != "holds":
        sys.exit(f"audit: {hole['name']}: with {' '.join(hole['repair'])}, {case}: {verdict}")
    repaired = explore(redeliver, story, hole, promises, hole["repair"])
    if counts(repaired, hole["promise"])["violated"]:
        sys.exit(f"audit: {hole['name']}: {' '.join(hole['repair'])} does not mend all")
    return {
        "tried": explored["tried"],
        "repaired": repaired["tried"],
        "violated": violated,
        "explained": explained,
        "case": Path(redeliver.folder) / case,
    }


# ------------------------------------------------------------------ the page


def number(value: int) -> str:
    return f"{value:,}"


def set_words(values: list) -> str:
    return ", ".join(f"`{value}`" for value in values)


def seconds(microseconds: int) -> str:
    return f"{microseconds / 1e6:.3f} s"


def kind_of(hole: dict) -> str:
    return "single faults" if hole["strategy"] == "enumerate" else "random trials"


def summary(holes: list, results: list) -> list:
    rows = ["| hole | without | breaks | in | mended by |", "| --- | --- | --- | --- | --- |"]
    for hole, result in zip(holes, results):
        rows.append(
            f"| [{hole['title']}](#{hole['name']}) | {set_words(hole['without'])} "
            f"| `{hole['promise']}` | {number(result['violated'])} of {number(result['tried'])} {kind_of(hole)} "
            f"| {set_words(hole['repair'])} |"
        )
    return rows


def section(hole: dict, result: dict) -> list:
    explained = result["explained"]
    size = explained["shrunk"]["after"]
    lines = [
        f'## <a id="{hole["name"]}"></a>{hole["title"]}',
        "",
        hole["hole"],
        "",
        f"The shrunk case has {size['faults']} fault{'s' * (size['faults'] != 1)} and "
        f"{size['messages']} message{'s' * (size['messages'] != 1)}: "
        f"`redeliver replay tests/cases/audit-{hole['name']}.json`.",
        "",
    ]
    lines += [f"- {seconds(each['at_us'])}: {each['text']}" for each in explained["sentences"]]
    lines += ["", *[f"Needed: {fault['text']}." for fault in explained["faults"]]]
    if not explained["faults"]:
        lines.append("It needs no fault.")
    repair = " ".join(f"--set {value}" for value in hole["repair"])
    lines += [
        "",
        f"**Repair.** {hole['mended']} "
        f"`redeliver replay tests/cases/audit-{hole['name']}.json {repair}` keeps the promise, "
        f"and so do all {number(result['repaired'])} {kind_of(hole)} with it.",
        "",
    ]
    return lines


def spares(story: str, tried: list) -> list:
    """What can be taken back alone without harm."""
    lines = [
        "## What another repair stands behind",
        "",
        "Each of these can be taken back alone, and no single fault breaks a promise. That is no reason to do so:",
        "",
    ]
    for spare, count in tried:
        lines.append(f"- {set_words(spare['without'])}: {number(count)} single faults. {spare['why']}")
    return lines + [""]


def page(
    text: str, told: dict, promises: list, results: list, spared: list, singles: int, log: str
) -> str:
    story, holes = told["story"], told["holes"]
    lines = [
        text.format(
            story=story,
            singles=number(singles),
            promises=len(promises),
            holes=len(holes),
        ).rstrip(),
        "",
        *summary(holes, results),
        "",
    ]
    for hole, result in zip(holes, results):
        lines += section(hole, result)
    lines += spares(story, spared)
    lines += ["## The million random trials", "", "```", log.rstrip(), "```"]
    return "\n".join(lines) + "\n"


def without_build(text: str) -> str:
    """What a case says but for the build that wrote it."""
    return "".join(line for line in text.splitlines(True) if not line.startswith('  "build": '))


def explore_spare(redeliver: Redeliver, story: str, spare: dict) -> int:
    explored = redeliver("explore", story, "--strategy", "enumerate", *settings(spare["without"]))
    if broken(explored):
        sys.exit(f"audit: without {' '.join(spare['without'])}: {broken(explored)}")
    return explored["tried"]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--check", type=Path)
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--log", type=Path, required=True)
    arguments = parser.parse_args()
    if (arguments.write is None) == (arguments.check is None):
        parser.error("one of --write and --check is needed")
    told = json.loads((HERE / "holes.json").read_text())
    story = told["story"]
    with tempfile.TemporaryDirectory() as folder:
        redeliver = Redeliver(arguments.binary, folder)
        repaired = redeliver("explore", story, "--strategy", "enumerate")
        if broken(repaired):
            sys.exit(f"audit: the repaired design breaks {broken(repaired)}")
        promises = [each["name"] for each in repaired["promises"] if each["expected"] == "holds"]
        results = []
        for hole in told["holes"]:
            results.append(audit(redeliver, story, hole, promises))
            print(f"{hole['name']}: {results[-1]['violated']} of {results[-1]['tried']}", flush=True)
        spared = [(spare, explore_spare(redeliver, story, spare)) for spare in told["spare"]]
        text = (HERE / "page.md").read_text()
        written = {
            arguments.cases / f"audit-{hole['name']}.json": result["case"].read_text()
            for hole, result in zip(told["holes"], results)
        }
        written[arguments.write or arguments.check] = page(
            text, told, promises, results, spared, repaired["tried"], arguments.log.read_text()
        )
    for path, content in written.items():
        if arguments.write:
            path.write_text(content)
        elif not path.exists() or without_build(path.read_text()) != without_build(content):
            sys.exit(f"audit: {path} says something else; write it again with --write")


if __name__ == "__main__":
    main()
