#!/bin/bash
# verification/nightly/long-tests.sh [test file…]
# Runs in full what `npm test` runs in part; with arguments only these files. The last line is "N passed, N failed".
# `npm test` keeps a part of each, or another test of the same behaviour:
#
# - the console: every screen in each language, both themes and three widths (54 states, else 3, one of them of every
#   third screen); the states of invoices and forms in all looks (else two); the invoice form with all its fields by
#   axe; every tool with its example (else one of 24: the kit posts every example, and one form shows all tools, which
#   test/console/tools.test.ts and runner.test.ts fill in and run). QUIRE_SCREEN_PICTURES=<folder> keeps
#   pictures of the screens;
# - the conformance kit with every hostile file, wrong value and second run for each operation (else some of the files
#   and values for each, in turn, one accepted odd value, and two runs only where there is one example), with the API
#   document and the packed files of each plugin (else test/http/api validates the document of all plugins, and
#   tools/release/packages.test.ts lists what all packages contain);
# - hostile documents: every list of pages for every field that takes one (else five lists for each field, in turn: all
#   fields read their lists with the same code), the slowest documents in every page operation (else in a sixth of
#   them), every operation with every document (else a third of them with one each: the kit sends hostile files to all);
# - the API description: all examples of all operations (else the first, and the first refusal, of every sixth
#   operation: the kit posts all), every role on every route and every spelling of its address (else a third of them on
#   each route, in turn; every other caller is on every route in both);
# - redaction: each carrier of a word alone (else every sixth, and all of them in one document);
# - photos and codes on all kinds of scanned pages (else on an eleventh for each, in turn: their decoding is compared
#   with the rendering of every kind), and all levels at which scans are separated (else the first and the last);
# - invoices: all profiles of hybrid PDFs (else two), and 120 random ones in all syntaxes (else 30);
# - veraPDF on six real files, and on five that wait (else two each), and both levels of results with metadata (else
#   one);
# - real files of the corpus, where it is there: two or three times as many for repair, text, meaning, geometry, the
#   order of pages and drawing;
# - keystores with noise in, and cut at, fifteen times as many places;
# - SCIM with 5,000 users, and that a lookup is faster than a search (else 500); twelve kills during deliveries (else
#   five);
# - packages: the server installed by npm from the packed packages (else unpacked from them), the Python client built
#   and installed (else run from its sources), plugins from each template (else one), what the guide to plugins and the
#   README of the example say to type.
set -euo pipefail
cd "$(dirname "$0")/../.."
node tools/ensure-built.mjs
[ $# -gt 0 ] || set -- \
  test/console/screens.test.ts test/console/every-tool.test.ts test/console/invoices.test.ts \
  test/console/invoice-form.test.ts test/console/workbench-form-values.test.ts \
  test/http/documents/hostile-pages.test.ts test/http/documents/result-metadata.test.ts test/http/api/openapi.test.ts \
  test/http/accounts/access-routes.test.ts test/http/accounts/access-roles.test.ts \
  test/http/identity/scim-scale.test.ts test/examples/outside-packages.test.ts test/examples/typed-pages.test.ts \
  clients/python/test/python-client.test.ts tools/release/installed-server.test.ts \
  plugins/*/test/conformance.test.ts plugins/misc/test/operations/whole-page-scans.test.ts \
  plugins/invoice/test/operations/render-and-create.test.ts plugins/security/test/operations/verify-pdf.test.ts \
  plugins/general/test/geometry-corpus.test.ts plugins/general/test/order-corpus.test.ts \
  plugins/misc/test/drawing-corpus.test.ts \
  core/engines/programs/waiting-verapdf.test.ts core/automation/connectors/folder/folder-faults.test.ts \
  document/test/file/compression/separate-scans.test.ts document/test/file/repair/ladder.test.ts \
  document/test/content/editor/round-trip.test.ts document/test/layout/sure-texts.test.ts \
  document/test/redaction/plain/plain-pages.test.ts document/test/invoices/syntaxes/properties.test.ts \
  document/test/signatures/certificates/pkcs12.test.ts \
  verification/meaning/meaning.test.ts verification/redaction/planted.test.ts
QUIRE_LONG_TESTS=1 exec node_modules/.bin/mocha "$@"
