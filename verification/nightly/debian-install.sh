#!/bin/bash
# sudo verification/nightly/debian-install.sh
# Installs Quire by deploy/debian/install.sh in a Debian of its own that systemd-nspawn boots, with the hardened unit:
# install, a call, LibreOffice confined, an upgrade that keeps data, a broken upgrade that is
# rolled back, removal, --purge. Needs root and: apt-get install mmdebstrap systemd-container. Ten minutes.
# HOST_TAR and PRODUCT name a root file system and a product folder that exist already. The last line is "host: ok".
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo 'needs root, to boot a system' >&2; exit 77; }
port=${PORT:-18555}
work=$(mktemp -d /var/tmp/quire-host-XXXXXX)
trap 'rm -rf "$work"' EXIT
host=$work/host
mkdir -m 755 "$host"

if [ -z "${HOST_TAR:-}" ]; then
  HOST_TAR=$work/host.tar
  mmdebstrap --quiet --variant=essential --aptopt='APT::Install-Recommends "false"' \
    --include=systemd,systemd-sysv,dbus,bubblewrap,ca-certificates,libstdc++6,libreoffice-writer bookworm "$HOST_TAR"
fi
tar xf "$HOST_TAR" -C "$host"
if [ -z "${PRODUCT:-}" ]; then
  PRODUCT=$work/product
  npm run --silent product -- "$PRODUCT"
fi
cp -R "$PRODUCT" "$host/opt/new"
mkdir -p "$host/etc/quire"
printf 'server:\n  port: %s\nsecurity:\n  enableLogin: false\n  requireIsolation: [%s]\n' \
  "$port" 'permissions, namespaces, files, limits' > "$host/etc/quire/settings.yml"
chmod 644 "$host/etc/quire/settings.yml"

systemd-nspawn --quiet --boot --directory="$host" --machine="quire-$$" --register=no --keep-unit \
  > "$work/boot" 2>&1 < /dev/null &
nspawn=$!
# The first process of the host.
leader() { pgrep -P "$nspawn" -x systemd || true; }
inside() {
  nsenter --all --target "$(leader)" env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/root "$@"
}
finish() {
  inside systemctl poweroff 2> /dev/null || true
  wait "$nspawn" || true
  rm -rf "$work"
}
trap finish EXIT
booted() { [ -n "$(leader)" ] && inside systemctl is-system-running 2> /dev/null | grep -qE 'running|degraded'; }
for _ in $(seq 120); do booted && break; sleep 1; done
booted || { echo 'failed: the system does not boot'; cat "$work/boot"; exit 1; }

expect() { # expect <what> <command>…: the command must succeed
  local what=$1; shift
  if "$@"; then echo "ok: $what"; else
    echo "failed: $what"; inside journalctl -u quire --no-pager -o cat -n 30; exit 1
  fi
}
not() { ! "$@"; }
install() { inside sh /opt/new/deploy/debian/install.sh "$@"; }
post() {
  curl -sf -F "fileInput=@$1" "http://127.0.0.1:$port/api/v1/$2" -o "$work/answer"
  head -c 5 "$work/answer" | grep -q '%PDF-'
}
up() {
  for _ in $(seq 60); do
    curl -sf "http://127.0.0.1:$port/readyz" > /dev/null && return 0
    sleep 0.5
  done
  return 1
}
process() { inside systemctl show quire --property=MainPID --value; }

expect 'installs and starts' install
expect 'is ready' up
expect 'rotates a PDF' post plugins/general/fixtures/two-pages.pdf general/rotate-pdf
expect 'converts by LibreOffice, confined' post plugins/convert/fixtures/letter.docx convert/file/pdf
expect 'runs as quire' test "$(inside stat -c %U "/proc/$(process)")" = quire
expect 'has no capabilities' inside grep -q 'CapEff:.0000000000000000' "/proc/$(process)/status"
expect 'prints settings' inside quire-server settings --settings /etc/quire/settings.yml --changed

inside touch /var/lib/quire/kept
first=$(process)
expect 'upgrades' install
expect 'is ready again, as another process' up
expect 'is another process' test "$first" != "$(process)"
expect 'kept the data' inside test -e /var/lib/quire/kept
expect 'kept the settings' inside grep -q requireIsolation /etc/quire/settings.yml
expect 'has a file for environment variables' inside grep -q SERVER_PORT /etc/quire/environment

inside sh -c 'echo "process.exit(1);" > /opt/new/core/dist/main.js'
expect 'refuses a version that does not start' not install
expect 'runs the one before it' up

expect 'removes' inside sh /usr/lib/quire/deploy/debian/install.sh remove
expect 'left no program' inside test ! -e /usr/lib/quire
expect 'kept data and settings' inside test -e /var/lib/quire/kept -a -e /etc/quire/settings.yml
cp "$PRODUCT/core/dist/main.js" "$host/opt/new/core/dist/main.js"
expect 'installs again over kept data' install
expect 'removes everything with --purge' inside sh /usr/lib/quire/deploy/debian/install.sh remove --purge
expect 'left nothing' inside sh -c 'test ! -e /var/lib/quire && test ! -e /etc/quire && ! getent passwd quire'
echo 'host: ok'
