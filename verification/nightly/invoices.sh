#!/bin/bash
# verification/nightly/invoices.sh [corpus] [seed]
# Compares our rules for e-invoices with the published artefacts on a collection (../shared/einvoice) and on 3,000
# mutants of its invoices, other ones every day, and has phive, Mustang and veraPDF judge what is converted, created and
# embedded. Without a seed, the date is one. The first run installs the validators (Maven Central, a JDK): as root.
set -euo pipefail
cd "$(dirname "$0")/../.."
corpus=${1:-../shared/einvoice}
[ -d "$corpus" ] || { echo "needs a collection of invoices: $corpus is not a folder" >&2; exit 77; }
if ! command -v quire-phive >/dev/null || ! command -v quire-mustang >/dev/null; then
  [ "$(id -u)" = 0 ] ||
    { echo 'needs: sudo sh deploy/install-programs.sh --with-invoice-validators --with-verapdf' >&2; exit 77; }
  sh deploy/install-programs.sh --with-invoice-validators
fi
command -v verapdf >/dev/null || { echo 'needs veraPDF: sh deploy/install-programs.sh --with-verapdf' >&2; exit 77; }
exec npm run check:invoices -- --corpus "$corpus" --mutations 3000 --seed "${2:-$(date +%Y%m%d)}" --written
