#!/bin/bash
# sudo verification/walk/read-only.sh [folder]: the server as the image runs it, without an image. User 10001, who has no home and no capability, on a file
# system that is read-only but for one volume, which is /tmp too, as under Kubernetes (LibreOffice has its socket there); one operation of every engine and a job, by npm run walk.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo 'needs root, for namespaces of mounts' >&2; exit 77; }
unshare --mount true 2>/dev/null || { echo 'this machine gives no namespaces of mounts' >&2; exit 77; }
PORT=${PORT:-18077}
OWN=$(mktemp -d /var/tmp/quire-read-only-XXXXXX)
mkdir -p "${1:-$OWN/volume}"
VOLUME=$(readlink -f "${1:-$OWN/volume}")
chown 10001:10001 "$VOLUME"; chmod 700 "$VOLUME"
LOG=$OWN/log; chmod 711 "$OWN"

cage='
  mount --make-rprivate /
  mount --bind "$VOLUME" "$VOLUME"
  cut -d" " -f2 /proc/self/mounts | sort -u | while read -r at; do
    at=$(printf "%b" "$at")
    case $at in "$VOLUME"|/proc|/proc/*|/sys|/sys/*|/dev|/dev/pts) continue;; esac
    mount -o remount,bind,ro "$at"
  done
  # The product may itself lie below /tmp, which is covered now.
  mount --bind "$PWD" /srv; mount -o remount,bind,ro /srv; cd /srv
  mkdir -p -m 700 "$VOLUME/tmp"; chown 10001:10001 "$VOLUME/tmp"
  mount --bind "$VOLUME/tmp" /tmp
  if touch /var/tmp/.written /etc/.written /dev/shm/.written 2>/dev/null; then echo "the cage is open" >&2; exit 1; fi
  exec setpriv --reuid 10001 --regid 10001 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \
    env -i PATH="$PATH" HOME="$VOLUME" NODE_ENV=production QUIRE_BASE_PATH="$VOLUME" SERVER_PORT="$PORT" SYSTEM_ENABLEURLTOPDF=true LOGGING_LEVEL=warn \
    node --max-semi-space-size=2 core/dist/main.js'
VOLUME=$VOLUME PORT=$PORT unshare --mount bash -ec "$cage" > "$LOG" 2>&1 &
SERVER=$!
stop() { kill $SERVER 2>/dev/null || true; wait $SERVER 2>/dev/null || true; }
trap 'stop; rm -rf "$OWN"' EXIT
for _ in $(seq 120); do curl -sf "http://127.0.0.1:$PORT/readyz" > /dev/null && break; kill -0 $SERVER || { cat "$LOG"; exit 1; }; sleep 0.5; done

failed=0
# qpdf and what repairs, Ghostscript, Tesseract, LibreOffice, Chromium, veraPDF, the others of npm, and questions.
node --import tsx verification/walk/walk.ts --url "http://127.0.0.1:$PORT" --match "${MATCH:-misc/repair,pdf/vector,vector/pdf,misc/ocr-pdf,convert/file/pdf,pdf/word,html/pdf,pdf/pdfa,verify-pdf,general/rotate,cert-sign,ebook,pdf/img,capabilities}" || failed=1

job=$(curl -sS -F fileInput=@plugins/general/fixtures/two-pages.pdf "http://127.0.0.1:$PORT/api/v1/misc/compress-pdf?async=true" | sed 's/.*"jobId":"\([^"]*\).*/\1/')
for _ in $(seq 60); do state=$(curl -sS "http://127.0.0.1:$PORT/api/v1/general/job/$job"); case $state in *'"complete":true'*) break;; esac; sleep 0.5; done
case $state in *'"status":"succeeded"'*) echo 'a job: succeeded';; *) echo "a job: $state"; failed=1;; esac

stop
if grep -E 'EROFS|EACCES|Read-only file system|Permission denied' "$LOG"; then echo 'something was tried that is not allowed'; failed=1; fi
echo "in the volume: $(cd "$VOLUME" && find . -maxdepth 2 | sort | tr '\n' ' ')"
left=$(find "$VOLUME/tmp" -type s -o -type f -path '*/runs/*' | head -5)
[ -z "$left" ] || { echo "left behind: $left"; failed=1; }
exit $failed
