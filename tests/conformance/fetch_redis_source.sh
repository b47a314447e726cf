#!/usr/bin/env bash
# Prints the folder of an unpacked redis 7.0.15, from Debian's source package: its tests are the
# judge, and are not ours to keep. Fetched once, into a cache outside the repository; the machine's
# own configuration of apt stays as it is, and apt verifies what it fetches.
set -euo pipefail

readonly version=7.0.15
readonly cache=${XDG_CACHE_HOME:-$HOME/.cache}/redeliver
readonly tree=$cache/redis-$version

fail() {
    echo "fetch_redis_source: $*" >&2
    exit 1
}

is_wanted() { grep -q "REDIS_VERSION \"$version\"" "$1/src/version.h" 2>/dev/null; }

if is_wanted "$tree"; then
    echo "$tree"
    exit
fi

command -v apt-get >/dev/null || fail "needs apt-get, to fetch Debian's source package of redis"
mkdir -p "$cache"
work=$(mktemp -d "$cache/fetching.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists/partial,archives/partial,source}
# Not root, and inside a folder of ours, apt's own sandbox user could not write.
readonly own=(
    -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work" -o APT::Sandbox::User=
    -o "Acquire::Languages=none")
readonly keyring=/usr/share/keyrings/debian-archive-keyring.gpg
for suite in "deb.debian.org/debian bookworm" "deb.debian.org/debian-security bookworm-security"; do
    echo "deb-src [signed-by=$keyring] http://$suite main"
done >"$work/sources.list"

log=$work/log
apt-get "${own[@]}" update >"$log" 2>&1 || { cat "$log" >&2 && fail "apt-get update failed"; }
wanted=$(apt-cache "${own[@]}" showsrc redis 2>>"$log" |
    sed -n "s/^Version: \(5:$version-.*\)/\1/p" | sort --version-sort | tail -n 1)
[[ -n $wanted ]] || fail "Debian bookworm has no source package of redis $version any more"
(cd "$work/source" && apt-get "${own[@]}" source --download-only "redis=$wanted" >"$log" 2>&1) ||
    { cat "$log" >&2 && fail "apt-get source failed"; }
tar -xf "$work"/source/redis_*.orig.tar.* -C "$work/source"
unpacked=$(dirname "$(dirname "$(ls "$work"/source/*/src/version.h)")")
is_wanted "$unpacked" || fail "what was fetched is not redis $version"
rm -rf "$tree"
mv "$unpacked" "$tree"
echo "$tree"
