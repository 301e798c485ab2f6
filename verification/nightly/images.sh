#!/bin/bash
# sudo verification/nightly/images.sh [slim|full]…
# Builds both variants of the image for this machine without Docker, and runs each through deploy/image/smoke-test.sh.
# Needs root and: apt-get install mmdebstrap umoci runc. A quarter of an hour. The last line is "images: ok".
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- slim full
work=$(mktemp -d /var/tmp/quire-images-XXXXXX)
trap 'rm -rf "$work"' EXIT
for variant in "$@"; do
  npm run --silent image -- --variant "$variant" --output "$work/oci"
  bash deploy/image/smoke-test.sh "$work/oci" "$variant"
done
echo 'images: ok'
