#!/usr/bin/env bash
# Makes docs/images/*.png from a real run in Chromium. Usage:
#   scripts/screenshots.sh [RUN_DIRECTORY]
# Without a directory it runs the core scenarios first, on a quiet machine.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
run=${1:+$(realpath "$1")}
mkdir -p docs/images
cd test/browser
go run ./screenshots -root "$root" -out "$root/docs/images" ${run:+-run "$run"}
