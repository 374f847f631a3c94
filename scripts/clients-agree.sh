#!/usr/bin/env bash
# A client in a process of its own is measured as one inside the bench is: the
# Go client net_http_d places every limit where variant D does. As an adapter it
# shows the same as D in all nine core scenarios, as a process per operation in
# five.
#   scripts/clients-agree.sh [DIR]       keeps the runs in DIR
# Exit status: 0 they agree · 10 outcome, attempts or requests differ, or
# medians by more than 3 ms (a process per operation: 30 ms, net of its
# start-up) and beyond the noise · 12 too noisy to tell.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
runs=${1:-$work}
client=${CLIENT:-net_http_d} # another one shows that this can fail
size=(--repeats "${REPEATS:-1}" --operations "${OPERATIONS:-10}")
verdict=0

clients/go/install >"$work/installed" || { cat "$work/installed"; exit 12; }

# agree NAME WITHIN_MS SCENARIO… -- OPTION… runs D beside the client and compares.
agree() {
  local name=$1 within=$2 code=0 scenarios=()
  shift 2
  while [ "$1" != -- ]; do scenarios+=("$1"); shift; done
  shift
  bin/bench run "${scenarios[@]}" --variant D "$@" "${size[@]}" --out "$runs/$name" >"$work/report" 2>&1 || code=$?
  case $code in
  0 | 12) ;;
  *) cat "$work/report"; echo "error: bench run exits $code" >&2; exit "$code" ;;
  esac
  bin/bench report "$runs/$name" --format csv -o "$work/series.csv"
  echo "$name"
  code=0
  awk -F, -v client="$client" -v within="$within" -v expected="${#scenarios[@]}" "$compare" "$work/series.csv" || code=$?
  # 10 goes before 12, and 12 before 0.
  case $code in
  0) ;;
  12) [ $verdict -eq 10 ] || verdict=12 ;;
  *) verdict=10 ;;
  esac
}

# shellcheck disable=SC2016
compare='
  NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
  function field(name) { return $column[name] }
  # What "success:9;cancelled:1" holds, without counts: fewer operations may be valid on one side.
  function kinds(name,  text) { text = field(name); gsub(/:[0-9]+/, "", text); return text }
  function time(name) { return field("net_duration_" name) != "" ? field("net_duration_" name) : field("duration_" name) }
  {
    side = field("variant") == client ? "client" : "D"
    key = field("scenario") SUBSEP side
    if (!(field("scenario") in seen)) { seen[field("scenario")] = 1; order[++count] = field("scenario") }
    n[key] = field("n") + 0; outcomes[key] = kinds("outcomes"); attempts[key] = kinds("attempts"); requests[key] = kinds("server_requests")
    median[key] = time("median_ms"); low[key] = time("ci95_low_ms"); high[key] = time("ci95_high_ms")
  }
  # A process per operation reports no attempts: the server counts its requests.
  function same(d, c) { return outcomes[d] == outcomes[c] && requests[d] == requests[c] && (attempts[c] == "" || attempts[d] == attempts[c]) }
  function shown(k) { return outcomes[k] ", attempts " (attempts[k] == "" ? "–" : attempts[k]) ", requests " requests[k] }
  END {
    for (i = 1; i <= count; i++) {
      d = order[i] SUBSEP "D"; c = order[i] SUBSEP "client"; gap = median[c] - median[d]
      said = "agree"
      if (n[d] < 6 || n[c] < 6) { said = "inconclusive: too few valid operations"; unclear++ }
      else if (!same(d, c)) { said = "differ: D " shown(d) "; client " shown(c); wrong++ }
      else if ((gap > within || gap < -within) && (low[c] > high[d] || low[d] > high[c])) { said = "differ by more than " within " ms"; wrong++ }
      else if (gap > within || gap < -within) { said = "inconclusive: more than " within " ms apart, but not beyond the noise"; unclear++ }
      printf "  %-18s D %8.2f ms (n %d)  client %8.2f ms (n %d)  %+7.2f  %s\n", order[i], median[d], n[d], median[c], n[c], gap, said
    }
    if (count != expected) { print "error: " count " scenarios compared, expected " expected; wrong++ }
    exit wrong ? 10 : unclear ? 12 : 0
  }'

statuses=("20=deadline_exceeded" "21=attempt_timeout" "22=connect_timeout" "23=retries_exhausted" "24=unexpected_status")
process="$client=clients/go/bin/client $client --once {url} budget_ms={budget_ms} max_attempts=3 backoff_ms=100,200 retry_status=503 connect_ms=300 sock_connect_ms=300"

agree adapter 3 healthy semaphore_wait slow_headers slow_body pool_wait transient_error persistent_error cancel_in_http cancel_in_backoff -- \
  --client "$client=clients/go/bin/client $client"
agree exec 30 healthy slow_headers transient_error persistent_error -- --exec "$process total_ms=400" "${statuses[@]/#/--exec-outcome=}"
agree exec_body 30 slow_body -- --exec "$process total_ms=1600 sock_read_ms=200" "${statuses[@]/#/--exec-outcome=}"
exit $verdict
