# Servers for the judges: sourced, not run. Each listens on loopback only, keeps its data in a folder
# of its own under $scratch, and is stopped by the pid that was started.

scratch=$(mktemp -d)
server_pids=()

stop_servers() {
    local pid
    for pid in "${server_pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    for pid in "${server_pids[@]}"; do wait "$pid" 2>/dev/null || true; done
    rm -rf "$scratch"
}
trap stop_servers EXIT

fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

free_port() {
    /usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# await WHAT PORT: until something accepts connections there, ten seconds at most.
await() {
    local deadline=$((SECONDS + 10))
    until (exec 3<>"/dev/tcp/127.0.0.1/$2") 2>/dev/null; do
        [[ $SECONDS -lt $deadline ]] || fail "$1 does not answer on port $2: $(tail -3 "$scratch/$1.log")"
        sleep 0.05
    done
}

# start_redis_server [options]: the real one; its port is in $redis_port.
start_redis_server() {
    redis_port=$(free_port)
    mkdir -p "$scratch/redis-server"
    redis-server --port "$redis_port" --bind 127.0.0.1 --save '' --dir "$scratch/redis-server" "$@" \
        >"$scratch/redis-server.log" 2>&1 &
    server_pids+=($!)
    await redis-server "$redis_port"
}

# start_serve REDELIVER [options]: ours; its port is in $serve_port.
start_serve() {
    serve_port=$(free_port)
    "$1" serve --port "$serve_port" "${@:2}" >"$scratch/serve.log" 2>&1 &
    server_pids+=($!)
    await serve "$serve_port"
}
