import { expect } from 'chai';
import { mongoTestUrl } from '../../suites/temporary-store.js';
import { json, send } from '../support/client.js';
import { bossName, sessionOf, startWithLogin } from '../support/login.js';
import { testDatabase } from '../support/mongo.js';

describe('A MongoDB that system.datasource names', () => {
  it('is the store of the server, as with store.mongodb.url', async function () {
    this.timeout(60_000);
    const url = await mongoTestUrl();
    if (url === undefined) return this.skip();
    const database = testDatabase(url);
    const { hostname, port } = new URL(url.replace(/^mongodb:/, 'http:'));
    const secret = '0123456789abcdef'.repeat(4);
    const start = (more: object) =>
      startWithLogin({}, { store: { secret }, system: { datasource: { enableCustomDatabase: true, ...more } } });
    const first = await start({
      type: 'mongodb',
      hostName: hostname,
      port: Number(port || 27017),
      name: database.name,
    });
    try {
      const boss = await sessionOf(first);
      const page = json(
        await send(`${first.url}/api/v1/proprietary/ui-data/database`, { method: 'GET', headers: boss }),
      );
      expect(page).to.include({ databaseType: 'mongodb' });
      const store = await database.open();
      expect(
        await store.records<{ id: string; username: string }>('users').find({ username: bossName }),
      ).to.have.length(1);
      await store.close();
    } finally {
      await first.stop();
    }
    const address = new URL(url.replace(/^mongodb:/, 'http:'));
    address.pathname = `/${database.name}`;
    const again = await start({ customDatabaseUrl: address.href.replace(/^http:/, 'mongodb:') });
    try {
      await sessionOf(again);
    } finally {
      await again.stop();
      await database.drop();
    }
  });
});
