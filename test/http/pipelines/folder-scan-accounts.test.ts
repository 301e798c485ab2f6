import { expect } from 'chai';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, json, send } from '../support/client.js';
import { addUser, sessionOf, setEnabled, startWithLogin } from '../support/login.js';
import { until, type TestServer } from '../support/server.js';
import { failedOf, folderOf, foldersOf } from '../support/watched-folders.js';

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
        premium: { enterpriseFeatures: { audit: { enabled: true, level: 2 } } },
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

  it('are shown to administrators only', async () => {
    const { username, password } = await addUser(server, boss, 'reader');
    const reader = await sessionOf(server, username, password);
    const { folders } = await foldersOf(server, '', boss);
    expect(folders.map(({ path }) => path)).to.deep.equal(['in']);
    const id = folders[0]?.id ?? '';
    const calls = [
      ['GET', ''],
      ['GET', '/events'],
      ['GET', `/${id}`],
      ['GET', `/${id}/runs`],
      ['GET', `/${id}/failed`],
      ['POST', `/${id}/failed/x/retry`],
      ['POST', `/${id}/failed/retry`],
      ['DELETE', `/${id}/failed/x`],
    ] as const;
    for (const [method, path] of calls) {
      const url = `${server.url}/api/v1/admin/watched-folders${path}`;
      expectProblem(await send(url, { method }), 401, 'KEY_INVALID');
      expectProblem(await send(url, { method, headers: reader }), 403, 'ADMIN_ONLY');
    }
  });

  it('leave a trace in the audit log when somebody puts a failed file back to work', async () => {
    await writeFile(join(folder, 'bad.pdf'), '%PDF-1.4 and nothing more');
    await until('it has failed', async () => (await folderOf(server, 'in', boss))?.failedFiles === 1);
    const { id = '' } = (await folderOf(server, 'in', boss)) ?? {};
    const [file] = (await failedOf(server, id, boss)).files;
    const url = `${server.url}/api/v1/admin/watched-folders/${id}/failed/${file?.id ?? ''}/retry`;
    expect((await send(url, { method: 'POST', headers: boss })).status).to.equal(200);
    const events = await send(`${server.url}/api/v1/audit/data?type=FILE_OPERATION`, { headers: boss });
    expect(events.status, events.body.toString()).to.equal(200);
    expect(events.body.toString())
      .to.include('"principal":"boss"')
      .and.include('/api/v1/admin/watched-folders/{folderId}/failed/{fileId}/retry');
  });
});
