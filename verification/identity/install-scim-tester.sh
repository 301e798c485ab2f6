#!/bin/sh
# Installs scim2-tester, in a pinned version, for `npm run check:scim`: sh verification/identity/install-scim-tester.sh <folder>
# Needs Python 3.11 or later with venv, and PyPI. May be run again; what is installed stays.
set -eu

folder=${1:?no folder given}
versions='scim2-tester==0.5.2 scim2-client[httpx2]==0.13.2 scim2-models==0.12.3'

if [ "$(cat "$folder/installed" 2>/dev/null || true)" = "$versions" ]; then exit 0; fi
rm -rf "$folder"
python3 -m venv "$folder"
# shellcheck disable=SC2086
"$folder/bin/pip" install --quiet --disable-pip-version-check $versions
echo "$versions" > "$folder/installed"
