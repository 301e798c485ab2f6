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
    const archive = join(folder, 'in.zip');
    try {
      await writeFile(archive, bytes);
      for (const names of ['numbered', 'kept'] as const) {
        const unpacked = join(folder, names);
        await mkdir(unpacked);
        const options = { field: 'fileInput', signal: new AbortController().signal, names };
        for (const { path } of await unpackZip(archive, unpacked, options))
          if (!path.startsWith(`${unpacked}/`)) throw new Error(`unpacked outside its folder: ${path}`);
      }
      return 'read';
    } catch (error) {
      return codeOf(error);
    } finally {
      const others = (await readdir(folder)).filter((name) => !['in.zip', 'numbered', 'kept'].includes(name));
      await rm(folder, { recursive: true, force: true });
      if (others.length > 0) throw new Error(`unpacked outside its folder: ${others.join(', ')}`);
    }
  },
};
