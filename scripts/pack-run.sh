#!/usr/bin/env bash
# Compresses the logs of a run directory: scripts/pack-run.sh results/reference
# Every command reads a packed directory like any other.
set -euo pipefail
for log in client server operations; do
  gzip -9n "$1/$log.jsonl"
done
du -sh "$1"
