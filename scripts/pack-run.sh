#!/usr/bin/env bash
# Compresses the logs of a run directory: scripts/pack-run.sh results/reference
# Every command reads a packed directory like any other.
set -euo pipefail
[ $# -gt 0 ] || { echo "error: DIR, a run directory, is missing" >&2; echo "hint: scripts/pack-run.sh DIR" >&2; exit 64; }
for log in client server operations; do
  gzip -9n "$1/$log.jsonl"
done
du -sh "$1"
