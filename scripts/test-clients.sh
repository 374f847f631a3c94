#!/usr/bin/env bash
# The clients that the bench knows: installed, tested in their own language, held
# against the adapter protocol, and set against the bench's own variant. What is
# missing is a failure here.
set -euo pipefail
cd "$(dirname "$0")/.."
CLIENTS=all scripts/clients.sh

echo "== tests in their own languages"
(cd clients/go && go vet ./... && go test ./...)
(cd clients/python && /usr/bin/python3 -m unittest discover)
(cd clients/node && npm test)
clients/java/check

echo "== the adapter protocol"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# check NAME=COMMAND prints its last line, or all of them when one failed.
check() {
  local log="$out/${1%%=*}"
  if bin/bench client check "$1" >"$log" 2>&1; then tail -n 1 "$log"; else cat "$log" >&2; return 1; fi
}
export -f check
export out
# Three at a time: each waits most of its time.
adapters='import json, sys
for c in json.load(sys.stdin)["clients"]:
    if c["kind"] == "adapter":
        print(c["name"] + "=" + c["command"])'
bin/bench client list --format json | python3 -c "$adapters" |
  xargs -d '\n' -P 3 -I{} bash -c 'check "$1"' check {}

echo "== a variant and an adapter with its placement"
. scripts/judged.sh
judged "$out/agree" scripts/clients-agree.sh
cat "$out/agree"
must_be 0 "$out/agree" "scripts/clients-agree.sh"
