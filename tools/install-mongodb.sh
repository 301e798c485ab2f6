#!/bin/sh
# Installs mongo-java-server, a small server that speaks MongoDB's protocol, for the tests of a shared store:
# sh tools/install-mongodb.sh [--prefix <folder>]
# Installs into /usr/local as root, else into ~/.local, as the command mongo-java-server (options of mongod: --dbpath,
# --port, --bind_ip, --replSet). Needs JDK 17 or later (javac, for the installation only), and curl or wget. Downloads
# 3.3 MB from Maven Central, or from the mirror at MAVEN_CENTRAL_URL. May be run again; existing files stay. For tests
# only: it is not part of the product and not meant for real data (docs/internals/adr/0041-mongodb-for-tests.md).
set -eu

if [ "$(id -u)" -eq 0 ]; then prefix=/usr/local; else prefix="${HOME:?}/.local"; fi
while [ $# -gt 0 ]; do
  case "$1" in
    --prefix) prefix=${2:?--prefix needs a folder}; shift 2 ;;
    --prefix=*) prefix=${1#--prefix=}; shift ;;
    -h|--help) sed -n '2,7s/^# //p' "$0"; exit 0 ;;
    *) echo "unknown argument: $1 (known: --prefix)" >&2; exit 2 ;;
  esac
done
tools=$(cd "$(dirname "$0")" && pwd)
. "$tools/maven-central.sh"
# The prefix is written into the launcher, where a shell would interpret other characters.
case "$prefix" in
  *[!A-Za-z0-9/._+@~-]*) echo "the prefix may contain only letters, digits and /._+@~-: $prefix" >&2; exit 2 ;;
esac
mkdir -p "$prefix/bin" "$prefix/share/mongo-java-server"
prefix=$(cd "$prefix" && pwd)
home="$prefix/share/mongo-java-server"
launcher="$prefix/bin/mongo-java-server"

classpath="$home"
# Two lines for each jar: its checksum and its path in Maven Central.
while read -r sha256 && read -r path; do
  fetch_jar "$path" "$sha256" "$home/${path##*/}"
  classpath="$classpath:$home/${path##*/}"
done <<'EOF'
2c8225cd73b2394382b9d0016d9278a00291562224a594eef00c00a6ac50bc04
com/h2database/h2-mvstore/2.3.232/h2-mvstore-2.3.232.jar
9a34c9ad6ac6261906295481838256033ec1efc8c93a3e3828e5d47a006b0bd4
de/bwaldvogel/mongo-java-server-core/1.47.0/mongo-java-server-core-1.47.0.jar
58ca6760a25f8a05adfe8a0f7a8a042ca22bd472869028755931507cdce20e71
de/bwaldvogel/mongo-java-server-h2-backend/1.47.0/mongo-java-server-h2-backend-1.47.0.jar
4820eeb2d3db269b20b30711e3d7d21979664249aaf10fc67f90dee935810747
io/netty/netty-buffer/4.2.2.Final/netty-buffer-4.2.2.Final.jar
76987614ccb2fda7d3292b69ba5b61351f30e91bf5c7d8fa4b51bc32c9f67456
io/netty/netty-codec-base/4.2.2.Final/netty-codec-base-4.2.2.Final.jar
5d022f3acad74cb0f195f60213500a4000d1340e5e941edaf1a0e756686b9bae
io/netty/netty-common/4.2.2.Final/netty-common-4.2.2.Final.jar
d4ef582c78125457baa0cfa52992b5fb1bb9172d1a2c03b726e8b26e17d3fe2c
io/netty/netty-handler/4.2.2.Final/netty-handler-4.2.2.Final.jar
fa7841ffe2e39d52251814fb8560d6936b10ae7c67453ee50426b83fd5170ba0
io/netty/netty-resolver/4.2.2.Final/netty-resolver-4.2.2.Final.jar
aa8821a7ea2ca47f62740bd1f37d67deb97824cc77e76dde6ae2c439a923fc9d
io/netty/netty-transport-native-unix-common/4.2.2.Final/netty-transport-native-unix-common-4.2.2.Final.jar
116d766a1af4722fe76a4cdaed969644985d44e08ec1337d2dbab697dd109603
io/netty/netty-transport/4.2.2.Final/netty-transport-4.2.2.Final.jar
7b751d952061954d5abfed7181c1f645d336091b679891591d63329c622eb832
org/slf4j/slf4j-api/2.0.17/slf4j-api-2.0.17.jar
EOF

class="$home/MongoServerForTests.class"
if [ ! -f "$home/ChangeStreams.class" ] || [ -n "$(find "$tools/mongodb" -name '*.java' -newer "$class")" ]; then
  if ! command -v javac >/dev/null 2>&1; then
    echo 'installing mongo-java-server needs JDK 17 or later: apt-get install default-jdk-headless' >&2
    exit 1
  fi
  javac --release 17 -cp "$classpath" -d "$home" "$tools"/mongodb/*.java
fi

cat > "$launcher.new" <<EOF
#!/bin/sh
# mongo-java-server 1.47.0, installed for tests by Quire's tools/install-mongodb.sh
exec java -Xmx\${MONGO_JAVA_HEAP:-512m} -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \\
  -Dslf4j.internal.verbosity=ERROR -cp $classpath MongoServerForTests "\$@"
EOF
chmod 755 "$launcher.new"
mv "$launcher.new" "$launcher"

echo "mongo-java-server is at $launcher"
