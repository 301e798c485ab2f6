import { expect } from 'chai';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { mongoTestUrl } from '../../suites/temporary-store.js';
import { testDatabase, type TestDatabase } from '../support/mongo.js';
import { makeBase, startProcess, type ServerProcess } from '../support/process.js';
import { send } from '../support/client.js';
import { until } from '../support/server.js';
import { failedOf, folderOf, rotate, runsOf } from '../support/watched-folders.js';

describe('Watched folders seen by two servers on one store', () => {
  let database: TestDatabase;
  let shared: string;
  const servers: ServerProcess[] = [];
  let settings: Readonly<Record<string, unknown>>;
  let env: Readonly<Record<string, string>>;

  before(async function () {
    this.timeout(60_000);
    const url = await mongoTestUrl();
    if (url === undefined) return this.skip();
    database = testDatabase(url);
    shared = await mkdtemp(join(tmpdir(), 'quire-shared-'));
    settings = {
      limits: { workers: 1 },
      autoPipeline: { sweepSeconds: 1, fileReadiness: { settleTimeMillis: 200, sizeCheckDelayMillis: 50 } },
      system: {
        customPaths: { pipeline: { watchedFoldersDir: join(shared, 'in'), finishedFoldersDir: join(shared, 'out') } },
      },
    };
    env = { ...database.env(), STORE_SECRET: '0123456789abcdef'.repeat(4) };
    servers.push(await startProcess(makeBase(settings), env, undefined, 40));
    servers.push(await startProcess(makeBase(settings), env, undefined, 40));
    for (const server of servers) expect(server.url, server.text()).not.to.equal('');
  });
  after(async () => {
    for (const { child, exit, basePath } of servers) {
      child.kill('SIGKILL');
      await exit;
      await rm(basePath, { recursive: true, force: true });
    }
    if (database === undefined) return;
    await database.drop();
    await rm(shared, { recursive: true, force: true });
  });

  it('are processed once, and by the other server when one dies in the middle', async function () {
    this.timeout(90_000);
    const pdf = await makePdf({ pages: 1 });
    const folders = ['a', 'b'].map((name) => join(shared, 'in', name));
    for (const folder of folders) {
      await mkdir(folder, { recursive: true });
      await writeFile(
        join(folder, 'p.json'),
        JSON.stringify({ pipeline: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } }] }),
      );
      for (let number = 0; number < 15; number++) await writeFile(join(folder, `${number}.pdf`), pdf);
    }
    const count = async (place: string): Promise<number> =>
      (await Promise.all(folders.map((folder) => readdir(join(folder, place)).catch(() => []))))
        .flat()
        .filter((name) => !name.startsWith('.')).length;
    await until('some are done', async () => (await count('done')) > 4, 30);
    servers[0]?.child.kill('SIGKILL');
    await until('all are done', async () => (await count('done')) === 60, 60);
    await until('no run is left', async () => (await count('processing')) === 0);
    expect(await count('failed')).to.equal(0);
    for (const name of ['a', 'b'])
      expect((await readdir(join(shared, 'out', name))).sort()).to.deep.equal(
        Array.from({ length: 15 }, (_, number) => `${number}.pdf`).sort(),
      );
    const ids = await Promise.all(
      folders.map((folder) => readFile(join(folder, 'processing', '.quire-folder'), 'utf8')),
    );
    expect(new Set(ids).size).to.equal(2);
  });

  it('show the same history on both, and a failed file can be processed again through either', async function () {
    this.timeout(90_000);
    servers[0] = await startProcess(makeBase(settings), env, undefined, 40);
    const folder = join(shared, 'in', 'c');
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, 'p.json'),
      JSON.stringify({ pipeline: [{ operation: '/api/v1/general/remove-pages', parameters: { pageNumbers: '1' } }] }),
    );
    await writeFile(join(folder, 'one.pdf'), await makePdf({ pages: 1 }));
    for (const server of servers)
      await until('both list the failed file', async () => (await folderOf(server, 'c'))?.failedFiles === 1, 40);
    const seen = await Promise.all(servers.map((server) => folderOf(server, 'c')));
    expect(seen[0]?.id).to.equal(seen[1]?.id);
    const id = seen[0]?.id ?? '';
    const runs = await Promise.all(servers.map((server) => runsOf(server, id)));
    expect(runs[0]).to.deep.equal(runs[1]);
    await writeFile(join(folder, 'p.json'), JSON.stringify(rotate));
    const [file] = (await failedOf(servers[1] as ServerProcess, id)).files;
    const answers = await Promise.all(
      servers.map(({ url }) =>
        send(`${url}/api/v1/admin/watched-folders/${id}/failed/${file?.id ?? ''}/retry`, { method: 'POST' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()[0], answers.map(({ body }) => String(body)).join()).to.equal(200);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    for (const server of servers) await until('it is done', async () => (await folderOf(server, 'c'))?.done === 1, 40);
    expect(await readdir(join(shared, 'out', 'c'))).to.deep.equal(['one.pdf']);
    for (const server of servers) expect((await failedOf(server, id)).total).to.equal(0);
  });
});
