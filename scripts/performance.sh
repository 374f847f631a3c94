#!/usr/bin/env bash
# Repeats the figures of docs/performance.md, about 15 minutes in all. Beside
# each it prints the load and the noise floor just before: a figure from a busy
# machine says little. Arguments choose sections, e.g. `scripts/performance.sh
# recorder injection`; without any, all run.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sections=("$@") all=" recorder instruments analyze throughput held injection speed parallel "
for section in "$@"; do
  [[ $all == *" $section "* ]] || { echo "error: $section is no section" >&2; echo "hint: expected any of$all" >&2; exit 64; }
done

wanted() { [ ${#sections[@]} -eq 0 ] || [[ " ${sections[*]} " == *" $1 "* ]]; }
# floor prints the median and the p95 of deadlines here, in ms.
floor() {
  bin/bench doctor --seconds 1 --json 2>/dev/null |
    awk -F '[:,]' '/"deadline"/ {d=1} d && /median_ms/ {m=$2} d && /p95_ms/ {print m " median," $2 " p95"; exit}' || true
}
section() { printf '\n== %s   load %s; floor%s ms\n' "$1" "$(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null)" "$(floor)"; }
# show runs a command after printing it, without the lines every test prints.
show() {
  echo "\$ $*"
  "$@" | grep -vE '^(goos|goarch|pkg|cpu|PASS|ok)' || true
}
# measure DIR ARG… is a run whose verdict is not the point.
measure() {
  local dir=$work/$1
  shift
  echo "\$ bin/bench run $*"
  bin/bench run "$@" --out "$dir" >/dev/null 2>"$work/notes" || true
  grep '^note' "$work/notes" || true
  go run ./scripts/overshoot "$dir"
}

make build
if wanted recorder; then
  section recorder
  show go test ./internal/eventlog -run '^$' -bench 'Record|AppendJSON' -count 5
fi
if wanted instruments; then
  section instruments
  show go test ./internal/runner -run '^$' -bench Instruments -benchtime 5000x -count 3
fi
if wanted analyze; then
  section analyze
  show go test ./internal/lab -run '^$' -bench Analyze -benchtime 3x
fi
if wanted throughput; then
  section throughput
  show go test ./internal/labserver -run '^$' -bench Throughput -benchtime 20x -count 5
fi
if wanted held; then
  section held
  show go test ./internal/labserver -run '^$' -bench Held -benchtime 1x -count 3
fi
if wanted injection; then
  section injection
  echo '$ bin/bench doctor --seconds 60'
  bin/bench doctor --seconds 60 || true
fi
if wanted speed; then
  section speed
  measure abcd --variant A,B,C,D
  measure all
fi
if wanted parallel; then
  section parallel
  for p in 20 50 100 150 200 300; do
    measure "p$p" --variant A,B,C,D --parallel "$p"
  done
  # One after another, N = 30 of the scenarios in which D's deadline decides.
  measure sequential semaphore_wait slow_headers slow_body pool_wait hang --variant D --repeats 1 --parallel 1
fi
