import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../../../../test/suites/code-of.js';
import { contextForTest, DeliveryForTest, validated } from '../../../../test/suites/connectors.js';
import { mountsDisks, smallDisk } from '../../../../test/suites/small-disk.js';
import { isNightly } from '../../../../test/suites/nightly.js';
import { numbered } from '../../../folders/index.js';
import { loadSettings } from '../../../settings/index.js';
import { folderDestination } from './folder-destination.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const FILES = 60;
/** How often the server is killed. */
const KILLS = isNightly ? 12 : 5;

/** Starts a server that delivers; it writes a line before each delivery. */
function startChild(base: string, ...server: readonly string[]) {
  return spawn(
    process.execPath,
    ['--import', 'tsx', join(root, 'test', 'suites', 'delivery-child.ts'), base, String(FILES), ...server],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
}

describe('A delivery into a folder', function () {
  this.timeout(180_000);
  let base: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'quire-delivery-'));
    await mkdir(join(base, 'out'));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  it('leaves one whole file, however often the server is killed in the middle', async () => {
    const content = randomBytes(3_000_000);
    await writeFile(join(base, 'result'), content);
    let kills = 0;
    for (;;) {
      const child = startChild(base);
      const ended = once(child, 'exit');
      let left = randomInt(1, 9);
      const cut = kills < KILLS;
      child.stdout.on('data', (chunk: Buffer) => {
        left -= chunk.toString().split('\n').length - 1;
        if (cut && left <= 0) setTimeout(() => child.kill('SIGKILL'), randomInt(0, 12));
      });
      const [code] = (await ended) as [number | null];
      if (code === 0) break;
      expect(code, 'killed, not failed').to.equal(null);
      kills += 1;
    }
    const names = await readdir(join(base, 'out'));
    expect(names.filter((name) => !name.startsWith('.'))).to.have.length(FILES);
    expect(names.filter((name) => name.startsWith('.'))).to.deep.equal([]);
    for (const name of names) expect((await readFile(join(base, 'out', name))).equals(content), name).to.equal(true);
    expect(kills).to.be.greaterThan(0);
  });

  it('replaces no file of another server that delivers under the same name at the same time', async () => {
    const servers = ['one', 'other'];
    for (const server of servers) await writeFile(join(base, `result-${server}`), `of ${server}`);
    const codes = servers.map(async (server) => {
      const [code] = (await once(startChild(base, server), 'exit')) as [number | null];
      return code;
    });
    expect(await Promise.all(codes)).to.deep.equal([0, 0]);
    const names = await readdir(join(base, 'out'));
    const wanted = Array.from({ length: 2 * FILES }, (_, n) => numbered('result.bin', n));
    expect(names).to.have.members(wanted);
    const contents = await Promise.all(names.map((name) => readFile(join(base, 'out', name), 'utf8')));
    for (const server of servers)
      expect(contents.filter((content) => content === `of ${server}`)).to.have.length(FILES);
  });

  it('leaves a part file when it is given up, which a sweep removes', async () => {
    const settings = loadSettings({ env: { POLICIES_ALLOWEDFOLDERROOTS: base }, cwd: base });
    const kind = folderDestination({ settings, clock: { now: () => new Date() } });
    const out = join(base, 'out');
    for (const name of ['.quire-part-old', '.quire-part-live', 'a.pdf', '.hidden'])
      await writeFile(join(out, name), '');
    const asked: string[] = [];
    await kind.sweep?.(validated(kind, { directory: out }), (name, ageMs) => {
      asked.push(`${name} ${ageMs < 60_000}`);
      return name === 'old';
    });
    expect(asked.sort()).to.deep.equal(['live true', 'old true']);
    expect((await readdir(out)).sort()).to.deep.equal(['.hidden', '.quire-part-live', 'a.pdf']);
  });

  // Not a skipped test: nothing that could be installed would let it run.
  const onSmallDisk = mountsDisks() ? it : () => undefined;
  onSmallDisk('waits while the disk is full, and leaves nothing incomplete there', async () => {
    const disk = join(base, 'out');
    const unmount = smallDisk(disk);
    try {
      const settings = loadSettings({ env: { POLICIES_ALLOWEDFOLDERROOTS: disk }, cwd: base });
      const kind = folderDestination({ settings, clock: { now: () => new Date() } });
      const open = await kind.open(validated(kind, { directory: disk }), contextForTest());
      const content = randomBytes(600_000);
      const path = join(base, 'result');
      await writeFile(path, content);
      const file = { path, name: 'a.pdf', size: content.length, mediaType: 'application/pdf' };
      await writeFile(join(disk, 'filling'), randomBytes(700_000));
      const delivery = new DeliveryForTest('one');
      for (let attempt = 0; attempt < 3; attempt++)
        expect(await codeOf(open.deliver(file, delivery.attempt()))).to.equal('DESTINATION_UNREACHABLE');
      expect(await readdir(disk)).to.deep.equal(['filling']);
      await rm(join(disk, 'filling'));
      await open.deliver(file, delivery.attempt());
      expect(await readdir(disk)).to.deep.equal(['a.pdf']);
      expect((await readFile(join(disk, 'a.pdf'))).equals(content)).to.equal(true);
    } finally {
      unmount();
    }
  });
});
