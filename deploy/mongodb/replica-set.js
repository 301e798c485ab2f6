// Health check of the MongoDB of deploy/compose.yml, run by mongosh: healthy is a primary. Makes it one at the first
// start, and at the first start after it stood alone; its data stays.
/* global db, rs, quit, require, process */
const hello = db.hello();
// So says a server that was started with --replSet and belongs to no set yet.
if (hello.isreplicaset === true) {
  const { MONGO_INITDB_ROOT_USERNAME: user, MONGO_INITDB_ROOT_PASSWORD_FILE: file } = process.env;
  const password = require('node:fs').readFileSync(file, 'utf8').replace(/\n+$/, '');
  db.getSiblingDB('admin').auth(user, password);
  rs.initiate({ _id: 'quire', members: [{ _id: 0, host: 'store:27017' }] });
}
quit(hello.setName === 'quire' && hello.isWritablePrimary === true ? 0 : 1);
