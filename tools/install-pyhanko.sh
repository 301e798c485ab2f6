#!/bin/sh
# Installs pyHanko, a second signature verifier for the tests: sh tools/install-pyhanko.sh [--prefix <folder>]
# Installs into /usr/local as root, else into ~/.local; <prefix>/bin must be on PATH. Needs Python 3.9 or later with
# venv and pip, which downloads from its configured package index. May be run again; an existing installation stays. MIT
# licence. The server itself never runs it.
set -eu

packages='pyHanko==0.38.0 pyhanko-certvalidator==0.33.0 pyhanko-cli==0.6.0'

if [ "$(id -u)" -eq 0 ]; then prefix=/usr/local; else prefix="${HOME:?}/.local"; fi
while [ $# -gt 0 ]; do
  case "$1" in
    --prefix) prefix=${2:?--prefix needs a folder}; shift 2 ;;
    --prefix=*) prefix=${1#--prefix=}; shift ;;
    -h|--help) sed -n '2,5s/^# //p' "$0"; exit 0 ;;
    *) echo "unknown argument: $1 (known: --prefix)" >&2; exit 2 ;;
  esac
done
mkdir -p "$prefix/bin" "$prefix/share"
prefix=$(cd "$prefix" && pwd)
home="$prefix/share/pyhanko"
if [ "$(cat "$home/packages" 2>/dev/null || true)" = "$packages" ]; then
  echo "pyHanko is installed: $home"
  exit 0
fi
python3 -m venv --clear "$home"
# The list is meant to be split.
# shellcheck disable=SC2086
"$home/bin/pip" install --quiet --disable-pip-version-check --no-input $packages
ln -sf "$home/bin/pyhanko" "$prefix/bin/pyhanko"
# Written last, so that an interrupted installation is repeated.
echo "$packages" >"$home/packages"
echo "installed pyHanko: $home"
