#!/bin/sh
# Compresses a PDF in the background: sh examples/curl/job.sh in.pdf
set -eu
url=${QUIRE_URL:-http://127.0.0.1:8080}
key="X-API-KEY: ${QUIRE_API_KEY:-}"

job=$(curl --silent --show-error --fail-with-body -H "$key" -H 'Prefer: respond-async' \
  -F "fileInput=@$1" "$url/api/v1/misc/compress-pdf" | sed 's/.*"jobId":"\([^"]*\)".*/\1/')
echo "job $job"
# Each call waits up to 20 seconds for a change of the job.
until curl --silent --show-error --fail-with-body -H "$key" -H 'Prefer: wait=20' "$url/api/v1/general/job/$job" |
  grep -q '"complete":true'; do :; done
curl --silent --show-error --fail-with-body -H "$key" -o compressed.pdf "$url/api/v1/general/job/$job/result"
echo "wrote compressed.pdf"
