#!/bin/sh
# Installs veraPDF, which security/verify-pdf uses to validate PDF/A, PDF/UA and WTPDF:
# sh deploy/install-verapdf.sh [--prefix <folder>]
# Installs into /usr/local as root, else into ~/.local; <prefix>/bin must be on PATH. Needs Java 11 or later, and curl
# or wget. Downloads 16 MB from Maven Central, or from the mirror at MAVEN_CENTRAL_URL (https://<host>/<path>, the
# folder that contains org/). May be run again; existing files stay. veraPDF is licensed under GPL 3 or MPL 2, at the
# user's choice. The server runs it as a separate program and contains no part of it.
set -eu

version=1.30.2
sha256=287cc9c9757f99dcff4a2d39b68268245b48103fb6af443162d5a29df2afa332

if [ "$(id -u)" -eq 0 ]; then prefix=/usr/local; else prefix="${HOME:?}/.local"; fi
while [ $# -gt 0 ]; do
  case "$1" in
    --prefix) prefix=${2:?--prefix needs a folder}; shift 2 ;;
    --prefix=*) prefix=${1#--prefix=}; shift ;;
    -h|--help) sed -n '2,7s/^# //p' "$0"; exit 0 ;;
    *) echo "unknown argument: $1 (known: --prefix)" >&2; exit 2 ;;
  esac
done
here=$(cd "$(dirname "$0")/.." && pwd)
# The prefix is written into the launcher, where a shell would interpret other characters.
check_prefix() {
  case "$prefix" in
    *[!A-Za-z0-9/._+@~-]*) echo "the prefix may contain only letters, digits and /._+@~-: $prefix" >&2; exit 2 ;;
  esac
}
check_prefix
mkdir -p "$prefix/bin" "$prefix/share/verapdf"
prefix=$(cd "$prefix" && pwd)
check_prefix
home="$prefix/share/verapdf"
jar="$home/cli-$version.jar"
archive="$home/cli-$version.jsa"
launcher="$prefix/bin/verapdf"

. "$here/tools/maven-central.sh"
fetch_jar "org/verapdf/apps/cli/$version/cli-$version.jar" "$sha256" "$jar"

# Without -Xlog:disable Java's messages would go to stdout, into the report.
cat > "$launcher.new" <<EOF
#!/bin/sh
# veraPDF $version, installed by Quire's deploy/install-verapdf.sh
exec java -Xlog:disable -XX:SharedArchiveFile=$archive -Xshare:auto -jar $jar "\$@"
EOF
chmod 755 "$launcher.new"
mv "$launcher.new" "$launcher"

if ! command -v java >/dev/null 2>&1; then
  echo 'veraPDF needs Java 11 or later: apt-get install default-jre-headless' >&2
  exit 1
fi

# Creates an archive of the classes that a validation loads, for this version of Java, by validating two documents. It
# makes every later start a third shorter. Java ignores an archive that does not fit, which costs only time.
java_is=$(java -version 2>&1 | tr '\n' ' ')
samples="$here/plugins/security/fixtures"
archived_for=$(cat "$archive.java" 2>/dev/null || true)
if [ -f "$samples/pdfa-2b.pdf" ] && { [ ! -f "$archive" ] || [ "$archived_for" != "$java_is" ]; }; then
  rm -f "$archive"
  JDK_JAVA_OPTIONS='' java -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xlog:disable \
    "-XX:ArchiveClassesAtExit=$archive" -Duser.home="$home" -jar "$jar" --format json --loglevel 0 \
    "$samples/pdfa-2b.pdf" "$samples/declares-2b-and-ua1.pdf" >/dev/null 2>&1 || true
  rm -rf "$home/.verapdf"
  if [ -f "$archive" ]; then
    chmod 644 "$archive"
    printf %s "$java_is" > "$archive.java"
  fi
fi

"$launcher" --version | head -n 1
case ":$PATH:" in
  *":$prefix/bin:"*) ;;
  *) echo "add $prefix/bin to PATH, or set system.customPaths.operations.verapdf to $launcher" ;;
esac
