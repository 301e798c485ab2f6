#!/bin/sh
# Installs the mail server of `npm run automations:test` in a pinned version: sh verification/automations/install.sh <folder>
# Needs Python 3 with venv, and PyPI. May be run again; what is installed stays.
set -eu

folder=${1:?no folder given}
wanted='aiosmtpd==1.4.6'
mkdir -p "$folder"
if [ "$(cat "$folder/installed" 2>/dev/null || true)" = "$wanted" ]; then exit 0; fi

python3 -m venv --clear "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check --no-input "$wanted"
# Written last, so that an interrupted installation is repeated.
echo "$wanted" >"$folder/installed"
