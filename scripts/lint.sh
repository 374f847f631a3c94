#!/usr/bin/env bash
# gofmt, go vet for every system the bench builds on, and staticcheck (pinned).
set -euo pipefail
cd "$(dirname "$0")/.."

unformatted=$(gofmt -l adapter clients cmd internal scenarios schema scripts test)
if [ -n "$unformatted" ]; then
  echo "error: gofmt would change:" "$unformatted" >&2
  echo "hint: gofmt -w adapter clients cmd internal scenarios schema scripts test" >&2
  exit 1
fi
for system in linux darwin windows; do
  GOOS=$system go vet ./...
done
go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...
go mod tidy -diff
echo "lint: ok"
