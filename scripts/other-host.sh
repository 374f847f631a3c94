#!/usr/bin/env bash
# Proves the run against a labserver on another host, on one machine: labserver
# runs in a time namespace whose monotonic clock is 1000 s ahead, and in a
# network namespace of its own if `ip` can make one. The boot id is the same, the
# clocks are not.
# usage: scripts/other-host.sh DIR
# Namespaces need root: without it sudo is asked, and if that wants a password
# nothing is proven and the script says so. As root a missing namespace is a failure.
set -euo pipefail
[ $# -gt 0 ] || { echo "error: DIR, where the run goes, is missing" >&2; echo "hint: scripts/other-host.sh DIR" >&2; exit 64; }
cd "$(dirname "$0")/.."
out=$1
if [ "$(id -u)" -ne 0 ]; then
  sudo -n true 2>/dev/null || { echo "skipped: a time namespace needs root"; exit 0; }
  exec sudo -n BENCH="${BENCH:-bin/bench}" LABSERVER="${LABSERVER:-bin/labserver}" "$PWD/scripts/other-host.sh" "$(realpath -m "$out")"
fi
bench=$(realpath "${BENCH:-bin/bench}")
labserver=$(realpath "${LABSERVER:-bin/labserver}")
ahead=1000
mkdir -p "$out"

fail() { echo "error: $*" >&2; exit 1; }

unshare --time --monotonic "$ahead" --fork true 2>"$out/unshare" ||
  fail "no time namespace can be made here ($(cat "$out/unshare")): run this as root on Linux 5.6 or newer"

# A network of its own makes the data listeners unreachable by loopback.
name=deadlinelab-$$ net=10.213.$(($$ % 256)) address=127.0.0.1 inside=()
if ip netns add "$name" 2>/dev/null; then
  address=$net.2 inside=(ip netns exec "$name")
  ip link add "dl$$a" type veth peer name "dl$$b" netns "$name"
  ip addr add "$net.1/30" dev "dl$$a"
  ip link set "dl$$a" up
  ip -n "$name" addr add "$address/30" dev "dl$$b"
  ip -n "$name" link set "dl$$b" up
  ip -n "$name" link set lo up
fi
leave() {
  # unshare itself waits for its child and lets SIGTERM pass it by.
  # shellcheck disable=SC2046 # several numbers
  [ -z "${server:-}" ] || kill $(cat "/proc/$server/task/"*/children) 2>/dev/null || kill -KILL "$server" 2>/dev/null || true
  wait 2>/dev/null || true
  [ ${#inside[@]} -eq 0 ] || ip netns del "$name"
  [ -z "${SUDO_UID:-}" ] || chown -R "$SUDO_UID" "$out"
}
trap leave EXIT

umask 077
head -c 24 /dev/urandom | base64 | tr -dc 'A-Za-z0-9' >"$out/token"
DEADLINELAB_TOKEN=$(cat "$out/token") "${inside[@]}" unshare --time --monotonic "$ahead" --fork --kill-child \
  "$labserver" --control "$address:0" >"$out/ready" 2>"$out/labserver.log" &
server=$!
for _ in $(seq 100); do [ -s "$out/ready" ] && break; sleep 0.05; done
url=$(sed -n 's/.*"control":"\([^"]*\)".*/\1/p' "$out/ready")
[ -n "$url" ] || fail "labserver does not get ready: $(cat "$out/ready" "$out/labserver.log")"

code=0
"$bench" run healthy pool_wait cancel_in_http slow_headers --variant B,D --repeats 1 --operations 6 --on-inconclusive warn \
  --labserver "$url" --token-file "$out/token" --out "$out/run" >"$out/report" 2>"$out/notes" || code=$?
[ "$code" -eq 0 ] || { cat "$out/report" "$out/notes" >&2; fail "exit $code, expected 0"; }

# fact KEY is a number of run.json's clock.
fact() { sed -n '/"clock": {/,/}/p' "$out/run/run.json" | sed -n "s/^ *\"$1\": *\(-\{0,1\}[0-9a-z]*\),\{0,1\}$/\1/p" | head -1; }
offset=$(fact offset_ns) bound=$(fact bound_ns) shared=$(fact shared)
[ "$shared" = false ] || fail "run.json says shared: $shared, although the clocks are $ahead s apart"
apart=$((offset + ahead * 1000000000))
[ "$bound" -gt 0 ] && [ "$bound" -lt 20000000 ] || fail "a bound of $bound ns is none, or none to work with"
[ "${apart#-}" -le "$bound" ] || fail "the offset is $offset ns ± $bound, but the clocks are exactly $ahead s apart"
[ "$(sed -n '/"readings"/,/]/p' "$out/run/run.json" | grep -c '"at_ns"')" -eq 2 ] || fail "run.json lacks the reading before or the one after the run"
grep -q 'labserver has another clock: its times are known within' "$out/notes" || fail "nothing says that the times of labserver are not exact"
grep -q '"server_bound_ms":' "$out/run/operations.jsonl" || fail "operations.jsonl does not say how exact the times of labserver are"
"$bench" validate "$out/run" >"$out/validation" 2>&1 || { cat "$out/validation" >&2; fail "the run is not valid"; }

# A wrong token ends before anything is measured.
code=0
echo wrong >"$out/wrong"
"$bench" run healthy --labserver "$url" --token-file "$out/wrong" --out "$out/refused" >"$out/refusal" 2>&1 || code=$?
[ "$code" -eq 64 ] && grep -q 'bearer token is missing or wrong' "$out/refusal" || fail "a wrong token: exit $code: $(cat "$out/refusal")"
[ ! -e "$out/refused" ] || fail "a run that never began left a directory"

echo "ok: labserver at $address, $ahead s ahead: offset $offset ns, bound ±$bound ns, verdicts as on one host"
