#!/usr/bin/env bash
# A client in a process of its own is measured as one inside the bench is: the
# Go client net_http_d, which places every limit where variant D does, and D
# itself show the same in all nine core scenarios.
#   scripts/clients-agree.sh [DIR]       keeps the run in DIR
# Exit status: 0 they agree · 10 outcome, attempts or requests differ, or
# medians by more than 3 ms beyond the noise · 12 too noisy to tell.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run=${1:-$work/run}
client=${CLIENT:-net_http_d} # another one shows that this can fail
scenarios="healthy semaphore_wait slow_headers slow_body pool_wait transient_error persistent_error cancel_in_http cancel_in_backoff"

clients/go/install >"$work/installed" || { cat "$work/installed"; exit 12; }
code=0
# shellcheck disable=SC2086
bin/bench run $scenarios --variant D --client "$client=clients/go/bin/client $client" \
  --repeats "${REPEATS:-1}" --operations "${OPERATIONS:-10}" --out "$run" >"$work/report" 2>&1 || code=$?
case $code in
0 | 12) ;;
*) cat "$work/report"; echo "error: bench run exits $code" >&2; exit "$code" ;;
esac

bin/bench report "$run" --format csv -o "$work/series.csv"
awk -F, -v client="$client" -v within=3 '
  NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
  function field(name) { return $column[name] }
  # kinds is "success:9;cancelled:1" without its counts: valid operations may be fewer on one side.
  function kinds(name,  text) { text = field(name); gsub(/:[0-9]+/, "", text); return text }
  {
    side = field("variant") == client ? "client" : "D"
    key = field("scenario") SUBSEP side
    if (!(field("scenario") in seen)) { seen[field("scenario")] = 1; order[++count] = field("scenario") }
    n[key] = field("n"); counts[key] = kinds("outcomes") ", attempts " kinds("attempts") ", requests " kinds("server_requests")
    median[key] = field("duration_median_ms"); low[key] = field("duration_ci95_low_ms"); high[key] = field("duration_ci95_high_ms")
  }
  END {
    for (i = 1; i <= count; i++) {
      d = order[i] SUBSEP "D"; c = order[i] SUBSEP "client"; gap = median[c] - median[d]
      said = "agree"
      if (n[d] < 6 || n[c] < 6) { said = "inconclusive: too few valid operations"; unclear++ }
      else if (counts[d] != counts[c]) { said = "differ: D " counts[d] "; client " counts[c]; wrong++ }
      else if (gap > within || gap < -within) {
        apart = low[c] - high[d] > 0 || low[d] - high[c] > 0
        if (apart) { said = "differ by more than " within " ms"; wrong++ } else { said = "inconclusive: more than " within " ms apart, but not beyond the noise"; unclear++ }
      }
      printf "%-18s D %8.2f ms (n %d)  client %8.2f ms (n %d)  %+5.2f  %s\n", order[i], median[d], n[d], median[c], n[c], gap, said
    }
    if (count != 9) { print "error: " count " scenarios compared, expected 9"; wrong++ }
    exit wrong ? 10 : unclear ? 12 : 0
  }' "$work/series.csv"
