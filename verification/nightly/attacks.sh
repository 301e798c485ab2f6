#!/bin/bash
# verification/nightly/attacks.sh
# Sends all hostile requests that follow from the API description, more than 8,000, to a server of its own; half an hour.
# EVERY=10 sends every tenth.
# Needs: apt-get install poppler-utils.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v pdftotext >/dev/null || { echo 'needs pdftotext: apt-get install poppler-utils' >&2; exit 77; }
exec npm run check:attacks -- --every "${EVERY:-1}"
