#!/bin/sh
# Installs the clients of `npm run check:agent-clients`, in pinned versions:
#   sh verification/agents/install-clients.sh <folder>
# Needs Python 3.10 or later with venv, and npm and PyPI. May be run again; what is installed stays.
set -eu

folder=${1:?no folder given}
npm_clients='sdk-2025-11-25@npm:@modelcontextprotocol/sdk@1.32.2 sdk-2025-06-18@npm:@modelcontextprotocol/sdk@1.20.2'
npm_clients="$npm_clients mcp-remote@0.15.1"
python_clients='2.3.0 1.22.0'

wanted="$npm_clients $python_clients"
mkdir -p "$folder"
if [ "$(cat "$folder/installed" 2>/dev/null || true)" = "$wanted" ]; then exit 0; fi

echo '{ "private": true }' > "$folder/package.json"
# The lists are meant to be split.
# shellcheck disable=SC2086
npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --silent $npm_clients
for version in $python_clients; do
  python3 -m venv --clear "$folder/python-$version"
  "$folder/python-$version/bin/pip" install --quiet --disable-pip-version-check --no-input "mcp==$version"
done
# Written last, so that an interrupted installation is repeated.
echo "$wanted" > "$folder/installed"
