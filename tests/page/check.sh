#!/usr/bin/env bash
# Opens pages in a browser, does what readers do, and compares what they see with the trials that the
# pages are of. `./dev page` builds what this needs.
#
#   check.sh REDELIVER
set -euo pipefail

readonly here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
readonly redeliver=$(realpath "${1:?check.sh needs the program}")
readonly chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)

pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
cd "$pages"

# Deliveries and claims, every kind of fault, a lost tail, dead letters, clocks, orders.
readonly stories=(crash-before-xack everything-at-once failover-forgets poison-copied-twice
    clock-jumps-ahead operator-trims)
for story in "${stories[@]}"; do "$redeliver" report "$story" --out "$story" >/dev/null; done

# One that fails, as `run` leaves it behind.
"$redeliver" run ack-after-work --set worker.acknowledge=before_work --seeds 3 --out found >/dev/null || true

node "$here/page_test.mjs" "$chromium" crash-before-xack/report.html everything-at-once/report.html \
    found/ack-after-work/*/report.html
node "$here/tables_test.mjs" "$chromium" "$redeliver" "${stories[@]}"
echo "pages: all as their trials"
