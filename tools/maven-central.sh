# For sourcing by the install scripts beside it (POSIX sh): fetches files of Maven Central, or of the mirror that MAVEN_CENTRAL_URL names
# (https://<host>/<path>, the folder that holds org/), and takes only those of the right checksum. Needs curl or wget.

# is_right <file> <sha256>: true when the file is there and is that one.
is_right() { [ -f "$1" ] && echo "$2  $1" | sha256sum -c --status -; }

# fetch_jar <path below the repository> <sha256> <target>: fetches the file unless it is there; readable for everybody, since root may put it for all.
fetch_jar() {
  if is_right "$3" "$2"; then return 0; fi
  jar_url="${MAVEN_CENTRAL_URL:-https://repo1.maven.org/maven2}"
  jar_url="${jar_url%/}/$1"
  # What came of an earlier attempt is gone on with; what is wrong when it is whole is fetched anew, once.
  for attempt in 1 2; do
    if command -v curl >/dev/null 2>&1; then
      curl -fsSL --retry 3 --connect-timeout 20 -C - -o "$3.part" "$jar_url" || [ "$attempt" -eq 1 ]
    elif command -v wget >/dev/null 2>&1; then
      wget -q --tries=3 --timeout=60 -c -O "$3.part" "$jar_url" || [ "$attempt" -eq 1 ]
    else
      echo 'curl or wget is needed: apt-get install curl' >&2
      return 1
    fi
    if is_right "$3.part" "$2"; then break; fi
    rm -f "$3.part"
    if [ "$attempt" -eq 2 ]; then
      echo "$jar_url is not the file that is expected (SHA-256 $2)" >&2
      return 1
    fi
  done
  mv "$3.part" "$3"
  chmod 644 "$3"
}
