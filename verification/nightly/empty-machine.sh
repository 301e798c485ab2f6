#!/bin/bash
# verification/nightly/empty-machine.sh
# Installs the packed command `quire` in a Debian that has nothing but Node 24, and compresses a PDF there twice, as an
# ordinary user and without a network: no program of the host is needed, and the second call finds the local server.
# Needs: apt-get install mmdebstrap bubblewrap. HOST_TAR names a root file system that exists already. Five minutes. The
# last line is "empty machine: ok".
set -euo pipefail
cd "$(dirname "$0")/../.."
node=$(node tools/node24.mjs)
PATH="$(dirname "$node"):$PATH"
work=$(mktemp -d /var/tmp/quire-empty-XXXXXX)
trap 'rm -rf "$work"' EXIT
mkdir "$work/root" "$work/home"

if [ -z "${HOST_TAR:-}" ]; then
  HOST_TAR=$work/host.tar
  # Node needs the library of C++; everything else is what each Debian has.
  mmdebstrap --quiet --variant=essential --include=libstdc++6 bookworm "$HOST_TAR"
fi
tar xf "$HOST_TAR" -C "$work/root" --exclude=./dev
mkdir -p "$work/root/usr/local/bin"
cp "$node" "$work/root/usr/local/bin/node"

npm run --silent pack -- "$work/packed"
npm install --global --prefix "$work/root/usr/local" --ignore-scripts --no-audit --no-fund --loglevel=error "$work"/packed/*.tgz

node --input-type=module > "$work/home/big.pdf" <<'JS'
import { PDFDocument } from 'pdf-lib';
const pdf = await PDFDocument.create();
for (let i = 0; i < 60; i += 1) {
  const page = pdf.addPage();
  const content = `% page ${i}\n${'0 0 m 100 100 l S '.repeat(15_000)}`;
  page.node.set(pdf.context.obj('Contents'), pdf.context.register(pdf.context.stream(content)));
}
process.stdout.write(await pdf.save({ useObjectStreams: false }));
JS

# Runs a shell script on the machine.
inside() {
  bwrap --bind "$work/root" / --bind "$work/home" /home --proc /proc --dev /dev --tmpfs /tmp --unshare-all --uid 1000 --gid 1000 \
    --die-with-parent --new-session --clearenv --setenv PATH /usr/local/bin:/usr/bin:/bin --setenv HOME /home --chdir /home \
    sh -euc "$1"
}
inside '
  quire --version
  for call in first second; do
    begun=$(date +%s%N)
    quire compress big.pdf -o "$call.pdf"
    echo "$call call: $(( ($(date +%s%N) - begun) / 1000000 )) ms"
    echo "$(( ($(date +%s%N) - begun) / 1000000 ))" > "$call.ms"
  done
  quire doctor
'
[ "$(stat -c %s "$work/home/first.pdf")" -lt "$(stat -c %s "$work/home/big.pdf")" ] || { echo 'failed: not compressed'; exit 1; }
[ "$(head -c 5 "$work/home/second.pdf")" = %PDF- ] || { echo 'failed: not a PDF'; exit 1; }
[ "$(cat "$work/home/second.ms")" -lt "$(cat "$work/home/first.ms")" ] || { echo 'failed: the second call was not quicker'; exit 1; }
echo 'empty machine: ok'
