#!/bin/bash
# verification/nightly/openapi.sh
# Runs validators and generators of others on the API document, six calls of each generated client, and schemathesis.
# Needs: Python 3.11 with venv, Java 17, Maven, Go, Mono (mono-devel); npm, PyPI, Maven Central and the Go module
# proxy for the first run.
set -euo pipefail
cd "$(dirname "$0")/../.."
for program in python3 java mvn go mcs mono; do
  command -v "$program" >/dev/null || { echo "needs $program" >&2; exit 77; }
done
exec npm run check:openapi
