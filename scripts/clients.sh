#!/usr/bin/env bash
# Builds and installs the clients that the bench knows, as far as this machine
# allows, and says what is missing. With CLIENTS=all a missing one is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
missing=()
for install in clients/*/install; do
  language=$(basename "$(dirname "$install")")
  echo "== $language"
  code=0
  "$install" || code=$?
  case $code in
    0) ;;
    3) missing+=("$language") ;;
    *) echo "error: $install ended with exit status $code" >&2; exit 1 ;;
  esac
done
command -v curl >/dev/null || missing+=(curl)
if [ ${#missing[@]} -eq 0 ]; then
  echo "clients: all of clients/clients.yaml can be measured"
  exit 0
fi
echo "clients: not available here: ${missing[*]}; a run leaves them out with a note"
[ "${CLIENTS:-}" != all ]
