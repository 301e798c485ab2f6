#!/bin/bash
# sudo deploy/image/smoke-test.sh <layout> <slim|full> [amd64|arm64]
# Runs an image of build-image.sh under runc, as compose.yml and the chart run it: user 10001, a read-only root file
# system, no capabilities, the seccomp profile. Then calls it, runs its health check and tries to write elsewhere.
# Needs umoci and runc (apt-get install umoci runc); the last line is "image: ok" or the exit status is not 0.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,3s/^# //p' "$0"; exit 2; }
layout=$(readlink -f "$1") variant=$2 arch=${3:-$(dpkg --print-architecture)}
emulated=''
[ "$arch" = "$(dpkg --print-architecture)" ] || emulated=emulated
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo 'needs root, to unpack files of other users' >&2; exit 77; }
node=$(node tools/node24.mjs)

own=$(mktemp -d /var/tmp/quire-image-run-XXXXXX)
name=quire-smoke-$$
runc=(runc --root "$own/state")
stop() {
  "${runc[@]}" kill "$name" KILL 2>/dev/null || true
  "${runc[@]}" delete --force "$name" 2>/dev/null || true
  rm -rf "$own"
}
trap stop EXIT
umoci unpack --image "$layout:$variant-$arch" "$own/bundle" > "$own/unpack" 2>&1 || { cat "$own/unpack"; exit 1; }
echo "unpacked: $(du -sm "$own/bundle/rootfs" | cut -f1) MB"
mkdir -m 700 "$own/data" && chown 10001:10001 "$own/data"
"$node" deploy/image/bundle-config.mjs "$own/bundle" "$own/data"
chmod 755 "$own" "$own/bundle"

"${runc[@]}" run --detach --bundle "$own/bundle" --pid-file "$own/pid" "$name" < /dev/null > "$own/log" 2>&1 ||
  { cat "$own/log"; exit 1; }
pid=$(cat "$own/pid")
failed=0
# The container has a network of its own, with nothing but loopback: the calls come from inside it.
nsenter --net --target "$pid" "$node" deploy/image/smoke-calls.mjs http://127.0.0.1:8080 "$variant" \
  ${emulated:+"$emulated"} || failed=1

if [ "$("$node" deploy/image/run-healthcheck.mjs "$layout" "$variant-$arch" "${runc[@]}" exec "$name")" = healthy ]
then echo 'ok: the health check'; else echo 'failed: the health check'; failed=1; fi
for path in /quire/written /etc/written /usr/written /var/tmp/written; do
  if "${runc[@]}" exec "$name" touch "$path" 2>/dev/null; then echo "failed: $path can be written"; failed=1; fi
done
"${runc[@]}" exec "$name" touch /data/written /tmp/written || { echo 'failed: /data cannot be written'; failed=1; }
echo "as: $("${runc[@]}" exec "$name" id -u):$("${runc[@]}" exec "$name" id -g)," \
  "capabilities $(grep CapEff "/proc/$pid/status" | cut -f2)," \
  "no new privileges $(grep NoNewPrivs "/proc/$pid/status" | cut -f2)"

"${runc[@]}" kill "$name" TERM
for _ in $(seq 100); do [ -d "/proc/$pid" ] || break; sleep 0.2; done
if [ -d "/proc/$pid" ]; then echo 'failed: it does not stop on SIGTERM'; failed=1; else echo 'ok: stops on SIGTERM'; fi
if grep -E 'EROFS|EACCES|Read-only file system|Permission denied' "$own/log"; then
  echo 'failed: the server tried a forbidden operation'; failed=1
fi
[ "$failed" = 0 ] || { tail -n 20 "$own/log"; exit 1; }
echo 'image: ok'
