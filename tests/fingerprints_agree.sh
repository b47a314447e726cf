#!/usr/bin/env bash
# Runs the whole catalogue with every binary given and fails unless all stories come out with the same
# fingerprint everywhere: with and without address randomisation, whatever is in fresh memory, and in
# two locales.
#
#   tests/fingerprints_agree.sh [--seeds N] BINARY...
set -euo pipefail

arguments=()
if [[ ${1-} == --seeds ]]; then
    arguments=(--seeds "$2")
    shift 2
fi
[[ $# -gt 0 ]] || { echo "usage: $0 [--seeds N] BINARY..." >&2; exit 64; }

readonly extract=${BASH_SOURCE[0]%/*}/fingerprints.cmake
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fingerprints NAME COMMAND...: runs COMMAND with the suite's arguments and leaves one line a story in
# $work/NAME. A suite that is not as expected (1, 2) has fingerprints all the same.
fingerprints() {
    local name=$1 status=0
    shift
    "$@" run --json "${arguments[@]}" >"$work/answer.json" 2>"$work/stderr" || status=$?
    if [[ $status -gt 2 ]]; then
        cat "$work/stderr" >&2
        echo "$name: ended with $status" >&2
        exit 1
    fi
    cmake -D ANSWER="$work/answer.json" -D OUTPUT="$work/$name" -P "$extract"
}

# compare NAME COMMAND...: the first one is what the others must equal.
compare() {
    fingerprints "$@"
    if [[ ! -e $work/expected ]]; then
        cp "$work/$1" "$work/expected"
    elif ! diff --unified "$work/expected" "$work/$1"; then
        echo "$1: the fingerprints above differ from those of $first" >&2
        exit 1
    fi
    echo "$1: $(wc -l <"$work/$1") stories agree"
}

number=0
for binary in "$@"; do
    number=$((number + 1))
    label=$number-$(basename "$(dirname "$binary")")
    first=${first-$label}
    compare "$label" "$binary"
    compare "$label-perturbed" env MALLOC_PERTURB_=165 "$binary"
    compare "$label-locale-c" env LC_ALL=C "$binary"
    compare "$label-locale-utf8" env LC_ALL=C.UTF-8 "$binary"
    if setarch --addr-no-randomize true 2>/dev/null; then
        compare "$label-fixed-addresses" setarch --addr-no-randomize "$binary"
    else
        echo "$label-fixed-addresses: skipped, this machine does not let setarch turn them off"
    fi
done
