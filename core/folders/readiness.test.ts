import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { lstat, mkdir, mkdtemp, open, realpath, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettleWatch, extensionAllowed, type Readiness } from './readiness.js';
import { lockKey, lockedFiles, openForWriting } from './write-locks.js';

const readiness: Readiness = { enabled: true, settleMs: 5000, sizeCheckMs: 500, extensions: [] };
const now = Date.parse('2026-01-01T00:00:00Z');
const stats = (size: number, ageMs: number): never =>
  ({
    size: BigInt(size),
    mtimeNs: BigInt(now - ageMs) * 1_000_000n,
    ctimeNs: BigInt(now - ageMs) * 1_000_000n,
  }) as never;

describe('A file in a watched folder is complete', () => {
  it('once it has not changed for the settle time and two checks found the same size', () => {
    const watch = new SettleWatch(readiness);
    expect(watch.observe('new', stats(10, 0), now, 0)).to.equal(5000);
    expect(watch.observe('new', stats(10, 0), now + 3000, 3000)).to.equal(2000);
    expect(watch.observe('new', stats(10, 0), now + 5000, 5000)).to.equal(0);
    expect(watch.observe('old', stats(10, 60_000), now, 0), 'an old file is checked twice').to.equal(500);
    expect(watch.observe('old', stats(10, 60_000), now + 500, 500)).to.equal(0);
  });

  it('later by the settle time whenever it grows', () => {
    const watch = new SettleWatch(readiness);
    for (let second = 0; second < 60; second += 4)
      expect(watch.observe('grows', stats(second, -second * 1000), now + second * 1000, second * 1000)).to.equal(5000);
    expect(watch.observe('grows', stats(56, -56_000), now + 61_000, 61_000)).to.equal(0);
  });

  it('after the settle time even if its times are in the future or the clock jumps', () => {
    const watch = new SettleWatch(readiness);
    expect(watch.observe('future', stats(10, -86_400_000), now, 0)).to.equal(5000);
    expect(watch.observe('future', stats(10, -86_400_000), now - 3_600_000, 5000)).to.equal(0);
  });

  it('at once when the check is off', () => {
    expect(new SettleWatch({ ...readiness, enabled: false }).observe('new', stats(0, 0), now, 0)).to.equal(0);
  });

  it('when no process has it locked for writing', async function () {
    const folder = await mkdtemp(join(tmpdir(), 'quire-locks-'));
    try {
      const path = join(folder, 'held');
      await writeFile(path, 'x');
      const key = lockKey(await lstat(path, { bigint: true }));
      expect((await lockedFiles()).has(key)).to.equal(false);
      const holder = spawn('flock', ['-x', path, 'sh', '-c', 'echo held; exec sleep 20'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const failed = once(holder, 'error').then(() => true);
      if ((await Promise.race([once(holder.stdout, 'data').then(() => false), failed])) === true) this.skip();
      const held = await lockedFiles();
      holder.kill('SIGKILL');
      // Some kernels do not show the locks of other processes, so there is nothing to test.
      if (held.size === 0) this.skip();
      expect(held.has(key)).to.equal(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('when no process has it open for writing, like a copy that pauses', async function () {
    if (process.platform !== 'linux') this.skip();
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'quire-open-')));
    try {
      for (const name of ['written', 'read']) await writeFile(join(folder, name), 'x');
      const key = async (name: string): Promise<string> => lockKey(await lstat(join(folder, name), { bigint: true }));
      const holder = spawn('sh', ['-c', 'exec 3>>written 4<read; echo open; exec sleep 20'], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      await once(holder.stdout, 'data');
      const open = await openForWriting(folder);
      const ended = once(holder, 'exit');
      holder.kill('SIGKILL');
      await ended;
      expect([open.has(await key('written')), open.has(await key('read')), open.size]).to.deep.equal([true, false, 1]);
      expect((await openForWriting(folder)).size).to.equal(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('when many folders are looked at together, each with its own files', async function () {
    if (process.platform !== 'linux') this.skip();
    const base = await realpath(await mkdtemp(join(tmpdir(), 'quire-open-')));
    const folders = ['a', 'a/inner', 'ab', 'c'].map((name) => join(base, name));
    for (const folder of folders) await mkdir(folder);
    const files = await Promise.all(folders.slice(0, 3).map((folder) => open(join(folder, 'f'), 'w')));
    try {
      const keys = await Promise.all(files.map(async (file) => lockKey(await file.stat({ bigint: true }))));
      const found = await Promise.all(folders.map((folder) => openForWriting(folder)));
      expect(found.map((each) => [...each].map((key) => keys.indexOf(key)).sort())).to.deep.equal([
        [0, 1],
        [1],
        [2],
        [],
      ]);
      // A look that has begun says nothing about what is opened after it.
      const early = openForWriting(base);
      await new Promise((resolve) => setImmediate(resolve));
      const late = await open(join(base, 'c', 'f'), 'w');
      files.push(late);
      const key = lockKey(await late.stat({ bigint: true }));
      expect((await openForWriting(join(base, 'c'))).has(key)).to.equal(true);
      expect((await early).size).to.be.within(3, 4);
    } finally {
      for (const file of files) await file.close();
      await rm(base, { recursive: true });
    }
  });

  it('only if the operator allows its extension', () => {
    const some = { ...readiness, extensions: ['pdf'] };
    expect(['a.pdf', 'a.PDF', 'a.png', 'pdf', '.pdf'].map((name) => extensionAllowed(name, some))).to.deep.equal([
      true,
      true,
      false,
      false,
      true,
    ]);
    expect(extensionAllowed('anything', readiness)).to.equal(true);
  });
});
