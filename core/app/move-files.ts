import { createHash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BasePaths, SharedFiles } from '@quire/registry';
import type { MovedPart } from '../store/index.js';

/**
 * Files of a base folder that all servers on one store share, and folders of which all subfolders are shared: see
 * docs/internals/adr/0040-shared-store.md.
 */
const files = [['configs', 'server-certificate.p12']] as const;
const foldersOf = [['customFiles', 'signatures']] as const;
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Makes the shared files of a store equal to those in a base folder. Links, files that were being written when a server
 * was killed (`~…`), and files above 16 MiB, which no server wrote, are not copied. Rejects with an Error naming a file
 * that differs after the copy, and with STORE_DOWN.
 */
export async function moveFiles(paths: BasePaths, shared: SharedFiles): Promise<MovedPart> {
  const found = await filesToMove(paths);
  const hash = createHash('sha256');
  const kept = new Set<string>();
  let [written, bytes, removed] = [0, 0, 0];
  for (const { path, folder, name } of found) {
    const content = await readFile(path);
    const place = `${folder}/${name}`;
    if (!same(await shared.read(place), content)) {
      await shared.write(place, content);
      written += 1;
      if (!same(await shared.read(place), content))
        throw new Error(`${place} in MongoDB differs from the file that was copied`);
    }
    kept.add(place.toLowerCase());
    bytes += content.length;
    hash.update(`${place} ${content.length}\n`).update(content);
  }
  for (const folder of new Set(found.map((file) => file.folder))) {
    for (const { name } of await shared.list(folder))
      if (!kept.has(`${folder}/${name}`.toLowerCase()) && (await shared.remove(`${folder}/${name}`))) removed += 1;
  }
  return {
    what: 'files',
    name: 'shared',
    total: found.length,
    written,
    removed,
    bytes,
    digest: hash.digest('base64url'),
  };
}

interface FoundFile {
  readonly path: string;
  readonly folder: string;
  readonly name: string;
}

async function filesToMove(paths: BasePaths): Promise<FoundFile[]> {
  const wanted: FoundFile[] = files.map(([root, name]) => ({ path: join(paths[root], name), folder: root, name }));
  for (const [root, inside] of foldersOf) {
    for (const folder of await namesIn(join(paths[root], inside))) {
      for (const name of await namesIn(join(paths[root], inside, folder)))
        wanted.push({ path: join(paths[root], inside, folder, name), folder: `${root}/${inside}/${folder}`, name });
    }
  }
  const plain: FoundFile[] = [];
  for (const file of wanted) {
    const facts = await lstat(file.path).catch(absent);
    if (facts?.isFile() === true && facts.size <= MAX_BYTES && !file.name.startsWith('~')) plain.push(file);
  }
  return plain;
}

async function namesIn(folder: string): Promise<string[]> {
  const facts = await lstat(folder).catch(absent);
  return facts?.isDirectory() === true ? (await readdir(folder)).sort() : [];
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}

function same(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && Buffer.compare(a, b) === 0;
}
