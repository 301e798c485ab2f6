import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { letAllRead } from '../fonts/index.js';

/** An unpacked browser of an npm package. */
export interface UnpackedEngine {
  /** The program. */
  readonly file: string;
  /** Folder of the libraries that it needs and some systems lack (NSS, NSPR, Expat). */
  readonly libraries: string;
}

const RECORD = 'unpacked.json';
const UNPACKING = '.unpacking-';
const STALE_MS = 60 * 60 * 1000;

/**
 * Unpacks the browser of an npm package into `folder`, once for each version. It is unpacked completely or not at all,
 * even if several servers share the folder. The package itself is only read.
 */
export async function unpackEngine(packageFolder: string, folder: string): Promise<UnpackedEngine> {
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const home = join(folder, `chromium-${version}`);
  const engine: UnpackedEngine = { file: join(home, 'chromium'), libraries: join(home, 'lib') };
  if (await isWhole(home)) {
    await letAllRead(home);
    return engine;
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await sweep(folder);
  const work = await mkdtemp(join(folder, UNPACKING));
  try {
    const { extract } = await import('tar-fs');
    const [program, libraries] = ['chromium.br', 'al2023.tar.br'].map((name) =>
      createReadStream(join(packageFolder, 'bin', name), { highWaterMark: 1 << 20 }),
    );
    if (program === undefined || libraries === undefined) return engine;
    const target = join(work, 'chromium');
    await Promise.all([
      pipeline(
        program,
        createBrotliDecompress({ chunkSize: 1 << 20 }),
        createWriteStream(target, { flags: 'wx', mode: 0o700 }),
      ),
      pipeline(libraries, createBrotliDecompress(), extract(work)),
    ]);
    await writeFile(join(work, RECORD), JSON.stringify({ size: (await stat(target)).size }));
    // The existing folder is damaged, or another server was faster.
    if (!(await isWhole(home))) {
      await rm(home, { recursive: true, force: true });
      await rename(work, home).catch(async (error: unknown) => {
        if (!(await isWhole(home))) throw error;
      });
    }
    await letAllRead(home);
    return engine;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function isWhole(home: string): Promise<boolean> {
  try {
    const [record, { size }] = await Promise.all([
      readFile(join(home, RECORD), 'utf8'),
      stat(join(home, 'chromium')),
      stat(join(home, 'lib', 'libnss3.so')),
    ]);
    return (JSON.parse(record) as { size: number }).size === size;
  } catch {
    return false;
  }
}

/** Removes folders that killed servers had started to unpack. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(UNPACKING)) continue;
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > STALE_MS) await rm(join(folder, name), { recursive: true, force: true });
  }
}
