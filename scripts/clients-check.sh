#!/usr/bin/env bash
# The committed run of the known clients is valid and small, and docs/clients.md
# is what it and the manifest say.
set -euo pipefail
cd "$(dirname "$0")/.."
bin/bench validate results/clients
go run ./tools/docgen clients | diff - docs/clients.md || {
  echo "error: docs/clients.md is not what results/clients and clients/clients.yaml say" >&2
  echo "hint: go run ./tools/docgen clients > docs/clients.md; make clients-bench measures again" >&2
  exit 1
}
bytes=$(find results/clients -type f -exec cat {} + | wc -c)
if [ "$bytes" -ge 10000000 ]; then
  echo "error: results/clients has $bytes bytes, expected fewer than 10000000" >&2
  exit 1
fi
echo "ok: results/clients, $bytes bytes"
