#!/bin/sh
# Builds Gotenberg and pdfcpu from the Go module proxy into ~/.cache/quire-peers, where `npm run bench:peers` looks for
# them. Chromium, LibreOffice, qpdf, pdftk and exiftool are taken from the system (Debian: chromium libreoffice qpdf
# pdftk-java libimage-exiftool-perl). Gotenberg's office routes also need its script `unoconverter` in that folder or in
# PATH.
set -eu
folder="${HOME}/.cache/quire-peers"
version="${1:-latest}"
PATH="${PATH}:/usr/local/go/bin"
mkdir -p "${folder}"
GOBIN="${folder}" go install "github.com/gotenberg/gotenberg/v8/cmd/gotenberg@${version}"
GOBIN="${folder}" go install github.com/pdfcpu/pdfcpu/cmd/pdfcpu@latest
ls -l "${folder}"
