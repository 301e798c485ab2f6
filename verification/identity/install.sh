#!/bin/sh
# Installs Keycloak, in a pinned version, for `npm run check:keycloak`: sh verification/identity/install.sh <folder>
# Needs Java 17 or later, tar, and Maven Central. May be run again; what is installed stays.
set -eu

folder=${1:?no folder given}
version=26.7.3
sha256=77657f30b7e90d70f727712ce1c967f430fd6a5e9f458d32d8c6df0635345f47

mkdir -p "$folder"
if [ "$(cat "$folder/installed" 2>/dev/null || true)" = "$version" ]; then exit 0; fi
# shellcheck source=tools/maven-central.sh
. "$(dirname "$0")/../../tools/maven-central.sh"
archive="keycloak-quarkus-dist-$version.tar.gz"
fetch_jar "org/keycloak/keycloak-quarkus-dist/$version/$archive" "$sha256" "$folder/$archive"
rm -rf "$folder/keycloak"
mkdir "$folder/keycloak"
tar -xzf "$folder/$archive" -C "$folder/keycloak" --strip-components 1
rm "$folder/$archive"
echo "$version" > "$folder/installed"
