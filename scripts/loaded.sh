#!/usr/bin/env bash
# Runs the bench beside busy loops: a machine that cannot judge gives 12, or 0
# where it still can, and never 10. Usage: scripts/loaded.sh DIR [LOOPS]
set -euo pipefail
[ $# -gt 0 ] || { echo "error: DIR, where the run goes, is missing" >&2; echo "hint: scripts/loaded.sh DIR [LOOPS]" >&2; exit 64; }
cd "$(dirname "$0")/.."
loops=()
trap 'kill "${loops[@]}" 2>/dev/null || true' EXIT
for _ in $(seq "${2:-8}"); do
  while :; do :; done &
  loops+=($!)
done
code=0
bin/bench run semaphore_wait slow_headers pool_wait transient_error --repeats 1 --operations 12 --out "$1" >"$1.out" 2>&1 || code=$?
floor=$(grep -o '"p95_ms": [0-9.]*' "$1/run.json" | head -1)
case $code in
  0 | 12) echo "ok: ${2:-8} busy loops, noise floor $floor: exit $code" ;;
  *) cat "$1.out"; echo "error: exit $code beside busy loops (noise floor $floor), expected 12 or 0" >&2; exit 1 ;;
esac
