#!/usr/bin/env bash
# Kills labserver in the middle of a run: bench must exit 13 and leave a
# directory that analyze reads, with every finished operation in it.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1

bin/bench run slow_headers healthy --repeats 1 --operations 30 --parallel 10 --out "$out" >"$out.log" 2>&1 &
bench=$!
for _ in $(seq 200); do
  finished=$(grep -c '"operation_finished"' "$out/client.jsonl" 2>/dev/null || true)
  [ "${finished:-0}" -ge 10 ] && break
  sleep 0.05
done
pkill -KILL -P "$bench"
code=0
wait "$bench" || code=$?
[ "$code" -eq 13 ] || { cat "$out.log"; echo "error: exit $code after labserver was killed, expected 13" >&2; exit 1; }
code=0
bin/bench analyze "$out" >"$out.analysis" 2>&1 || code=$?
[ "$code" -eq 13 ] || { cat "$out.analysis"; echo "error: analyze exits $code, expected 13" >&2; exit 1; }
kept=$(grep -c '"finished":true' "$out/operations.jsonl")
[ "$kept" -ge 10 ] || { echo "error: $kept finished operations survived, expected 10 or more" >&2; exit 1; }
echo "ok: labserver killed: exit 13, $kept finished operations kept"
