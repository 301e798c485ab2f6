#!/bin/bash
# verification/nightly/n8n.sh
# Runs the n8n node in n8n itself, after n8n's linter. The first run installs n8n, some 2 GB.
# Needs: apt-get install g++ make python3.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v g++ >/dev/null || { echo 'needs a C++ compiler: apt-get install g++ make python3' >&2; exit 77; }
exec npm run check:n8n
