#!/usr/bin/env bash
# Everything CI runs. Each step prints its name; the first failure ends it.
# Gates are proven to be able to fail: a planted bad expectation must exit 10,
# a killed labserver 13.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export CI=${CI:-true} # a test that lacks what it needs fails, it is not left out

step() { printf '\n== %s (%ss)\n' "$*" "$SECONDS"; }
# expect CODE COMMAND… fails unless the command exits with CODE.
expect() {
  local want=$1 code=0
  shift
  "$@" >"$work/out" 2>&1 || code=$?
  if [ "$code" -ne "$want" ]; then
    cat "$work/out"
    echo "error: exit $code, expected $want: $*" >&2
    exit 1
  fi
  echo "ok: exit $code: $*"
}

# conclusive CODE COMMAND… is expect for a run that judges (--out is added here).
. scripts/judged.sh
conclusive() {
  local want=$1
  shift
  judged "$work/out" anew "$@"
  must_be "$want" "$work/out" "$*"
}
anew() { "$@" --out "$(mktemp -d "$work/try.XXXXXX")/run"; }

step lint
scripts/lint.sh
scripts/size.sh

step build
make build

step "make test"
make test

# races finds none, or fails. Now and then the detector itself crashes, in a
# check of its own or outside of any Go code, which says nothing of the code:
# unless a race or a failed test was found as well it is asked again, at most
# twice, and the packages that passed are not run again.
races() {
  for _ in 1 2 3; do
    go test -race ./... 2>&1 | tee "$work/race" && return
    if grep -qE 'WARNING: DATA RACE|^ *--- FAIL' "$work/race"; then return 1; fi
    grep -qE '^(ThreadSanitizer: CHECK failed|SIGSEGV: segmentation violation)' "$work/race" || return 1
  done
  return 1
}

step "race detector"
races

step "the pages in a real browser"
make test-browser

step "fuzzing, briefly"
scripts/fuzz.sh 5s
scripts/fuzz.sh 1m FuzzConnection

step "every fault on a raw socket"
expect 0 bin/labserver selftest
cat "$work/out"

step "smoke run"
make benchmark-smoke OUT="$work/smoke" ON_INCONCLUSIVE=warn
expect 0 bin/bench validate "$work/smoke"

step "benchstat reads a run"
scripts/benchstat-check.sh "$work/smoke"

step "demo, as the README says"
expect 0 make demo SCENARIO=semaphore_wait
grep -q 'the caller waited' "$work/out" || { cat "$work/out"; echo "error: the demo lacks its sentence" >&2; exit 1; }
expect 0 make demo

step "a run while the clock is set"
scripts/stepped-clock.sh

step "the gates can fail"
conclusive 10 bin/bench run internal/scenario/testdata/planted.yaml --variant C --repeats 1 --operations 8
scripts/kill-labserver.sh "$work/killed"
scripts/kill-bench.sh "$work/random" 3
scripts/mutate-deadline.sh
scripts/drawn.sh "$work/drawn" 60 5000 # any other seed by hand: what nobody has drawn yet may be a finding
scripts/loaded.sh "$work/loaded"

step "a labserver on another host"
scripts/other-host.sh "$work/other"

step "the committed reference run"
expect 0 bin/bench validate results/reference
cp -r results/reference "$work/reference"
expect 0 bin/bench analyze "$work/reference" --check
diff -r results/reference "$work/reference"
go run ./tools/docgen reproduction | diff - docs/reproduction.md

# From the moment it is committed the ladder's page must be what its run says.
if [ -n "$(git ls-files results/ladder docs/waits.md)" ]; then
  step "the committed ladder"
  scripts/ladder-check.sh
fi

step "the known clients"
scripts/test-clients.sh
if [ -n "$(git ls-files results/clients docs/clients.md)" ]; then
  step "the committed run of the known clients"
  scripts/clients-check.sh
fi

step "clients of one's own, as the README says"
for proxy in '' http://127.0.0.1:9; do # a dead one must not swallow loopback
  conclusive 0 env HTTP_PROXY="$proxy" http_proxy="$proxy" bin/bench run slow_body --exec 'curl -sS --max-time {budget_s} {url}' --require bounded --repeats 1 --operations 8
  conclusive 10 env HTTP_PROXY="$proxy" http_proxy="$proxy" bin/bench run slow_body --exec 'curl -sS {url}' --require bounded --repeats 1 --operations 8
done

step "done"
