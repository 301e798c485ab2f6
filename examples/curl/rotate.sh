#!/bin/sh
# Rotates a PDF by 90 degrees: sh examples/curl/rotate.sh in.pdf
set -eu
# --fail-with-body: an error exits with a code and still shows the explanation.
curl --silent --show-error --fail-with-body \
  -H "X-API-KEY: ${QUIRE_API_KEY:-}" -F "fileInput=@$1" -F angle=90 -o rotated.pdf \
  "${QUIRE_URL:-http://127.0.0.1:8080}/api/v1/general/rotate-pdf" || { cat rotated.pdf >&2; exit 1; }
echo "wrote rotated.pdf"
