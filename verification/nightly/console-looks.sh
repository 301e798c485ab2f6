#!/bin/bash
# verification/nightly/console-looks.sh
# Shows every screen of the console in each language, in both themes, at three widths, and looks for faults with
# axe-core (54 states of each; `npm test` shows 9). The last line is "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/../.."
node tools/ensure-built.mjs
QUIRE_EVERY_LOOK=1 node_modules/.bin/mocha test/console/screens.test.ts
