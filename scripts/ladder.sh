#!/usr/bin/env bash
# Runs every scenario on a quiet machine: 10 operations of each cell, of callers
# that share a client one group. Packs the run into results/ladder, in place of
# the one before, and makes docs/waits.md.
set -euo pipefail
cd "$(dirname "$0")/.."
run=results/ladder.new
rm -rf "$run"
code=0
bin/bench run --rung all --repeats 1 --operations 10 --groups 1 --out "$run" --format text=/dev/null || code=$?
case $code in
  0 | 10 | 12) bin/bench exitcode "$code" ;; # the page names what was not as expected
  *) exit "$code" ;;
esac
# The logs say everything: bench analyze makes the rest from them again.
bzip2 -9 "$run/client.jsonl" "$run/server.jsonl"
rm "$run/operations.jsonl" "$run/summary.json"
rm -rf results/ladder
mv "$run" results/ladder
ln -sfn ladder results/latest
go run ./tools/docgen waits >docs/waits.md
scripts/ladder-check.sh
