import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackZip, writeZip, type ZipMember } from '../../../file/zip/index.js';
import { hasProgram } from '../../support.js';

describe('Writing a zip', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-archive-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function member(name: string, bytes: Buffer, stored = true): Promise<ZipMember> {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return { name, path, ...(stored ? { stored: true as const } : {}) };
  }

  it('keeps the order and the bytes of small, large and empty files, more than may wait in memory', async () => {
    const contents = Array.from({ length: 90 }, (_, i) =>
      Buffer.alloc([200_000, 3000, 0, 700_000][i % 4] ?? 0, `content ${i}; `),
    );
    const members: ZipMember[] = [];
    for (const [i, bytes] of contents.entries()) members.push(await member(`file ${i}`, bytes, i % 5 > 0));
    const target = join(folder, 'out.zip');
    expect(await writeZip(members, target)).to.equal((await stat(target)).size);
    await mkdir(join(folder, 'back'));
    const files = await unpackZip(target, join(folder, 'back'), {
      field: 'fileInput',
      signal: new AbortController().signal,
      names: 'kept',
    });
    expect(files.map(({ name }) => name)).to.deep.equal(members.map(({ name }) => name));
    for (const [i, { path }] of files.entries())
      expect((await readFile(path)).equals(contents[i] ?? Buffer.of(1)), `file ${i}`).to.equal(true);
    if (hasProgram('unzip')) expect(spawnSync('unzip', ['-tqq', target]).status).to.equal(0);
  });

  it('rejects a member that is missing, and one that is a folder', async () => {
    const sound = await member('sound', Buffer.from('text'));
    for (const [name, error] of [
      ['missing', /ENOENT/],
      ['.', /not a file/],
    ] as const) {
      const refused = await writeZip(
        [sound, { name: 'other', path: join(folder, name), stored: true }],
        join(folder, `${name.length}.zip`),
      ).catch((reason: unknown) => String(reason));
      expect(refused, name).to.match(error);
    }
  });
});
