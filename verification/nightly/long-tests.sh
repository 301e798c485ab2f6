#!/bin/bash
# verification/nightly/long-tests.sh
# Runs in full what `npm test` runs in part: every screen of the console in each language, both themes and three widths
# (54 states, else 3), every tool of the console with its example (else every sixth), every operation with every hostile
# document, plugins made from every template. The last line is "N passed, N failed".
#
# What moved here because it repeats what `npm test` shows already:
# - every list of pages for every field that takes one (else nine lists for each field, in turn): all fields read their
#   lists with the same code; and the two slowest documents in every page operation (else in a third of them);
# - the conformance kit with every hostile file, wrong value and second run for each operation (else some of the files
#   and values for each, in turn, and two runs of its first example): core opens files and checks values before an
#   operation runs;
# - the conformance kit's look at the API document and at the packed files of each plugin: test/http/api validates the
#   document of all plugins, with every operation, and tools/release/packages.test.ts lists what all packages contain;
# - five of six tools of the console with their examples: the kit posts every example, and one form shows all tools,
#   which test/console/tools.test.ts and runner.test.ts fill in and run;
# - all examples of the API description (else the first, and the first refusal, of each operation): the kit posts all;
# - photos and codes on all kinds of scanned pages (else on a third for each, in turn): their decoding is compared with
#   the rendering of every kind;
# - the example package, and a plugin beside a checkout: the guide to plugins has the same commands, and is followed;
# - plugins from packed packages, from each template: tools/release/installed-server.test.ts compiles one against the
#   packages that it has packed and installed, and runs its tests and the kit.
set -euo pipefail
cd "$(dirname "$0")/../.."
node tools/ensure-built.mjs
QUIRE_LONG_TESTS=1 node_modules/.bin/mocha \
  test/console/screens.test.ts test/console/every-tool.test.ts \
  test/http/documents/hostile-pages.test.ts test/http/api/openapi.test.ts \
  test/examples/outside-packages.test.ts test/examples/typed-pages.test.ts plugins/*/test/conformance.test.ts \
  plugins/misc/test/operations/whole-page-scans.test.ts
