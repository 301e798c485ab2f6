import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { mongoTestUrl, temporaryMongoStore } from '../../test/suites/temporary-store.js';
import { loadSettings } from '../settings/index.js';
import { checkStoreVersion, openStore, storeFacts } from '../store/index.js';
import { migrateStore } from './migrate-store.js';

describe('Moving an embedded store', () => {
  it('keeps the installation id, also when it is run again', async function () {
    this.timeout(90_000);
    const url = await mongoTestUrl();
    if (url === undefined) return this.skip();
    const [target, base] = [await temporaryMongoStore(url), mkdtempSync(join(tmpdir(), 'quire-move-'))];
    try {
      const opened = await target.open();
      const database = opened.mongo?.database.databaseName ?? '';
      const file = join(base, 'shipped.yml');
      writeFileSync(file, '');
      const settings = loadSettings({
        shippedFile: file,
        env: { QUIRE_BASE_PATH: base, STORE_MONGODB_URL: url, STORE_MONGODB_DATABASE: database },
        cwd: base,
      });
      const fact = { id: 'installation', value: 'the id', by: '1.0.0', at: '2026-11-22T00:00:00.000Z' };
      const old = await openStore({ kind: 'embedded', folder: settings.paths.store });
      await checkStoreVersion(old, { where: base, by: '1.0.0', now: new Date() });
      await storeFacts(old).insert(fact);
      await old.close();
      for (const time of ['once', 'again']) {
        await migrateStore({ settings, version: '1.0.0', say: () => undefined });
        expect(await storeFacts(opened).get('installation'), time).to.deep.equal(fact);
      }
      await opened.close();
    } finally {
      await target.remove();
      rmSync(base, { recursive: true, force: true });
    }
  });
});
