import { expect } from 'chai';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeZip, type ZipEntry } from '../../../test/http/support/zip.js';
import { unzip } from './unzip.js';

const bytes = Buffer.from('%PDF-1.7 and more');

describe('unpacking an archive', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-unzip-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function unpack(
    zip: Uint8Array,
    signal = new AbortController().signal,
  ): Promise<Awaited<ReturnType<typeof unzip>>> {
    const path = join(folder, 'in.zip');
    await writeFile(path, zip);
    return unzip(path, folder, 'fileInput', signal);
  }
  const refusal = async (entries: readonly ZipEntry[]): Promise<string> =>
    unpack(makeZip(entries)).then(
      () => 'nothing',
      (error: Error) => error.message,
    );

  it('returns its files under generated names, in order, with their labels', async () => {
    const files = await unpack(
      makeZip([
        { name: 'b/a.pdf', bytes },
        { name: 'b/', bytes: new Uint8Array() },
        { name: 'notes.txt', bytes: Buffer.from('x') },
      ]),
    );
    expect(files.map(({ name, kind, size }) => [name, kind, size])).to.deep.equal([
      ['a.pdf', 'pdf', 17],
      ['notes.txt', 'txt', 1],
    ]);
    for (const { path } of files) expect(path.slice(folder.length)).to.match(/^\/z\d$/);
    expect(await readFile(files[0]?.path ?? '')).to.deep.equal(bytes);
  });

  it('writes nothing for a name that leads outside the folder', async () => {
    for (const name of ['../x', 'a/../../x', '/x', 'C:\\x', '..\\x'])
      expect(await refusal([{ name, bytes }]), name).to.contain('leads out');
    expect(await readdir(folder)).to.deep.equal(['in.zip']);
  });

  it('names the field at fault', async () => {
    expect(await refusal([{ name: 'link', bytes, mode: 0o120777 }]))
      .to.contain('"fileInput"')
      .and.to.contain('link');
  });

  it('stops when it is cancelled', async () => {
    const error = await unpack(makeZip([{ name: 'a.pdf', bytes }]), AbortSignal.abort(new Error('stopped'))).catch(
      (reason: Error) => reason,
    );
    expect(error).to.be.instanceOf(Error).and.to.have.property('message', 'stopped');
  });
});
