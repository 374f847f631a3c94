#!/usr/bin/env bash
# A run whose system clock is set back and forth all the time, in both processes
# and not together. Nothing but the dates may show it: the expectations hold, the
# logs are valid, and nothing lasts longer than the run. The machine's own clock
# is not touched: the bench is built with a Go whose time.Now steps.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

go run ./scripts/stepclock overlay "$dir"
go run -overlay "$dir/overlay.json" ./scripts/stepclock prove
go build -overlay "$dir/overlay.json" -o "$dir/bench" ./cmd/bench
code=0
"$dir/bench" run --repeats 1 --operations 3 --on-inconclusive warn --out "$dir/run" >"$dir/out" 2>&1 || code=$?
if [ "$code" -ne 0 ]; then
  cat "$dir/out"
  echo "error: exit $code with a clock that is set, expected 0" >&2
  exit 1
fi
"$dir/bench" validate "$dir/run"
go run ./scripts/stepclock check "$dir/run"
