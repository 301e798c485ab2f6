import { unpackZip } from '@quire/document/file/zip';
import { expect } from 'chai';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeZip, type ZipEntry } from '../../../../test/http/support/zip.js';

const bytes = Buffer.from('some text');

describe('Unpacking a zip into a folder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-archive-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function unpack(entries: readonly ZipEntry[], options: Partial<Parameters<typeof unpackZip>[2]> = {}) {
    const path = join(folder, 'in.zip');
    await writeFile(path, makeZip(entries));
    return unpackZip(path, folder, { field: 'fileInput', signal: new AbortController().signal, ...options });
  }

  it('keeps the paths of its files on request', async () => {
    const files = await unpack(
      [
        { name: 'page.html', bytes },
        { name: 'img/deep/ü.png', bytes },
      ],
      { names: 'kept' },
    );
    expect(files.map(({ name, path, size }) => [name, path.slice(folder.length), size])).to.deep.equal([
      ['page.html', '/page.html', 9],
      ['img/deep/ü.png', '/img/deep/ü.png', 9],
    ]);
    expect(await readFile(join(folder, 'img/deep/ü.png'))).to.deep.equal(bytes);
  });

  it('skips unwanted entries', async () => {
    const files = await unpack(
      [
        { name: 'a.txt', bytes },
        { name: 'b.png', bytes },
      ],
      { wanted: (name) => name.endsWith('.png') },
    );
    expect(files.map(({ name }) => name)).to.deep.equal(['b.png']);
    expect((await readdir(folder)).sort()).to.deep.equal(['in.zip', 'z2']);
  });

  for (const [what, entries, detail] of [
    [
      'a name that occurs twice',
      [
        { name: 'a', bytes },
        { name: 'a', bytes },
      ],
      'twice',
    ],
    [
      'a file that is a folder as well',
      [
        { name: 'a', bytes },
        { name: 'a/b', bytes },
      ],
      'twice',
    ],
    ['a name that is too long for a file', [{ name: 'x'.repeat(400), bytes }], 'too long'],
    ['a name with a NUL', [{ name: 'x\0y', bytes }], 'an invalid file name'],
    ['a path that leads out', [{ name: 'a/../../x', bytes }], 'leads out'],
  ] as const) {
    it(`rejects ${what}`, async () => {
      const error = await unpack(entries, { names: 'kept' }).catch((reason: Error) => reason);
      expect(error).to.have.property('code', 'ARCHIVE_UNSAFE');
      expect(String(error)).to.contain(detail);
    });
  }
});
