#!/bin/bash
# verification/nightly/pipelines.sh <corpus> [seed]
# Sends 1,000 files and 1,000 damaged copies through pipelines and through the same calls one by one, with other steps
# every day. Without a seed, the date is one.
# Needs: apt-get install qpdf poppler-utils.
set -euo pipefail
cd "$(dirname "$0")/../.."
for program in qpdf pdftotext; do
  command -v "$program" >/dev/null || { echo "needs $program: apt-get install qpdf poppler-utils" >&2; exit 77; }
done
exec npm run check:pipelines -- "${1:?no folder given}" --files 1000 --damaged 100 --seed "${2:-$(date +%Y%m%d)}"
