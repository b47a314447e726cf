"""Writes a trace again with a hostile text in each of its names.

    hostile.py TRACE WHERE

Nodes, runs, the story and all sentences get a text that ends, opens or commands something in one
format or another. What a reader of the trace depends on (kinds, verdicts, marks) stays.
"""

import json
import sys

HOSTILE = "end; # %% </script>]]><x y=\"1\"> \x1b[2J\0 \r\n::error::x\n##[error]x | ` ``` $$ \u202e\t=end"
# Both formulas and commands are dangerous at the beginning.
BEGINNINGS = ("=cmd|' /C calc'!A1", "@", "-1", "\t", "\r\n::error::")

KEPT = {
    "trace", "step_count", "fingerprint", "outcome", "ending", "role", "kind", "mark", "expected",
    "verdict", "verdicts", "need", "content", "status", "counts", "totals", "columns", "title",
    "path", "value", "words", "tables",
}


def hostile(value):
    if isinstance(value, str):
        return f"{BEGINNINGS[len(value) % len(BEGINNINGS)]}{value}{HOSTILE}" if value else value
    if isinstance(value, list):
        return [hostile(each) for each in value]
    if isinstance(value, dict):
        return {key: each if key in KEPT else hostile(each) for key, each in value.items()}
    return value


def main() -> None:
    with open(sys.argv[1], encoding="ascii") as lines:
        head, *steps = (json.loads(line) for line in lines)
    # They hold promises by name, and no export shows them.
    head["neighbours"] = []
    with open(sys.argv[2], "w", encoding="ascii") as out:
        for line in (head, *steps):
            out.write(json.dumps(hostile(line)) + "\n")


main()
