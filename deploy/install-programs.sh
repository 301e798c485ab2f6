#!/bin/sh
# Installs the programs that the server can use, on Debian and Ubuntu: sudo sh deploy/install-programs.sh [options]
# May be run again; installed programs stay.
#   --confinement      only bubblewrap, which confines workers; no program that tools use
#   --list             prints the packages instead of installing them
#   --with-verapdf     Java and veraPDF, which validates PDF/A and PDF/UA (deploy/install-verapdf.sh)
#   --with-mupdf       MuPDF's tools, one of the programs that repair uses
#   --with-calibre     Calibre, which writes AZW3 books (large)
#   --with-fonts       fonts with the widths of Arial, Times, Courier, Calibri and Cambria, and of all scripts (large)
# For the tests:
#   --with-chromium    the browser that opens the API page, and its variant without a window, which opens the console
#   --with-nginx       the reverse proxy of docs/guides/reverse-proxy.md
#   --with-prometheus  the monitoring server that evaluates the dashboard
#   --with-pyhanko     pyHanko, which verifies signatures (tools/install-pyhanko.sh), and openssl
#   --with-shells      zsh and fish, which complete the command `quire`
#   --with-dovecot     the mail server whose mailboxes automations read
#   --with-valkey      the server that carries messages between nodes (Redis where Debian has no Valkey)
#   --with-mongodb     a small server with MongoDB's protocol, and a JDK if there is none (tools/install-mongodb.sh)
#   --with-invoice-validators  phive and Mustang, which validate e-invoices, and a JDK if there is none
#                      (tools/install-invoice-validators.sh)
set -eu

list=''
with_verapdf=''
with_pyhanko=''
with_mongodb=''
with_invoice_validators=''
with_valkey=''
with_chromium=''
confinement='bubblewrap'
packages="$confinement qpdf poppler-utils ghostscript tesseract-ocr"
packages="$packages libreoffice-writer libreoffice-calc libreoffice-impress libreoffice-draw"
for argument in "$@"; do
  case "$argument" in
    --confinement) packages=$confinement ;;
    --list) list=yes ;;
    --with-chromium) packages="$packages chromium"; with_chromium=yes ;;
    --with-nginx) packages="$packages nginx-light" ;;
    --with-prometheus) packages="$packages prometheus" ;;
    --with-dovecot) packages="$packages dovecot-imapd" ;;
    --with-shells) packages="$packages zsh fish" ;;
    --with-mupdf) packages="$packages mupdf-tools" ;;
    --with-verapdf) with_verapdf=yes; packages="$packages default-jre-headless ca-certificates curl" ;;
    --with-mongodb)
      with_mongodb=yes; packages="$packages ca-certificates curl"
      command -v javac >/dev/null 2>&1 || packages="$packages default-jdk-headless" ;;
    --with-invoice-validators)
      with_invoice_validators=yes; packages="$packages ca-certificates curl"
      command -v javac >/dev/null 2>&1 || packages="$packages default-jdk-headless" ;;
    --with-valkey) with_valkey=yes ;;
    --with-fonts)
      packages="$packages fonts-liberation fonts-dejavu-core fonts-crosextra-carlito fonts-crosextra-caladea"
      packages="$packages fonts-noto-core fonts-noto-cjk" ;;
    --with-calibre) packages="$packages calibre" ;;
    --with-pyhanko) with_pyhanko=yes; packages="$packages python3-venv openssl" ;;
    -h|--help) sed -n '2,21s/^# //p' "$0"; exit 0 ;;
    *) echo "unknown argument: $argument (see --help)" >&2; exit 2 ;;
  esac
done

if [ -n "$with_valkey" ]; then
  # Debian has it since 13, Ubuntu since 24.04; whichever server is installed already stays.
  if command -v valkey-server >/dev/null 2>&1 || command -v redis-server >/dev/null 2>&1; then :
  elif [ -n "$(apt-cache show valkey-server 2>/dev/null)" ]; then packages="$packages valkey-server"
  else packages="$packages redis-server"; fi
fi

if [ -n "$list" ]; then
  echo "$packages"
  exit 0
fi
as_root=''
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo 'run this as root, or install sudo' >&2
    exit 1
  fi
  as_root='sudo'
fi

missing=''
for package in $packages; do
  if [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" != installed ]; then
    missing="$missing $package"
  fi
done
if [ -z "$missing" ]; then
  echo "everything is installed: $packages"
else
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "apt-get is not available; install these packages yourself:$missing" >&2
    exit 1
  fi
  echo "installing:$missing"
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q
  # The list is meant to be split.
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
fi
# Debian has this variant, Ubuntu does not. The tests only run longer without it, so nothing fails or is removed for it.
if [ -n "$with_chromium" ] && ! command -v chromium-headless-shell >/dev/null 2>&1 &&
  [ -n "$(apt-cache show chromium-headless-shell 2>/dev/null)" ]; then
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends --no-remove chromium-headless-shell ||
    echo 'chromium-headless-shell was not installed: the tests open the console in Chromium itself'
fi
if [ -n "$with_verapdf" ]; then
  $as_root env MAVEN_CENTRAL_URL="${MAVEN_CENTRAL_URL:-}" sh "$(dirname "$0")/install-verapdf.sh"
fi
if [ -n "$with_pyhanko" ]; then
  $as_root sh "$(dirname "$0")/../tools/install-pyhanko.sh"
fi
if [ -n "$with_mongodb" ]; then
  $as_root env MAVEN_CENTRAL_URL="${MAVEN_CENTRAL_URL:-}" sh "$(dirname "$0")/../tools/install-mongodb.sh"
fi
if [ -n "$with_invoice_validators" ]; then
  $as_root env MAVEN_CENTRAL_URL="${MAVEN_CENTRAL_URL:-}" sh "$(dirname "$0")/../tools/install-invoice-validators.sh"
fi
