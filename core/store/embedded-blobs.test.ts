import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { mountsDisks, smallDisk } from '../../test/suites/small-disk.js';
import { openEmbeddedBlobs } from './embedded-blobs.js';

describe('Blobs in a folder', () => {
  const id = '0123456789abcdef0123456789abcdef';
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-blobs-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are found where an older version has put them, and removed there', async () => {
    const older = join(folder, 'files', '01', '23');
    await mkdir(older, { recursive: true });
    await writeFile(join(older, id), 'older');
    const blobs = openEmbeddedBlobs(folder);
    await blobs.put(Readable.from(['newer']), `01${'f'.repeat(30)}`);
    const listed: string[] = [];
    for await (const { id: name } of blobs.list()) listed.push(name);
    expect(listed.sort()).to.deep.equal([id, `01${'f'.repeat(30)}`]);
    expect(await blobs.exists(id)).to.equal(true);
    expect(await text((await blobs.get(id))?.stream ?? Readable.from([]))).to.equal('older');
    expect(await readFile(blobs.path(id) ?? '', 'utf8')).to.equal('older');
    expect([await blobs.delete(id), await blobs.exists(id), await blobs.delete(id)]).to.deep.equal([
      true,
      false,
      false,
    ]);
  });

  it('are kept again after somebody has removed their folders', async () => {
    const blobs = openEmbeddedBlobs(folder);
    await blobs.put(Readable.from(['one']), id);
    await rm(join(folder, 'files'), { recursive: true });
    await blobs.put(Readable.from(['two']), id).catch(() => undefined);
    await blobs.put(Readable.from(['three']), id);
    expect(await readFile(blobs.path(id) ?? '', 'utf8')).to.equal('three');
  });

  it('are what a link points to, not the link', async () => {
    await writeFile(join(folder, 'file'), 'content');
    await symlink(join(folder, 'file'), join(folder, 'link'));
    const blobs = openEmbeddedBlobs(folder);
    for (const blob of [await blobs.put(join(folder, 'link')), await blobs.putCached?.(join(folder, 'link'))]) {
      await rm(join(folder, 'file'));
      expect(await readFile(blobs.path(blob?.id ?? '') ?? '', 'utf8')).to.equal('content');
      await writeFile(join(folder, 'file'), 'content');
    }
  });

  // Not a skipped test: nothing that could be installed would let it run.
  const onOtherDisk = mountsDisks() ? it : () => undefined;
  onOtherDisk('are copied from another disk', async () => {
    const disk = join(folder, 'disk');
    await mkdir(disk);
    const unmount = smallDisk(disk);
    try {
      const blobs = openEmbeddedBlobs(folder);
      await writeFile(join(disk, 'one'), 'from there');
      await writeFile(join(folder, 'two'), 'from here');
      for (const [path, content] of [
        [join(disk, 'one'), 'from there'],
        [join(folder, 'two'), 'from here'],
      ] as const)
        for (const blob of [await blobs.put(path), await blobs.putCached?.(path)])
          expect([blob?.size, await readFile(blobs.path(blob?.id ?? '') ?? '', 'utf8')]).to.deep.equal([
            content.length,
            content,
          ]);
    } finally {
      unmount();
    }
  });
});
