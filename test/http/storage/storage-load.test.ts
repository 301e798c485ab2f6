import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { json, send } from '../support/client.js';
import { sessionOf } from '../support/login.js';
import { makeBase, startProcess, type ServerProcess } from '../support/process.js';
import type { Caller, StoredFileWire } from '../support/storage.js';
import { digestOf, downloadLarge, uploadLarge } from '../support/storage-load.js';
import { filesBelow, until } from '../support/server.js';

const MB = 1024 * 1024;
const SIZE = 8 * MB;
const SMALL = 4 * MB;
const settings = {
  security: { enableLogin: true, initialLogin: { username: 'boss', password: 'password of boss' } },
  limits: { workers: 1 },
  jobs: { concurrency: 1 },
  storage: { enabled: true },
};

describe('Stored files, many and large at once', function storageLoad() {
  this.timeout(90_000);
  let basePath: string;
  let server: ServerProcess;
  let boss: Caller;
  const start = async (): Promise<void> => {
    server = await startProcess(basePath);
    boss = await sessionOf(server, 'boss', 'password of boss');
  };
  const kept = (): string[] => filesBelow(join(basePath, 'storage'));
  const statusKb = (line: string): number =>
    Number(
      new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${server.child.pid}/status`, 'latin1'))?.[1] ?? 0,
    );
  before(async () => {
    basePath = makeBase(settings);
    await start();
  });
  after(async () => {
    server.child.kill('SIGKILL');
    await server.exit;
    rmSync(basePath, { recursive: true, force: true });
  });

  it('pass through the server without filling its memory, up and down at the same time', async () => {
    const first = await uploadLarge(server.url, boss, 0, SIZE);
    await downloadLarge(server.url, boss, first?.id ?? 0);
    writeFileSync(`/proc/${server.child.pid}/clear_refs`, '5');
    const before = statusKb('VmRSS');
    const seeds = Array.from({ length: 7 }, (_unused, i) => i + 1);
    const wanted = digestOf(0, SIZE);
    const [uploaded] = await Promise.all([
      Promise.all(seeds.map((seed) => uploadLarge(server.url, boss, seed, SIZE))),
      Promise.all(
        seeds.map(async () => expect(await downloadLarge(server.url, boss, first?.id ?? 0)).to.equal(wanted)),
      ),
    ]);
    for (const [i, file] of uploaded.slice(0, 3).entries())
      expect(await downloadLarge(server.url, boss, file?.id ?? 0), `file ${i}`).to.equal(digestOf(i + 1, SIZE));
    const growthMb = (statusKb('VmHWM') - before) / 1024;
    expect(growthMb, 'of 56 MB each way, moved at once').to.be.below(50);
  });

  it('are complete or absent after the server was killed in the middle of uploads', async () => {
    const seeds = Array.from({ length: 8 }, (_unused, i) => i + 100);
    const begun = kept().length;
    const uploads = seeds.map((seed) => uploadLarge(server.url, boss, seed, SMALL).catch(() => undefined));
    await until('some are kept', () => kept().length > begun);
    server.child.kill('SIGKILL');
    await server.exit;
    const acknowledged = (await Promise.all(uploads)).filter((file) => file !== undefined);
    await start();
    const listed = json<StoredFileWire[]>(await send(`${server.url}/api/v1/storage/files`, { headers: boss }));
    for (const { id } of acknowledged) expect(listed.map((file) => file.id)).to.include(id);
    for (const { id, fileName, sizeBytes } of listed.filter(({ fileName: name }) => Number.parseInt(name) >= 100)) {
      expect(sizeBytes).to.equal(SMALL);
      expect(await downloadLarge(server.url, boss, id), fileName).to.equal(digestOf(Number.parseInt(fileName), SMALL));
    }
    await until('no content without a file is left', () => kept().length === listed.length);
  });
});
