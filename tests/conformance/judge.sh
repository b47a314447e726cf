#!/usr/bin/env bash
# Lets everyone who is not us judge the models. The broker: Redis's own tests, a real redis-server
# compared byte for byte, real clients, and a fuzzer. The database: a real PostgreSQL compared answer
# by answer. `./dev test --conformance` builds what this needs.
#
#   judge.sh [--only redis|postgresql] [--commands N] [--interleavings N] [--seed N] [--fuzz N] [--write-page]
#
#   --only MODEL        judge the model of that server alone
#   --commands N        commands to compare with redis-server (300000)
#   --interleavings N   of the statements of several sessions, to compare with PostgreSQL (20000)
#   --seed N            of the first of the scripts that are compared (1)
#   --fuzz N            inputs to try on the RESP endpoint (30000)
#   --write-page        write docs/redis-conformance.md and docs/postgresql-conformance.md anew, instead
#                       of checking that they are up to date
set -euo pipefail

readonly here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
readonly root=$(realpath "$here/../..")
readonly build=$root/build/dev results=$root/build/conformance
readonly models=(redis postgresql)
only='' commands=300000 interleavings=20000 seed=1 inputs=30000 page=--check

usage() {
    echo "judge.sh: $1; known are --only MODEL, --commands N, --interleavings N, --seed N, --fuzz N and --write-page" >&2
    exit 64
}
while [[ $# -gt 0 ]]; do
    case $1 in
    --write-page) page=--write && shift && continue ;;
    --only) [[ " ${models[*]} " == *" ${2-} "* ]] || usage "--only needs one of ${models[*]}, not '${2-}'" ;;
    --commands | --interleavings | --seed | --fuzz) [[ ${2-} =~ ^[0-9]+$ ]] || usage "$1 needs a number, not '${2-}'" ;;
    *) usage "unknown argument '$1'" ;;
    esac
    case $1 in
    --only) only=$2 ;;
    --commands) commands=$2 ;;
    --interleavings) interleavings=$2 ;;
    --seed) seed=$2 ;;
    --fuzz) inputs=$2 ;;
    esac
    shift 2
done
mkdir -p "$results"

# judge NAME COMMAND...: shows and keeps what it says.
judge() {
    local began=$SECONDS
    echo "--- $1"
    "${@:2}" 2>&1 | tee "$results/$1.txt"
    echo "--- $1 took $((SECONDS - began)) s"
}

fuzz() {
    local corpus
    corpus=$(mktemp -d)
    # What it finds on the way goes to a folder that nobody keeps.
    "$root/build/fuzz/resp_fuzz" "$corpus" "$here/fuzz/corpus" \
        -dict="$here/fuzz/words.dict" -runs="$inputs" -seed=1 -max_len=4096 -timeout=20 \
        -artifact_prefix="$results/" -print_final_stats=1 -print_funcs=0 -verbosity=0
    rm -rf "$corpus"
    echo "fuzz: $inputs inputs, nothing found"
}

judge_redis() {
    judge suite "$here/redis_suite.sh" "$build/redeliver" "$build/corrupt_log_server"
    judge differential "$build/redis_conformance" --table --commands "$commands" --seed "$seed" \
        --json "$results/differential.json"
    judge mutations "$here/mutations.sh" "$build" "$here/mutations.txt" --no-shrink --seed "$seed"
    judge clients "$here/real_clients.sh" "$build/redeliver" "$build/hiredis_worker"
    judge lab-check "$build/lab_check"
    judge fuzz fuzz
    if [[ $commands == 300000 && $seed == 1 && $inputs == 30000 ]]; then
        judge page /usr/bin/python3 "$here/write_page.py" "$page" "$results" "$root/docs/redis-conformance.md"
    fi
}

judge_postgresql() {
    judge postgresql "$build/postgresql_conformance" --interleavings "$interleavings" --seed "$seed" \
        --json "$results/postgresql.json"
    judge postgresql-stories "$build/postgresql_stories"
    judge postgresql-mutations "$here/mutations.sh" "$build" "$here/postgresql/mutations.txt" \
        --no-shrink --seed "$seed"
    judge postgresql-verdicts "$here/mutations.sh" "$build" "$here/postgresql/verdicts.txt"
    if [[ $interleavings == 20000 && $seed == 1 ]]; then
        judge postgresql-page /usr/bin/python3 "$here/postgresql/write_page.py" "$page" "$results" \
            "$root/docs/postgresql-conformance.md"
    fi
}

for model in "${models[@]}"; do
    [[ -n $only && $only != "$model" ]] || "judge_$model"
done
