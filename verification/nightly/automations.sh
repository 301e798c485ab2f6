#!/bin/bash
# verification/nightly/automations.sh [option…]
# Files of automations under faults: a short run on one node with its embedded store, about a minute. The whole one:
#   automations.sh --faults none,kill,store,s3,mail,receiver,clock,disk,twice,all --stores embedded,cluster --files 10000
# or in pieces, an hour or less each, for every fault and pair of a source and a destination:
#   automations.sh --faults disk --stores embedded --routes folder-to-folder --files 10000 --patience-seconds 3600
# 10,000 files at once over all pairs, without a fault and with kills, each in 20 minutes at most on two quiet cores:
#   automations.sh --many
# Needs: apt-get install dovecot-imapd python3-venv, and for some faults root and libfaketime; a cluster also a MongoDB,
# or deploy/install-programs.sh --with-mongodb. Exit code 1: a file was lost, delivered twice or left behind.
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH="$PATH:/usr/sbin"
command -v dovecot >/dev/null || { echo 'needs Dovecot: apt-get install dovecot-imapd' >&2; exit 77; }
if [ "${1:-}" = --many ]; then
  shift
  exec npm run -s automations:test -- --files 10000 --faults none,kill --stores embedded --feed-seconds 5 \
    --patience-seconds 1200 "$@"
fi
exec npm run -s automations:test -- --files 75 --faults kill,all --stores embedded --feed-seconds 10 "$@"
