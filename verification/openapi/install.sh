#!/bin/sh
# Installs the tools of `npm run check:openapi`, in pinned versions: sh verification/openapi/install.sh <folder>
# Needs Python 3.11 or later with venv, and npm, PyPI and Maven Central. May be run again; what is installed stays.
set -eu

folder=${1:?no folder given}
here=$(cd "$(dirname "$0")" && pwd)
node_tools='@redocly/cli@2.77.0 @stoplight/spectral-cli@6.16.3'
node_tools="$node_tools openapi-typescript@7.13.0 openapi-fetch@0.17.0 @hey-api/openapi-ts@0.99.0 orval@8.38.0"
node_tools="$node_tools typescript@5.9.3 tsx@4.23.15 @types/node@24.19.4"
python_tools='openapi-spec-validator==0.9.0 openapi-python-client==0.29.1 schemathesis==4.32.5'
python_tools="$python_tools python-dateutil==4.0.0 pydantic==2.14.4 urllib3==2.8.0"
# Contains Newtonsoft.Json 10.0.3 for .NET Standard (both under the MIT licence), which the C# client needs.
dotnet_library=@microsoft.azure/autorest.csharp@2.3.102
dotnet_sha256=0268d88516035eb67851e15fea5bd2787100e55f4ed6a9c8b4349fe933c39329
generator=7.25.0
generator_sha256=41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae

wanted="$node_tools $python_tools $generator $dotnet_library"
mkdir -p "$folder"
if [ "$(cat "$folder/installed" 2>/dev/null || true)" = "$wanted" ]; then exit 0; fi

# shellcheck source=tools/maven-central.sh
. "$here/../../tools/maven-central.sh"
jar="openapi-generator-cli-$generator.jar"
fetch_jar "org/openapitools/openapi-generator-cli/$generator/$jar" "$generator_sha256" "$folder/openapi-generator.jar"
python3 -m venv --clear "$folder/python"
# The lists are meant to be split.
# shellcheck disable=SC2086
"$folder/python/bin/pip" install --quiet --disable-pip-version-check --no-input $python_tools
echo '{ "private": true, "type": "module" }' >"$folder/package.json"
# openapi-typescript names an older TypeScript as its peer than npm would choose.
# shellcheck disable=SC2086
npm install --prefix "$folder" --no-audit --no-fund --legacy-peer-deps --silent $node_tools
mkdir -p "$folder/dotnet"
packed=$(npm pack --silent --pack-destination "$folder" "$dotnet_library")
dll=autorest.csharp/src/bin/netcoreapp2.0/Newtonsoft.Json.dll
tar -xzOf "$folder/$packed" "$dll" >"$folder/dotnet/Newtonsoft.Json.dll"
rm "$folder/$packed"
is_right "$folder/dotnet/Newtonsoft.Json.dll" "$dotnet_sha256"
# Written last, so that an interrupted installation is repeated.
echo "$wanted" >"$folder/installed"
