#!/usr/bin/env bash
# Runs every fuzz target of the module for a while: scripts/fuzz.sh 30s
set -euo pipefail
cd "$(dirname "$0")/.."
for package in $(go list ./...); do
  for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
    echo "fuzz $package $target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "${1:-10s}" "$package" >/tmp/fuzz.$$ || { cat /tmp/fuzz.$$; rm -f /tmp/fuzz.$$; exit 1; }
    rm -f /tmp/fuzz.$$
  done
done
