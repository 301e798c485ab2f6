import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpackZip } from '@quire/document/file/zip';
import { codeOf, type FuzzTarget } from './target.js';

const fixtures = fileURLToPath(new URL('../../../plugins/convert/fixtures', import.meta.url));

/** Archives, unpacked as uploads are, with generated names and with their own. */
export const zip: FuzzTarget = {
  extension: 'zip',
  seeds: async () => {
    const names = ['site.zip', 'no-page.zip', 'handbook.zip', 'letter.docx'];
    const found = new Set(await readdir(fixtures));
    return Promise.all(names.filter((name) => found.has(name)).map((name) => readFile(join(fixtures, name))));
  },
  exercise: async (bytes) => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-fuzz-'));
    try {
      const outcome = await unpackIn(folder, bytes);
      const others = (await readdir(folder)).filter((name) => !['in.zip', 'numbered', 'kept'].includes(name));
      if (others.length > 0) throw new Error(`unpacked outside its folder: ${others.join(', ')}`);
      return outcome;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function unpackIn(folder: string, bytes: Buffer): Promise<string> {
  const archive = join(folder, 'in.zip');
  await writeFile(archive, bytes);
  try {
    for (const names of ['numbered', 'kept'] as const) {
      const target = join(folder, names);
      await mkdir(target);
      await unpackZip(archive, target, { field: 'fileInput', signal: new AbortController().signal, names });
    }
    return 'read';
  } catch (error) {
    return codeOf(error);
  }
}
