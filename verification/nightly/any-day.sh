#!/bin/bash
# verification/nightly/any-day.sh [stage…] [path…]: the test suite on other days, in another zone and language, in other
# orders, and as another user than root. Stages and paths are those of tools/run-tests.mjs; unit, kit and http by default.
# ONLY=ten-years,random-1 runs some of the days only; SEED=7 repeats the orders of an earlier run.
# One day takes as long as npm test.
# Needs: apt-get install faketime locales. It makes the Turkish locale itself where it may.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v faketime >/dev/null || { echo 'needs libfaketime: apt-get install faketime' >&2; exit 77; }
if ! locale -a | grep -qix 'tr_TR.utf-\?8'; then
  if [ "$(id -u)" != 0 ] || ! localedef -i tr_TR -f UTF-8 tr_TR.UTF-8; then
    echo 'needs the locale tr_TR.UTF-8: apt-get install locales; localedef -i tr_TR -f UTF-8 tr_TR.UTF-8' >&2
    exit 77
  fi
fi
node tools/ensure-built.mjs --always
exec node verification/nightly/any-day.mjs "$@"
