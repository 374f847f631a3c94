#!/usr/bin/env bash
# Kills bench with SIGKILL at random moments. Whatever the moment: the directory
# can be analysed, is called incomplete (exit 13), every operation that had
# finished by its log counts, and labserver does not stay behind.
# usage: scripts/kill-bench.sh DIR [TIMES]
set -euo pipefail
[ $# -gt 0 ] || { echo "error: DIR, where the runs go, is missing" >&2; echo "hint: scripts/kill-bench.sh DIR [TIMES]" >&2; exit 64; }
cd "$(dirname "$0")/.."
out=$1 times=${2:-5}
bench=${BENCH:-bin/bench}
mkdir -p "$out"

fail() { echo "error: $*" >&2; exit 1; }

# whole FILE prints its whole lines: the last one may be torn.
whole() { if [ -n "$(tail -c 1 "$1")" ]; then sed '$d' "$1"; else cat "$1"; fi; }

# counted FILE KEY adds up a number that every series of a summary has.
counted() { grep -oE "\"$2\": *[0-9]+" "$1" | awk '{ sum += $2 } END { print sum + 0 }'; }

# ended FILE prints the operations of a file that had finished.
ended() { grep -E '"budget_ms":[0-9.]+,"finished":true' "$1" || true; }

# check DIR holds what analyze makes of a directory against its logs.
check() {
  local dir=$1 code=0 logged finished measured series
  "$bench" analyze "$dir" >"$dir.analysis" 2>&1 || code=$?
  [ "$code" -eq 13 ] || { cat "$dir.analysis" >&2; fail "$dir: analyze exits $code, expected 13"; }
  grep -q 'the run is incomplete' "$dir.analysis" || fail "$dir: analyze does not say why: $(cat "$dir.analysis")"
  logged=$(whole "$dir/client.jsonl" | grep -c '"event":"operation_finished"' || true)
  finished=$(ended "$dir/operations.jsonl" | wc -l)
  [ "$logged" -eq "$finished" ] || fail "$dir: $logged operations finished by the log, $finished by the analysis"
  measured=$(ended "$dir/operations.jsonl" | grep -c '"phase":"measured"' || true)
  series=$(($(counted "$dir/summary.json" n) + $(counted "$dir/summary.json" invalid) + $(counted "$dir/summary.json" disturbed)))
  [ "$measured" -eq "$series" ] || fail "$dir: $measured measured operations finished, the series hold $series"
  code=0
  "$bench" validate "$dir" >"$dir.validation" 2>&1 || code=$?
  [ "$code" -eq 0 ] || { cat "$dir.validation" >&2; fail "$dir: validate exits $code, expected 0"; }
  echo "ok: $dir: exit 13, $finished finished operations kept, $(counted "$dir/summary.json" invalid) of them not proven"
}

# gone PID waits until a process has ended.
gone() {
  for _ in $(seq 100); do
    kill -0 "$1" 2>/dev/null || return 0
    sleep 0.05
  done
  fail "labserver (process $1) outlives bench"
}

for n in $(seq "$times"); do
  dir=$out/$n
  "$bench" run slow_headers healthy cancel_in_backoff --repeats 1 --operations 40 --parallel 30 --out "$dir" >"$dir.log" 2>&1 &
  pid=$!
  until [ -e "$dir/run.json" ]; do sleep 0.01; done
  labserver=$(cat "/proc/$pid/task/"*/children | tr -d " ")
  sleep "$((RANDOM % 5)).$((RANDOM % 1000))"
  kill -KILL "$pid" 2>/dev/null || fail "$dir: the run was over before it could be killed: $(cat "$dir.log")"
  wait "$pid" 2>/dev/null || true
  gone "$labserver"
  check "$dir"
done

# A crash of the machine may tear the last lines of both logs.
torn=$out/torn
cp -r "$out/$times" "$torn"
for log in client server; do truncate -s -7 "$torn/$log.jsonl"; done
check "$torn"
grep -q 'torn' "$torn.analysis" || fail "$torn: analyze does not tell the torn lines: $(cat "$torn.analysis")"
