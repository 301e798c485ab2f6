#!/bin/sh
# Installs the programs that add operations or speed, on Debian and Ubuntu: sudo sh deploy/install-programs.sh
# May be run again; what is there already stays. For the tests: --with-chromium adds the browser that those of the API page use,
# --with-prometheus the monitoring server that scrapes and evaluates the dashboard, --with-mupdf one of the programs that repair may call.
# --with-verapdf adds Java and veraPDF, which checks PDF/A and PDF/UA (deploy/install-verapdf.sh); --with-pyhanko the verifier that the tests of
# signatures ask beside poppler's (tools/install-pyhanko.sh), and the openssl that keeps their authorities. --with-calibre adds the maker of AZW3 books (large),
# --with-mongodb adds a small server that speaks MongoDB's protocol, and a JDK where there is none (tools/install-mongodb.sh),
# --with-fonts what office documents name most: stand-ins for Arial, Times, Courier, Calibri and Cambria, and scripts of the whole world (large).
set -eu

with_verapdf=''
with_pyhanko=''
with_mongodb=''
packages='qpdf poppler-utils ghostscript tesseract-ocr libreoffice-writer libreoffice-calc libreoffice-impress libreoffice-draw'
for argument in "$@"; do
  case "$argument" in
    --with-chromium) packages="$packages chromium" ;;
    --with-prometheus) packages="$packages prometheus" ;;
    --with-mupdf) packages="$packages mupdf-tools" ;;
    --with-verapdf) with_verapdf=yes; packages="$packages default-jre-headless ca-certificates curl" ;;
    --with-mongodb)
      with_mongodb=yes; packages="$packages ca-certificates curl"
      command -v javac >/dev/null 2>&1 || packages="$packages default-jdk-headless" ;;
    --with-fonts) packages="$packages fonts-liberation fonts-dejavu-core fonts-crosextra-carlito fonts-crosextra-caladea fonts-noto-core fonts-noto-cjk" ;;
    --with-calibre) packages="$packages calibre" ;;
    --with-pyhanko) with_pyhanko=yes; packages="$packages python3-venv openssl" ;;
    -h|--help) sed -n '2,8s/^# //p' "$0"; exit 0 ;;
    *) echo "unknown argument: $argument (known: --with-chromium, --with-prometheus, --with-mupdf, --with-verapdf, --with-pyhanko, --with-mongodb, --with-calibre, --with-fonts)" >&2; exit 2 ;;
  esac
done

if ! command -v apt-get >/dev/null 2>&1; then
  echo "apt-get is not here; install these yourself: $packages" >&2
  exit 1
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
  echo "installing:$missing"
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q
  # shellcheck disable=SC2086 -- the list is meant to be split
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
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
