#!/usr/bin/env bash
# Runs Redis's own tests of streams against `redeliver serve`:
#
#   redis_suite.sh [--reference] PROGRAM [CORRUPTING_PROGRAM]
#
#   PROGRAM             redeliver, as built
#   CORRUPTING_PROGRAM  the same server, except that its log lies (see corrupt_log/): the
#                       tests that reload the log must notice. Without it, that is not tried.
#   --reference         a real redis-server first, which must come to the same counts
#
# The tests are those of Debian's redis 7.0.15, in the external mode in which a server of one's own
# can be judged: 111 tests without DEBUG, 123 with it. Fails when any test fails, or when fewer run.
set -euo pipefail

readonly here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly units=(--single unit/type/stream --single unit/type/stream-cgroups)
readonly without_debug=111 with_debug=123

fail() {
    echo "redis_suite: $*" >&2
    exit 1
}

reference=
if [[ ${1-} == --reference ]]; then
    reference=yes
    shift
fi
[[ $# -ge 1 && -x $1 ]] || fail "usage: redis_suite.sh [--reference] PROGRAM [CORRUPTING_PROGRAM]"
readonly program=$(realpath "$1")
corrupting=
if [[ -n ${2-} ]]; then
    [[ -x $2 ]] || fail "there is no program $2"
    corrupting=$(realpath "$2")
fi
command -v tclsh >/dev/null || fail "needs tclsh (Debian: tcl)"

readonly source_tree=$("$here/fetch_redis_source.sh")
readonly work=$(mktemp -d)
server=
stop_server() {
    [[ -n $server ]] || return 0
    kill "$server" 2>/dev/null || true
    wait "$server" || true
    server=
}
trap 'stop_server; rm -rf "$work"' EXIT
# The suite writes into its own folder.
cp -r "$source_tree/tests" "$source_tree/runtest" "$work"

# start COMMAND...: a server that says on which port it listens. Sets `server` and `port`.
start() {
    : >"$work/server.log"
    "$@" >"$work/server.log" 2>&1 &
    server=$!
    for _ in $(seq 100); do
        port=$(sed -n 's/^redeliver serve: .*:\([0-9]*\)$/\1/p' "$work/server.log")
        [[ -z $port ]] || return 0
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    cat "$work/server.log" >&2
    fail "the server did not start"
}

start_reference() {
    port=$((20000 + $$ % 20000))
    redis-server --port "$port" --bind 127.0.0.1 --save '' --dir "$work" "$@" >"$work/server.log" &
    server=$!
    for _ in $(seq 100); do
        if redis-cli -p "$port" ping >/dev/null 2>&1; then return 0; fi
        sleep 0.1
    done
    fail "redis-server did not start"
}

# run_suite [FLAG]...: leaves what it printed in $work/report, without colours.
run_suite() {
    (cd "$work" && ./runtest --host 127.0.0.1 --port "$port" "${units[@]}" --singledb --durable \
        --baseport $((21000 + $$ % 20000)) --timeout 120 "$@") 2>&1 | sed 's/\x1b\[[0-9;]*m//g' >"$work/report" || true
}

count() { grep -c "^\[$1\]" "$work/report" || true; }

# judge NAME EXPECTED: what the report says.
judge() {
    local passed failed
    passed=$(count ok)
    failed=$(($(count err) + $(count exception)))
    echo "redis_suite: $1: $passed of $2 passed, $failed failed"
    [[ $passed == "$2" && $failed == 0 ]] && return 0
    grep --after-context=3 -e '^\[err\]' -e '^\[exception\]' "$work/report" >&2 || tail -n 20 "$work/report" >&2
    fail "$1: not what redis-server 7.0.15 comes to"
}

if [[ -n $reference ]]; then
    start_reference --enable-debug-command yes
    run_suite --tags -needs:debug
    judge "redis-server, without DEBUG" $without_debug
    run_suite
    judge "redis-server, with DEBUG" $with_debug
    stop_server
fi

start "$program" serve --port 0
run_suite --tags -needs:debug
judge "redeliver serve, without DEBUG" $without_debug
stop_server

start "$program" serve --port 0 --enable-debug-command
run_suite
judge "redeliver serve, with DEBUG" $with_debug
grep '^\[ok\]' "$work/report" | sed 's/^\[ok\]: /  /; s/ ([0-9]* ms)$//' || true
stop_server

if [[ -n $corrupting ]]; then
    start "$corrupting"
    run_suite
    failed=$(count err)
    echo "redis_suite: with a log that lies: $failed tests failed, as they must"
    [[ $failed -gt 0 ]] || fail "the log lied, and no test noticed"
    grep '^\[err\]' "$work/report" | sed 's/^\[err\]: /  /'
fi
