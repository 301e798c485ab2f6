import { expect } from 'chai';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { mongoTestUrl } from '../../suites/temporary-store.js';
import { testDatabase, type TestDatabase } from '../support/mongo.js';
import { makeBase, startProcess, type ServerProcess } from '../support/process.js';
import { until } from '../support/server.js';

describe('Watched folders seen by two servers on one store', () => {
  let database: TestDatabase;
  let shared: string;
  const servers: ServerProcess[] = [];

  before(async function () {
    this.timeout(60_000);
    const url = await mongoTestUrl();
    if (url === undefined) return this.skip();
    database = testDatabase(url);
    shared = await mkdtemp(join(tmpdir(), 'quire-shared-'));
    const settings = {
      limits: { workers: 1 },
      autoPipeline: { sweepSeconds: 1, fileReadiness: { settleTimeMillis: 200, sizeCheckDelayMillis: 50 } },
      system: {
        customPaths: { pipeline: { watchedFoldersDir: join(shared, 'in'), finishedFoldersDir: join(shared, 'out') } },
      },
    };
    const env = { ...database.env(), STORE_SECRET: '0123456789abcdef'.repeat(4) };
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
    expect([await count('failed'), await count('processing')]).to.deep.equal([0, 0]);
    for (const name of ['a', 'b'])
      expect((await readdir(join(shared, 'out', name))).sort()).to.deep.equal(
        Array.from({ length: 15 }, (_, number) => `${number}.pdf`).sort(),
      );
    const ids = await Promise.all(
      folders.map((folder) => readFile(join(folder, 'processing', '.quire-folder'), 'utf8')),
    );
    expect(new Set(ids).size).to.equal(2);
  });
});
