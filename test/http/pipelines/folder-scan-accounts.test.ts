import { expect } from 'chai';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { json, send } from '../support/client.js';
import { addUser, sessionOf, setEnabled, startWithLogin } from '../support/login.js';
import { until, type TestServer } from '../support/server.js';

describe('Watched folders while login is on', () => {
  let server: TestServer;
  let boss: { readonly authorization: string };
  let folder: string;
  const pipeline = { pipeline: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } }] };
  const problem = async (): Promise<string | undefined> =>
    (JSON.parse(await readFile(join(folder, '_folder-problem.json'), 'utf8').catch(() => '{}')) as { problem?: string })
      .problem;
  const done = async (): Promise<number> => (await readdir(join(folder, 'done')).catch(() => [])).length / 2;

  before(async () => {
    server = await startWithLogin(
      {},
      {
        limits: { workers: 1 },
        licence: { meter: true },
        autoPipeline: {
          runAs: 'scanner',
          sweepSeconds: 1,
          fileReadiness: { settleTimeMillis: 100, sizeCheckDelayMillis: 50 },
        },
      },
    );
    boss = await sessionOf(server);
    folder = join(server.basePath, 'pipeline', 'watchedFolders', 'in');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'p.json'), JSON.stringify(pipeline));
  });
  after(() => server.stop());

  it('run as the configured account, while it exists and is enabled; until then files wait', async () => {
    await writeFile(join(folder, 'one.pdf'), await makePdf({ pages: 1 }));
    await until('the missing account is reported', async () => (await problem()) === 'not-allowed');
    expect(JSON.parse(await readFile(join(folder, '_folder-problem.json'), 'utf8')))
      .to.have.property('detail')
      .that.includes('"scanner"')
      .and.includes('autoPipeline.runAs');
    expect(await readdir(folder)).to.include('one.pdf');
    await addUser(server, boss, 'scanner');
    await until('the first is done', async () => (await done()) === 1);
    await setEnabled(server, boss, 'scanner', false);
    await writeFile(join(folder, 'two.pdf'), await makePdf({ pages: 1 }));
    await until('the disabled account is reported', async () => (await problem()) === 'not-allowed');
    expect(await done()).to.equal(1);
    await setEnabled(server, boss, 'scanner', true);
    await until('the second is done', async () => (await done()) === 2);
    await until('nothing is wrong any more', async () => (await problem()) === undefined);
  });

  it('are charged to that account', async () => {
    const usage = await send(`${server.url}/api/v1/admin/usage`, { headers: boss });
    expect(usage.status, usage.body.toString()).to.equal(200);
    expect(JSON.stringify(json(usage)))
      .to.include('scanner')
      .and.to.include('general/rotate-pdf');
  });
});
