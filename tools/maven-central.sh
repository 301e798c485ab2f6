# Sourced by the install scripts (POSIX sh): downloads files from Maven Central, or from the mirror at MAVEN_CENTRAL_URL
# (https://<host>/<path>, the folder that contains org/), and accepts only those with the right checksum. Needs curl or
# wget.

# is_right <file> <sha256>: true when the file exists and has this checksum.
is_right() { [ -f "$1" ] && echo "$2  $1" | sha256sum -c --status -; }

# fetch_jar <path in the repository> <sha256> <target>: downloads the file unless it exists. It is readable for all
# users, because root may install it for them.
fetch_jar() {
  if is_right "$3" "$2"; then return 0; fi
  jar_url="${MAVEN_CENTRAL_URL:-https://repo1.maven.org/maven2}"
  jar_url="${jar_url%/}/$1"
  # Resumes an earlier download; a complete file with a wrong checksum is downloaded again once.
  for attempt in 1 2; do
    if command -v curl >/dev/null 2>&1; then
      curl -fsSL --retry 3 --connect-timeout 20 -C - -o "$3.part" "$jar_url" || [ "$attempt" -eq 1 ]
    elif command -v wget >/dev/null 2>&1; then
      wget -q --tries=3 --timeout=60 -c -O "$3.part" "$jar_url" || [ "$attempt" -eq 1 ]
    else
      echo 'curl or wget is required: apt-get install curl' >&2
      return 1
    fi
    if is_right "$3.part" "$2"; then break; fi
    rm -f "$3.part"
    if [ "$attempt" -eq 2 ]; then
      echo "$jar_url is not the expected file (SHA-256 $2)" >&2
      return 1
    fi
  done
  mv "$3.part" "$3"
  chmod 644 "$3"
}
