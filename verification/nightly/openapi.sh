#!/bin/bash
# verification/nightly/openapi.sh
# Runs validators and generators of others on the API document, and calls of a generated client.
# Needs: Python 3 with venv, Java 17; npm, PyPI and Maven Central for the first run.
set -euo pipefail
cd "$(dirname "$0")/../.."
for program in python3 java; do
  command -v "$program" >/dev/null || { echo "needs $program" >&2; exit 77; }
done
exec npm run check:openapi
