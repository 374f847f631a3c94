#!/usr/bin/env bash
# Moves operation_deadline's deadline below the semaphore, in a build overlay
# that leaves the source alone: the smoke run must then exit 10 and name
# semaphore_wait, or say that it cannot tell. A gate that cannot fail is no gate.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

source=$PWD/internal/variants/operation_deadline.go
sed 's/env\.Start\.Add(/time.Now().Add(/' internal/variants/deadline_after_admission.go |
  sed -e 's/deadlineAfterAdmission/operationDeadline/g' -e 's/deadline_after_admission/operation_deadline/g' \
    -e 's/Label: *"C"/Label: "D"/' >"$work/moved.go"
if cmp -s "$source" "$work/moved.go"; then
  echo "error: the mutation changed nothing" >&2
  exit 1
fi
printf '{"Replace": {"%s": "%s"}}\n' "$source" "$work/moved.go" >"$work/overlay.json"
go build -overlay "$work/overlay.json" -o "$work/bench" ./cmd/bench

code=0
run() {
  rm -rf "$work/run"
  "$work/bench" run semaphore_wait healthy --variant D --profile smoke --out "$work/run"
}
. scripts/judged.sh
judged "$work/out" run
must_be 10 "$work/out" "a deadline below the semaphore"
[ "$code" -eq 12 ] || grep -q '^fail *semaphore_wait' "$work/out" || { cat "$work/out"; echo "error: the report does not name semaphore_wait" >&2; exit 1; }
