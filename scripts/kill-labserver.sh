#!/usr/bin/env bash
# Kills labserver in the middle of a run: bench must say so, exit 13, leave a
# directory that analyze reads with every finished operation in it, and blame no
# client for what followed.
# usage: scripts/kill-labserver.sh DIR
set -euo pipefail
[ $# -gt 0 ] || { echo "error: DIR, where the run goes, is missing" >&2; echo "hint: scripts/kill-labserver.sh DIR" >&2; exit 64; }
cd "$(dirname "$0")/.."
out=$1
bench=${BENCH:-bin/bench}

fail() { echo "error: $*" >&2; exit 1; }

"$bench" run slow_headers healthy --repeats 1 --operations 60 --parallel 20 --out "$out" >"$out.log" 2>&1 &
pid=$!
for _ in $(seq 200); do
  finished=$(grep -c '"operation_finished"' "$out/client.jsonl" 2>/dev/null || true)
  [ "${finished:-0}" -ge 10 ] && break
  sleep 0.05
done
kill -KILL "$(cat "/proc/$pid/task/"*/children | tr -d " ")"
code=0
wait "$pid" || code=$?
[ "$code" -eq 13 ] || { cat "$out.log" >&2; fail "exit $code after labserver was killed, expected 13"; }
grep -q 'error: labserver was lost.*labserver ended: signal: killed' "$out.log" || fail "bench does not say what happened: $(tail -2 "$out.log")"
code=0
"$bench" analyze "$out" >"$out.analysis" 2>&1 || code=$?
[ "$code" -eq 13 ] || { cat "$out.analysis" >&2; fail "analyze exits $code, expected 13"; }
logged=$(grep -c '"event":"operation_finished"' "$out/client.jsonl")
kept=$(grep -cE '"budget_ms":[0-9.]+,"finished":true' "$out/operations.jsonl")
[ "$kept" -ge 10 ] && [ "$kept" -eq "$logged" ] || fail "$logged operations finished by the log, $kept by the analysis"
grep -q '"fail": 0' "$out/summary.json" || fail "a client is blamed for the death of labserver: $(grep -m1 '"fail"' "$out/summary.json") series"
echo "ok: labserver killed: exit 13, $kept finished operations kept"
