#!/bin/bash
# sudo verification/walk/read-only.sh [folder]
# Runs the server as its image does, without building the image: as user 10001 without a home folder or capabilities, on
# a read-only file system with one writable volume. As under Kubernetes, the volume also holds /tmp, where LibreOffice
# creates its socket. Then calls one operation of every engine with npm run walk, and runs a job.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo 'needs root, to create a mount namespace' >&2; exit 77; }
unshare --mount true 2>/dev/null || { echo 'mount namespaces are not available on this machine' >&2; exit 77; }
PORT=${PORT:-18077}
OWN=$(mktemp -d /var/tmp/quire-read-only-XXXXXX)
mkdir -p "${1:-$OWN/volume}"
VOLUME=$(readlink -f "${1:-$OWN/volume}")
chown 10001:10001 "$VOLUME"; chmod 700 "$VOLUME"
LOG=$OWN/log; chmod 711 "$OWN"

sandbox='
  mount --make-rprivate /
  mount --bind "$VOLUME" "$VOLUME"
  cut -d" " -f2 /proc/self/mounts | sort -u | while read -r at; do
    at=$(printf "%b" "$at")
    case $at in "$VOLUME"|/proc|/proc/*|/sys|/sys/*|/dev|/dev/pts) continue;; esac
    mount -o remount,bind,ro "$at"
  done
  # The repository may be in /tmp, which is mounted over below.
  mount --bind "$PWD" /srv; mount -o remount,bind,ro /srv; cd /srv
  mkdir -p -m 700 "$VOLUME/tmp"; chown 10001:10001 "$VOLUME/tmp"
  mount --bind "$VOLUME/tmp" /tmp
  if touch /var/tmp/.written /etc/.written /dev/shm/.written 2>/dev/null; then
    echo "the file system is writable" >&2; exit 1
  fi
  exec setpriv --reuid 10001 --regid 10001 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \
    env -i PATH="$PATH" HOME="$VOLUME" NODE_ENV=production QUIRE_BASE_PATH="$VOLUME" SERVER_PORT="$PORT" \
    SYSTEM_ENABLEURLTOPDF=true LOGGING_LEVEL=warn \
    "$NODE24" --max-semi-space-size=2 core/dist/main.js'
# Relative: inside, the repository is at another path.
NODE24=$(node tools/node24.mjs)
NODE24=${NODE24#"$PWD/"}
VOLUME=$VOLUME PORT=$PORT NODE24=$NODE24 unshare --mount bash -ec "$sandbox" > "$LOG" 2>&1 &
SERVER=$!
stop() { kill $SERVER 2>/dev/null || true; wait $SERVER 2>/dev/null || true; }
trap 'stop; rm -rf "$OWN"' EXIT
for _ in $(seq 120); do
  curl -sf "http://127.0.0.1:$PORT/readyz" > /dev/null && break
  kill -0 $SERVER || { cat "$LOG"; exit 1; }
  sleep 0.5
done

failed=0
# Operations with qpdf and the repair programs, Ghostscript, Tesseract, LibreOffice, Chromium, veraPDF and npm packages,
# and the list of capabilities.
operations=misc/repair,pdf/vector,vector/pdf,misc/ocr-pdf,convert/file/pdf,pdf/word,html/pdf,pdf/pdfa,verify-pdf
operations=$operations,general/rotate,cert-sign,ebook,pdf/img,capabilities
"$NODE24" --import tsx verification/walk/walk.ts --url "http://127.0.0.1:$PORT" --match "${MATCH:-$operations}" || failed=1

api=http://127.0.0.1:$PORT/api/v1
job=$(curl -sS -F fileInput=@plugins/general/fixtures/two-pages.pdf "$api/misc/compress-pdf?async=true" |
  sed 's/.*"jobId":"\([^"]*\).*/\1/')
for _ in $(seq 60); do
  state=$(curl -sS "$api/general/job/$job")
  case $state in *'"complete":true'*) break;; esac
  sleep 0.5
done
case $state in *'"status":"succeeded"'*) echo 'a job: succeeded';; *) echo "a job: $state"; failed=1;; esac

stop
if grep -E 'EROFS|EACCES|Read-only file system|Permission denied' "$LOG"; then
  echo 'the server tried a forbidden operation'
  failed=1
fi
echo "in the volume: $(cd "$VOLUME" && find . -maxdepth 2 | sort | tr '\n' ' ')"
left=$(find "$VOLUME/tmp" -type s -o -type f -path '*/runs/*' | head -5)
[ -z "$left" ] || { echo "left behind: $left"; failed=1; }
exit $failed
