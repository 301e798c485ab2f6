import { expect } from 'chai';
import { constants } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mountsDisks, smallDisk } from '../../test/suites/small-disk.js';
import { callsFor, directCalls, pooledCalls } from './disk-calls.js';

for (const [name, disk] of Object.entries({ pooledCalls, directCalls }))
  describe(`Calls of the disk (${name})`, () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'quire-disk-'));
      await writeFile(join(folder, 'a'), 'content');
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    const at = (name: string): string => join(folder, name);
    const codeOf = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'none',
        (error: NodeJS.ErrnoException) => error.code,
      );

    it('give a file names, and take them away', async () => {
      await disk.link(at('a'), at('b'));
      expect((await disk.lstat(at('b'))).nlink).to.equal(2n);
      await disk.rename(Buffer.from(at('b')), at('c'));
      await disk.unlinkName(at('a'));
      expect(await readdir(folder)).to.deep.equal(['c']);
    });

    it('reject with the code of the system, and never throw', async () => {
      await writeFile(at('b'), '');
      expect(await codeOf(disk.link(at('a'), at('b')))).to.equal('EEXIST');
      expect(await codeOf(disk.lstat(at('gone')))).to.equal('ENOENT');
      expect(await codeOf(disk.lstat(at('a/inside')))).to.equal('ENOTDIR');
      expect(await codeOf(disk.rename(at('gone'), at('c')))).to.equal('ENOENT');
      expect(await codeOf(disk.unlinkName(at('gone')))).to.equal('ENOENT');
      expect(await codeOf(disk.realpath(at('gone')))).to.equal('ENOENT');
      expect(await codeOf(disk.open(at('gone'), constants.O_RDONLY))).to.equal('ENOENT');
    });

    it('see a link itself, follow it for the real path, and do not open it where that is forbidden', async () => {
      await symlink(at('a'), at('link'));
      expect((await disk.lstat(at('link'))).isSymbolicLink()).to.equal(true);
      expect(await disk.realpath(at('link'))).to.equal(await disk.realpath(at('a')));
      expect(await codeOf(disk.open(at('link'), constants.O_RDONLY | constants.O_NOFOLLOW))).to.equal('ELOOP');
    });

    it('read a file piece by piece to its end', async () => {
      const file = await disk.open(at('a'), constants.O_RDONLY);
      try {
        expect((await file.stats()).size).to.equal(7n);
        const buffer = Buffer.alloc(10);
        const pieces: string[] = [];
        for (let read = await file.read(buffer, 4); read > 0; read = await file.read(buffer, 4))
          pieces.push(buffer.toString('utf8', 0, read));
        expect(pieces).to.deep.equal(['cont', 'ent']);
      } finally {
        await file.close();
      }
    });

    it('flush a folder', async () => {
      const opened = await disk.open(folder, constants.O_RDONLY);
      await opened.sync();
      await opened.close();
      expect(await codeOf(opened.stats())).to.equal('EBADF');
    });
  });

describe('The calls for a folder', () => {
  let base: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'quire-disk-'));
    for (const name of ['own', 'theirs']) await mkdir(join(base, name));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  const chosen = (own = join(base, 'own')) => callsFor(join(base, 'theirs'), own);

  it("are made at once on the disk with the server's own files", async () => {
    expect(await chosen()).to.equal(directCalls);
  });

  it('are made in the thread pool where one of the two is not there', async () => {
    expect(await chosen(join(base, 'gone'))).to.equal(pooledCalls);
    expect(await callsFor(join(base, 'gone'), join(base, 'own'))).to.equal(pooledCalls);
  });

  // Not a skipped test: nothing that could be installed would let it run.
  const onSmallDisk = mountsDisks() ? it : () => undefined;
  onSmallDisk('are made in the thread pool on any other disk', async () => {
    const unmount = smallDisk(join(base, 'theirs'));
    try {
      expect(await chosen()).to.equal(pooledCalls);
    } finally {
      unmount();
    }
  });
});
