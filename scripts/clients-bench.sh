#!/usr/bin/env bash
# Measures every known client under every wait of the table, on a quiet machine.
# Packs the run into results/clients, in place of the one before, and makes
# docs/clients.md. OPERATIONS is per repeat. Some thirty processes and the bench
# share the CPUs: no more than PARALLEL operations are in flight, or they would
# make each other late.
set -euo pipefail
cd "$(dirname "$0")/.."
run=results/clients.new
rm -rf "$run"
waits=$(sed 's/#.*//' clients/waits/list)
code=0
# shellcheck disable=SC2086 # names without spaces
bin/bench run $waits --clients clients/clients.yaml --variant A,B,C,D --repeats "${REPEATS:-3}" --operations "${OPERATIONS:-5}" \
  --parallel "${PARALLEL:-40}" --out "$run" --format text=/dev/null || code=$?
case $code in
  0 | 10 | 12) bin/bench exitcode "$code" ;; # the page names what was not as expected
  *) exit "$code" ;;
esac
# One drawing a wait, with the typical operation of every client.
bin/bench report "$run" --format svg -o "$run/timelines"
find "$run/timelines" -name '*-*' -delete
# The logs say everything: bench analyze makes the rest from them again.
bzip2 -9 "$run/client.jsonl" "$run/server.jsonl"
rm "$run/operations.jsonl" "$run/summary.json"
rm -rf results/clients
mv "$run" results/clients
ln -sfn clients results/latest
go run ./tools/docgen clients >docs/clients.md
scripts/clients-check.sh
