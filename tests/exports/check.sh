#!/usr/bin/env bash
# Lets parsers that others wrote read what `redeliver report` writes, and compares what they count with
# the trace. `./dev exports` builds what this needs.
#
#   check.sh REDELIVER
#
# Mermaid's own parser comes from npm, in the version that package-lock.json names, and stays out of
# the tree; JUnit's XML is judged by xmllint and junit.xsd, the rest by check.py.
set -euo pipefail

readonly here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
readonly root=$(realpath "$here/../..")
readonly redeliver=$(realpath "${1:?check.sh needs the program}")
readonly results=$root/build/exports parser=$root/build/exports/parser
readonly formats=mermaid,perfetto,shiviz,csv,ascii,junit,summary,annotations
# Crashes, losses, a pause, a failover, operators.
readonly stories=(crash-before-xack failover-forgets paused-worker-comes-back killer-never-counted
    standard everything-at-once)

fail() {
    echo "exports: $*" >&2
    exit 1
}

mkdir -p "$parser"
cp "$here"/{package.json,package-lock.json,mermaid.mjs} "$parser"
if ! cmp --silent "$parser/package-lock.json" "$parser/installed"; then
    (cd "$parser" && npm ci --silent --no-audit --no-fund >npm.log 2>&1) || fail "npm ci: $(<"$parser/npm.log")"
    cp "$parser/package-lock.json" "$parser/installed"
fi

folders=()
# exported NAME WHAT [arguments]: the exports of a story or a trace, twice, which must be the same.
exported() {
    local folder=$results/$1 again=$results/again
    rm -rf "$again" && mkdir -p "$folder"
    # From there, so that the commands they hold do not name this clone.
    (
        cd "$results"
        "$redeliver" report "${@:2}" --out "$1" --format "$formats" >/dev/null
        "$redeliver" report "$1/trace.jsonl" --out again --format "$formats" >/dev/null
    )
    local file
    for file in "$again"/*; do
        cmp --silent "$file" "$folder/${file##*/}" || fail "$1: ${file##*/} differs when it is written again"
    done
    folders+=("$folder")
}

for story in "${stories[@]}"; do
    exported "$story" "$story"
    # With its long names every diagram has to be cut.
    mkdir -p "$results/hostile-$story"
    python3 "$here/hostile.py" "$results/$story/trace.jsonl" "$results/hostile-$story/trace.jsonl"
    exported "hostile-$story" "hostile-$story/trace.jsonl"
done
exported wrong crash-before-xack --set worker.deduplicate=none --set database.unique_reply=absent

node "$parser/mermaid.mjs" "${folders[@]/%//sequence.mmd}" >"$results/mermaid.json" || fail "Mermaid refuses a diagram"
python3 "$here/check.py" --mermaid "$results/mermaid.json" "${folders[@]}"
for folder in "${folders[@]}"; do
    judged=$(xmllint --noout --nonet --schema "$here/junit.xsd" "$folder/junit.xml" 2>&1) || fail "$judged"
done
echo "exports: all agree with their traces"
