# shellcheck shell=bash
# To be sourced by scripts that hold a run's verdict to what it has to be.

# judged LOG COMMAND… leaves the exit code in $code and what was printed in LOG.
# What a noisy moment left open (12) is measured again, at most twice.
judged() {
  local log=$1
  shift
  for _ in 1 2 3; do
    code=0
    "$@" >"$log" 2>&1 || code=$?
    [ "$code" -eq 12 ] || break
  done
}

# must_be CODE LOG WHAT is about the last judged: a machine that is too busy to
# judge is no fault of the bench, and nothing is proven, which is said.
must_be() {
  case $code in
  "$1") echo "ok: exit $code: $3" ;;
  12) echo "inconclusive: three times the machine was too busy to judge: $3" ;;
  *) cat "$2"; echo "error: exit $code, expected $1: $3" >&2; exit 1 ;;
  esac
}
