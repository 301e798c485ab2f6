#!/bin/sh
# Installs Quire on Debian or Ubuntu without containers. Run it from a folder that `npm run product -- <folder>` wrote:
#   sudo sh <folder>/deploy/debian/install.sh [install]   installs, or upgrades what is installed; starts the service
#     --with-programs                                     also LibreOffice and the others (deploy/install-programs.sh)
#   sudo sh /usr/lib/quire/deploy/debian/install.sh remove [--purge]
#     removes the program; keeps settings, data and user unless --purge
# Program: /usr/lib/quire. Settings: /etc/quire. Data: /var/lib/quire, user quire. Service: quire.service.
set -eu

program=/usr/lib/quire
settings=/etc/quire
data=/var/lib/quire
unit=/etc/systemd/system/quire.service
command=/usr/local/bin/quire-server
source=$(cd "$(dirname "$0")/../.." && pwd)

action=install
purge=''
programs=''
for argument in "$@"; do
  case "$argument" in
    install|remove) action=$argument ;;
    --purge) purge=yes ;;
    --with-programs) programs=yes ;;
    -h|--help) sed -n '2,7s/^# //p' "$0"; exit 0 ;;
    *) echo "unknown argument: $argument (see --help)" >&2; exit 2 ;;
  esac
done
[ "$(id -u)" -eq 0 ] || { echo 'run this as root: sudo sh install.sh' >&2; exit 1; }
if [ -n "$purge" ] && [ "$action" != remove ]; then echo '--purge works with remove only' >&2; exit 2; fi

has_systemd() { [ -d /run/systemd/system ]; }

# Waits until the service listens; fails after a minute, or when systemd has started it again and again. Its log says so
# whatever the settings make of port, address, socket and prefix.
listens() {
  for _ in $(seq 60); do
    invocation=$(systemctl show quire --property=InvocationID --value)
    if journalctl --quiet --output=cat "_SYSTEMD_INVOCATION_ID=$invocation" | grep -q '^Quire is listening on '
    then return 0; fi
    [ "$(systemctl show quire --property=NRestarts --value)" -lt 3 ] || return 1
    sleep 1
  done
  return 1
}

check_source() {
  [ -x "$source/bin/node" ] || {
    echo "$source has no bin/node: run this from a folder that \"npm run product -- <folder>\" wrote" >&2; exit 1; }
  [ "$source" != "$program" ] || { echo 'this is the installed copy: run that of the new version' >&2; exit 1; }
  "$source/bin/node" --version > /dev/null || { echo 'its Node does not run here: another architecture?' >&2; exit 1; }
}

install_program() {
  rm -rf "$program.new"
  cp -R "$source" "$program.new"
  chown -R root:root "$program.new"
  chmod -R u=rwX,go=rX "$program.new"
  rm -rf "$program.old"
  [ ! -e "$program" ] || mv "$program" "$program.old"
  mv "$program.new" "$program"
}

install_settings() {
  getent passwd quire > /dev/null ||
    useradd --system --user-group --home-dir "$data" --no-create-home --shell /usr/sbin/nologin quire
  install -d -m 0770 -o root -g quire "$settings"
  install -d -m 0750 -o quire -g quire "$data"
  if [ ! -e "$settings/settings.yml" ]; then
    printf '%s\n' '# What differs from the shipped settings, which are in /usr/lib/quire/config/settings.yml.' \
      'security:' '  enableLogin: true' > "$settings/settings.yml"
    chown quire:quire "$settings/settings.yml"
    chmod 0640 "$settings/settings.yml"
  fi
  if [ ! -e "$settings/environment" ]; then
    echo '# Environment variables of the service, such as SERVER_PORT=9000' > "$settings/environment"
    chmod 0640 "$settings/environment"
    chgrp quire "$settings/environment"
  fi
  install -D -m 0644 "$program/deploy/systemd/quire.service" "$unit"
  printf '%s\n' '#!/bin/sh' "QUIRE_BASE_PATH=\${QUIRE_BASE_PATH:-$data}; export QUIRE_BASE_PATH" \
    "exec $program/bin/node $program/config/quire-server.mjs \"\$@\"" > "$command"
  chmod 0755 "$command"
}

start_service() {
  if ! has_systemd; then
    echo 'systemd is not running here; start the server with the command in the unit:'
    sed -n 's/^ExecStart=/  /p' "$unit"
    return 0
  fi
  systemctl daemon-reload
  systemctl enable --quiet quire
  systemctl restart quire
  if listens; then return 0; fi
  echo 'the service does not start; its log: journalctl -u quire' >&2
  if [ -e "$program.old" ]; then
    echo 'the version that was installed before is started again' >&2
    rm -rf "$program"
    mv "$program.old" "$program"
    install -D -m 0644 "$program/deploy/systemd/quire.service" "$unit"
    systemctl daemon-reload
    systemctl restart quire
  fi
  exit 1
}

remove_program() {
  if has_systemd; then systemctl disable --now --quiet quire 2>/dev/null || true; fi
  rm -f "$unit" "$command"
  if has_systemd; then systemctl daemon-reload; fi
  rm -rf "$program" "$program.old" "$program.new"
  if [ -n "$purge" ]; then
    rm -rf "$settings" "$data"
    if getent passwd quire > /dev/null; then userdel quire; fi
    echo 'Quire, its settings and its data are removed'
  else
    echo "Quire is removed; $settings, $data and the user quire are kept (--purge removes them)"
  fi
}

version_of() { sed -n 's/^  "version": "\(.*\)",$/\1/p' "$1/package.json" 2>/dev/null; }

if [ "$action" = remove ]; then remove_program; exit 0; fi
before=$(version_of "$program" || true)
check_source
# Before the running version is replaced, as packages may not be reachable.
if [ -n "$programs" ]; then sh "$source/deploy/install-programs.sh"
else sh "$source/deploy/install-programs.sh" --confinement; fi
install_program
install_settings
start_service
rm -rf "$program.old"
echo "Quire $(version_of "$program") is installed${before:+ (before: $before)}"
if [ -z "$before" ]; then
  echo "settings: $settings; data: $data"
  echo 'the password of the first administrator: journalctl -u quire | grep -i password'
fi
