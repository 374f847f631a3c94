#!/usr/bin/env bash
# gofmt, go vet for every system the bench builds on, and staticcheck (pinned);
# of the Go clients too, which are a module of their own.
set -euo pipefail
cd "$(dirname "$0")/.."

unformatted=$(gofmt -l adapter clients cmd internal scenarios schema scripts test tools)
if [ -n "$unformatted" ]; then
  echo "error: gofmt would change:" "$unformatted" >&2
  echo "hint: gofmt -w adapter clients cmd internal scenarios schema scripts test tools" >&2
  exit 1
fi
for module in . clients/go; do (
  cd "$module"
  for system in linux darwin windows; do
    GOOS=$system go vet ./...
  done
  go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...
  go mod tidy -diff
); done
# What is there, is used: a machine without it leaves this to one that has it.
if command -v shellcheck >/dev/null; then
  git ls-files 'scripts/*.sh' 'clients/*/install' clients/java/check clients/java/run .ci/run | xargs shellcheck --severity=warning
else
  echo "note: shellcheck is not installed: the scripts are not checked here"
fi
echo "lint: ok"
