#!/usr/bin/env bash
# Draws scenarios at random and runs each with three clients: no crash, every
# operation ends, nothing is lost, and the run is what its plan says. First in
# virtual time, where everything must be equal, then on this machine. There, who
# is busy draws operations across a limit: what differs is measured again, with
# less at once, and has to differ every time to be an error.
# usage: scripts/drawn.sh DIR [SCENARIOS] [SEED]
set -euo pipefail
[ $# -gt 0 ] || { echo "error: DIR, where the scenarios and their runs go, is missing" >&2; echo "hint: scripts/drawn.sh DIR [SCENARIOS] [SEED]" >&2; exit 64; }
cd "$(dirname "$0")/.."
out=$1 count=${2:-200} seed=${3:-$RANDOM}
bench=${BENCH:-bin/bench}
mkdir -p "$out"

fail() { echo "error: $* (seed $seed)" >&2; exit 1; }

# measure DIR PARALLEL FILE... runs scenarios and lists those that differ.
measure() {
  local dir=$1 parallel=$2 code=0
  shift 2
  "$bench" run "$@" --repeats 1 --operations 3 --parallel "$parallel" --out "$dir" --format csv="$dir.csv" >"$dir.log" 2>&1 || code=$?
  case $code in
    0 | 10 | 12) ;; # what a drawn scenario expects is nothing in particular
    *) tail -40 "$dir.log" >&2; fail "bench run exits $code" ;;
  esac
  "$bench" validate "$dir" >"$dir.validation" || { cat "$dir.validation" >&2; fail "$dir is not valid"; }
  go run ./scripts/drawn -against "$dir.csv" "$out/scenarios" 2>"$dir.differences"
}

go test ./internal/runner -run TestDrawnScenarios -drawn "$count" -drawn-seed "$seed" >"$out/virtual.log" 2>&1 ||
  { cat "$out/virtual.log" >&2; fail "plan and run differ in virtual time"; }
echo "ok: $count scenarios from seed $seed in virtual time"
go run ./scripts/drawn -n "$count" -seed "$seed" "$out/scenarios"
left=("$out"/scenarios/*.yaml)
for round in 1 2 3 4 5; do
  parallel=$((round == 1 ? 16 : 2))
  differ=$(measure "$out/run$round" "$parallel" "${left[@]}")
  mapfile -t left < <(printf '%s' "$differ")
  echo "round $round: $(tail -1 "$out/run$round.differences")"
  [ ${#left[@]} -gt 0 ] || break
done
[ ${#left[@]} -eq 0 ] || { cat "$out/run$round.differences" >&2; fail "plan and run differ every time in ${left[*]}"; }
echo "ok: $count scenarios from seed $seed on this machine"
