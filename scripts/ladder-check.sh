#!/usr/bin/env bash
# The committed run of the ladder is valid and small, and docs/waits.md is what
# it and the scenarios say.
set -euo pipefail
cd "$(dirname "$0")/.."
bin/bench validate results/ladder
go run ./tools/docgen waits | diff - docs/waits.md || {
  echo "error: docs/waits.md is not what results/ladder and the scenarios say" >&2
  echo "hint: go run ./tools/docgen waits > docs/waits.md; make ladder measures again" >&2
  exit 1
}
bytes=$(cat results/ladder/* | wc -c)
if [ "$bytes" -ge 3000000 ]; then
  echo "error: results/ladder has $bytes bytes, expected fewer than 3000000" >&2
  exit 1
fi
echo "ok: results/ladder, $bytes bytes"
