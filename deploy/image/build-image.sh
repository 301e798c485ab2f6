#!/bin/sh
# Builds the image without Docker, from Debian and npm packages: npm run image -- [options]
#   --variant slim|full   slim: only what confines workers; full: the programs of deploy/install-programs.sh (default)
#   --arch amd64|arm64    another architecture than this machine's needs qemu-user-static with binfmt
#   --output <folder>     an OCI image layout, to which the image is added (default: .cache/image/oci)
# Needs mmdebstrap (sudo apt-get install mmdebstrap) and, unless run as root, user namespaces. Files, packages and the
# settings of the image are those of deploy/Dockerfile. Upload the result with skopeo:
#   skopeo copy --all oci:.cache/image/oci:full docker://registry.example.org/quire:full
set -eu
cd "$(dirname "$0")/../.."

variant=full
arch=$(dpkg --print-architecture)
output=.cache/image/oci
while [ $# -gt 0 ]; do
  case "$1" in
    --variant) variant=${2:?--variant needs slim or full}; shift 2 ;;
    --arch) arch=${2:?--arch needs amd64 or arm64}; shift 2 ;;
    --output) output=${2:?--output needs a folder}; shift 2 ;;
    -h|--help) sed -n '2,8s/^# //p' "$0"; exit 0 ;;
    *) echo "unknown argument: $1 (see --help)" >&2; exit 2 ;;
  esac
done
case "$variant" in
  slim) packages=$(sh deploy/install-programs.sh --list --confinement) ;;
  full) packages=$(sh deploy/install-programs.sh --list) ;;
  *) echo "--variant: \"$variant\" is neither slim nor full" >&2; exit 2 ;;
esac
case "$arch" in amd64|arm64) ;; *) echo "--arch: \"$arch\" is neither amd64 nor arm64" >&2; exit 2 ;; esac

# The date of the commit makes two builds of it equal, as long as Debian's packages are.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d "${TMPDIR:-/var/tmp}/quire-image-XXXXXX")
trap 'rm -rf "$work"' EXIT

# Node needs libstdc++6, calls to other machines need ca-certificates. The list is split by commas.
include=$(echo "libstdc++6 ca-certificates $packages" | tr ' ' ',')
echo "Debian for $variant-$arch …"
mmdebstrap --quiet --variant=essential --architectures="$arch" --include="$include" \
  --aptopt='APT::Install-Recommends "false"' \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
  --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/info/*' \
  "${DEBIAN_SUITE:-bookworm}" "$work/system.tar" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"}

echo 'The server …'
mkdir -p "$work/root/usr/local/bin" "$work/data/data"
node tools/release/product.mjs "$work/root/quire" --arch "$arch"
mv "$work/root/quire/bin/node" "$work/root/usr/local/bin/node"
rmdir "$work/root/quire/bin"
chmod -R u=rwX,go=rX "$work/root"
pack() { # pack <tar> <folder> <user number> <member>…
  archive=$1 folder=$2 user=$3; shift 3
  tar --create --file "$archive" --directory "$folder" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --format=posix \
    --pax-option=delete=atime,delete=ctime --numeric-owner --owner="$user" --group="$user" "$@"
}
pack "$work/server.tar" "$work/root" 0 quire usr/local/bin/node
pack "$work/data.tar" "$work/data" 10001 data

echo 'The image …'
node deploy/image/write-oci.mjs "$output" --name "$variant" --arch "$arch" \
  "$work/system.tar" "$work/server.tar" "$work/data.tar"
