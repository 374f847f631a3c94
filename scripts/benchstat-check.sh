#!/usr/bin/env bash
# Stock benchstat reads a run: scripts/benchstat-check.sh DIR
# Against itself nothing differs; with every operation slowed down by 2 s it
# says so. benchstat is run by its version, so that the module needs none of it.
set -euo pipefail
[ $# -gt 0 ] || { echo "error: DIR, a run directory, is missing" >&2; echo "hint: scripts/benchstat-check.sh results/reference" >&2; exit 64; }
cd "$(dirname "$0")/.."
benchstat=golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { cat "$work/out" "$work/err" >&2; echo "error: $1" >&2; exit 1; }
compare() {
  go run "$benchstat" "old=$work/old" "new=$1" >"$work/out" 2>"$work/err" || fail "benchstat exits $?"
  if grep -v '^go: downloading' "$work/err" | grep -q .; then fail "benchstat complains about the format"; fi
}

bin/bench report "$1" --format gobench -o "$work/old"
compare "$work/old"
for unit in sec/op overshoot-sec attempts requests; do
  grep -q "$unit" "$work/out" || fail "benchstat shows no $unit"
done
grep -q 'Semaphore_wait/variant=D/outcome=deadline_exceeded' "$work/out" || fail "benchstat lacks a series"
if grep -Eq '[+-][0-9.]+% \(p=' "$work/out"; then fail "a run differs from itself"; fi

awk '/^Benchmark/ {$3 += 2000000000} {print}' "$work/old" >"$work/slow"
compare "$work/slow"
grep -Eq '\+[0-9.]+% \(p=' "$work/out" || fail "benchstat does not see 2 s"
echo "ok: benchstat reads $1"
