/// <reference lib="dom" />
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ClusterNode } from '../../verification/cluster/cluster-node.js';
import { testDatabase, type TestDatabase } from '../http/support/mongo.js';
import { mongoTestUrl } from '../suites/temporary-store.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { waitForText } from './page-words.js';

const SECRET = 'ab'.repeat(32);

describe('Several servers in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let database: TestDatabase;
  let folder: string;
  let worker: ClusterNode | undefined;
  before(async function () {
    const url = await mongoTestUrl();
    if (url === undefined) return this.skip();
    database = testDatabase(url);
    folder = await mkdtemp(join(tmpdir(), 'quire-console-nodes-'));
    const opened = await openConsole({
      settings: {
        store: { secret: SECRET, mongodb: { url, database: database.name } },
        cluster: { node: { id: 'alpha' } },
      },
      plugins: ['@quire/plugin-general'],
    });
    if (opened === undefined) return this.skip();
    browser = opened;
  });
  after(async () => {
    await browser?.stop();
    await worker?.end('SIGKILL');
    await database?.drop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  it('are listed, and one that is killed is missed until it is started again', async () => {
    const page = await browser.open('administration/nodes');
    await waitForText(page, 'main p', 'One server does all the work.');
    worker = await ClusterNode.start({
      name: 'beta',
      role: 'worker',
      base: join(folder, 'beta'),
      storeUrl: database.url,
      database: database.name,
      secret: SECRET,
      env: { LIMITS_WORKERS: '1' },
    });
    await waitForText(page, '.table tr', 'beta');
    await waitForText(page, '.table tr', 'Runs jobs');
    expect(await page.$('.notice.error')).to.equal(null);
    await worker.end('SIGKILL');
    await waitForText(page, '.notice.error', '“beta” has not been heard from since');
    await waitForText(page, '.notice.error', 'Jobs that it ran are run again');
    const listed = await page.$$eval('.table tbody tr', (rows) => rows.map((row) => row.textContent ?? ''));
    expect(listed.length).to.equal(1);
    expect(listed[0]).to.contain('alpha');
    await page.setViewport({ width: 360, height: 800 });
    const wide = await page.$eval('.table-box', (box) => box.scrollWidth - box.clientWidth);
    expect(wide, 'nothing to scroll sideways').to.equal(0);
    await worker.start();
    await page.waitForSelector('.notice.error', { hidden: true });
    await waitForText(page, '.table tr', 'beta');
    await page.close();
    expect(browser.faults).to.deep.equal([]);
  });
});
