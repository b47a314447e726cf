#!/usr/bin/env bash
# Installs a build into a folder of its own, then builds and runs examples/own-worker against nothing
# but what find_package(redeliver) finds there.
#
#   tests/package_works.sh BUILD_FOLDER
set -euo pipefail
[[ $# == 1 ]] || { echo "usage: $0 BUILD_FOLDER" >&2; exit 64; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=$(realpath "$1")
example=$(realpath "${BASH_SOURCE[0]%/*}/../examples/own-worker")

cmake --build "$build"
cmake --install "$build" --prefix "$work/prefix" >/dev/null
"$work/prefix/bin/redeliver" version

cp -r "$example" "$work/example"
cmake -G Ninja -S "$work/example" -B "$work/build" -D CMAKE_PREFIX_PATH="$work/prefix" \
    -D CMAKE_BUILD_TYPE=Release
cmake --build "$work/build"
"$work/build/own-worker"
