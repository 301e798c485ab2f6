#!/bin/bash
# verification/nightly/locks.sh <corpus> [seed]
# Locks and unlocks the corpus's good files with other passwords every day, and opens the results with three readers.
# Without a seed, the date is one.
# Needs: apt-get install qpdf mupdf-tools.
set -euo pipefail
cd "$(dirname "$0")/../.."
for program in qpdf mutool; do
  command -v "$program" >/dev/null || { echo "needs $program: apt-get install qpdf mupdf-tools" >&2; exit 77; }
done
exec npm run check:locks -- "${1:?no folder given}" --passwords 2048 --seed "${2:-$(date +%Y%m%d)}"
