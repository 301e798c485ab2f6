#!/bin/sh
# Builds Gotenberg and pdfcpu from the Go module proxy into ~/.cache/quire-peers, where `npm run bench:peers` looks for
# them (Go 1.26, two minutes). Chromium, LibreOffice, qpdf, pdftk and exiftool are taken from the system (Debian:
# chromium libreoffice unoconv qpdf pdftk-java libimage-exiftool-perl).
# The versions are named because a proxy may serve a version and refuse the list of them, without which
# `go install …@version` does not begin.
set -eu
folder="${HOME}/.cache/quire-peers"
PATH="${PATH}:/usr/local/go/bin"
work="$(mktemp -d)"
trap 'rm -rf "${work}"' EXIT
mkdir -p "${folder}"
cd "${work}"
go mod init quire/peers
go mod edit -require="github.com/gotenberg/gotenberg/v8@${1:-v8.36.0}" -require="github.com/pdfcpu/pdfcpu@${2:-v0.15.0}"
go build -mod=mod -o "${folder}/" github.com/gotenberg/gotenberg/v8/cmd/gotenberg github.com/pdfcpu/pdfcpu/cmd/pdfcpu
ls -l "${folder}"
