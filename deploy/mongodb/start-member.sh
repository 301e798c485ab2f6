#!/bin/bash
# deploy/mongodb/start-member.sh
# Starts the MongoDB of deploy/compose.yml as the only member of a replica set, by the start script of its image.
# Members of a replica set that has users must share a key. The only member knows it from the password, which is as
# mighty, so that nobody has to make and keep one more secret.
set -euo pipefail
key=${QUIRE_MONGODB_KEY:-/data/configdb/key}
digest=$(sha256sum "$MONGO_INITDB_ROOT_PASSWORD_FILE")
# Readable for mongod's user alone, or it refuses to start; the image's script gives it the file.
rm -f "$key"
(umask 077 && echo "${digest%% *}" > "$key")
# The oplog has every stored file once more: 1 GB, instead of 5 % of the disk, is enough for nodes to hear of changes.
exec docker-entrypoint.sh mongod --replSet quire --keyFile "$key" --oplogSize 1024 "$@"
