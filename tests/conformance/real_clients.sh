#!/usr/bin/env bash
# Runs one worker loop, written with redis-py, ioredis and hiredis, against redis-server and against
# `redeliver serve`: six transcripts, which must be the same, line by line.
set -euo pipefail
if [[ $# != 2 ]]; then
    echo "usage: real_clients.sh REDELIVER HIREDIS_WORKER" >&2
    exit 64
fi
readonly redeliver=$(realpath "$1") hiredis_worker=$(realpath "$2")
readonly here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
source "$here/servers.sh"

# ioredis comes from npm, in the version that package-lock.json names, and stays out of the tree.
cp "$here"/clients/{package.json,package-lock.json,worker.mjs} "$scratch"
(cd "$scratch" && npm ci --silent --no-audit --no-fund >npm.log 2>&1) || fail "npm ci: $(<"$scratch/npm.log")"

start_redis_server
start_serve "$redeliver"

# transcript SERVER PORT CLIENT COMMAND...
transcript() {
    "${@:4}" 127.0.0.1 "$2" >"$scratch/$3-$1" 2>&1 ||
        fail "$3 against $1 failed after: $(tail -5 "$scratch/$3-$1")"
}

for server in redis-server:$redis_port serve:$serve_port; do
    transcript "${server%:*}" "${server#*:}" redis-py /usr/bin/python3 "$here/clients/worker.py"
    transcript "${server%:*}" "${server#*:}" ioredis node "$scratch/worker.mjs"
    transcript "${server%:*}" "${server#*:}" hiredis "$hiredis_worker"
done

readonly reference=$scratch/redis-py-redis-server
for client in redis-py ioredis hiredis; do
    for server in redis-server serve; do
        diff --label "redis-py, redis-server" --label "$client, $server" -u \
            "$reference" "$scratch/$client-$server" >&2 ||
            fail "$client against $server says something else than redis-py against redis-server"
    done
done
echo "real clients: redis-py, ioredis and hiredis, $(wc -l <"$reference") lines each," \
    "the same against redis-server and redeliver serve"
