#!/bin/bash
# verification/nightly/any-day.sh [stage…] [path…]
# Runs the test suite on simulated dates, in another time zone and locale, in random orders, and as a user other than
# root. Stages and paths are those of tools/run-tests.mjs; the default is unit, kit and http. ONLY=ten-years,random-1
# runs only these configurations; SEED=7 repeats the orders of an earlier run. Each takes as long as npm test.
# Needs: apt-get install faketime locales. Creates the Turkish locale when run as root.
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
exec node --import ./tools/node24.mjs verification/nightly/any-day.mjs "$@"
