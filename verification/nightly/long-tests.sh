#!/bin/bash
# verification/nightly/long-tests.sh
# Runs in full what `npm test` runs in part: every screen of the console in each language, both themes and three widths
# (54 states, else 3), every tool of the console with its example (else every third), every operation with every hostile
# document, plugins made from every template. The last line is "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/../.."
node tools/ensure-built.mjs
QUIRE_LONG_TESTS=1 node_modules/.bin/mocha \
  test/console/screens.test.ts test/console/every-tool.test.ts \
  test/http/documents/hostile-pages.test.ts test/examples/outside-packages.test.ts
