#!/bin/bash
# verification/nightly/damage.sh <corpus> [seed]
# Sends 100 files, each cut at ten places, and 100 more with changed bytes through ten operations, with other places
# every day: 20,000 calls. Without a seed, the date is one.
# Needs: apt-get install qpdf poppler-utils.
set -euo pipefail
cd "$(dirname "$0")/../.."
for program in qpdf pdftotext; do
  command -v "$program" >/dev/null || { echo "needs $program: apt-get install qpdf poppler-utils" >&2; exit 77; }
done
exec npm run check:damage -- "${1:?no folder given}" --seed "${2:-$(date +%Y%m%d)}"
