#!/usr/bin/env bash
# Runs every fuzz target of the module for a while, or those whose name matches
# an expression: scripts/fuzz.sh 30s, scripts/fuzz.sh 10m FuzzConnection
set -euo pipefail
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
grep -rlE '^func Fuzz' --include='*_test.go' adapter internal schema cmd 2>/dev/null | xargs -n1 dirname | sort -u | while read -r package; do
  for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$package"/*_test.go | cut -c6- | grep -E "${2:-.}"); do
    echo "fuzz ./$package $target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "${1:-10s}" -fuzzminimizetime 10x "./$package" >"$log" 2>&1 || { cat "$log"; exit 1; }
  done
done
