#!/bin/sh
# Checks a pipeline and runs it on a PDF: sh examples/curl/pipeline.sh in.pdf
set -eu
url=${QUIRE_URL:-http://127.0.0.1:8080}
definition='{"pipeline": [
  {"operation": "/api/v1/general/rotate-pdf", "parameters": {"angle": 180}},
  {"operation": "/api/v1/security/add-watermark", "parameters": {"watermarkType": "text", "watermarkText": "DRAFT"}},
  {"operation": "/api/v1/misc/compress-pdf", "parameters": {"optimizeLevel": 2}}]}'

echo "checking:"
curl --silent --show-error --fail-with-body -H "X-API-KEY: ${QUIRE_API_KEY:-}" \
  -F "json=$definition" "$url/api/v1/pipeline/validate"
echo
curl --silent --show-error --fail-with-body -H "X-API-KEY: ${QUIRE_API_KEY:-}" \
  -F "fileInput=@$1" -F "json=$definition" -o pipeline-result.pdf "$url/api/v1/pipeline/handleData"
echo "wrote pipeline-result.pdf"
