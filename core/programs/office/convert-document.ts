import { copyFile, link, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OfficePool } from './pool.js';

/** How a document is read and written. */
export interface Conversion {
  /** Extension under which the program sees the document, with its dot; it decides how it is read where no `reader` does. */
  readonly suffix: string;
  /** Name of the program's filter that reads it. */
  readonly reader?: string;
  /** Extension of the result, and the name of the filter that writes it where the program is not to choose. */
  readonly writes: string;
  readonly writer?: string;
}

/**
 * Converts a document and moves what comes of it to `target`, in the same file system as `folder`, the run's private folder. Rejects as `OfficePool.run`
 * does; `check` is asked about the result before it is moved.
 */
export async function convertDocument(pool: OfficePool, input: string, target: string, folder: string, conversion: Conversion, signal: AbortSignal, check: (file: string) => Promise<void>): Promise<void> {
  const work = await mkdtemp(join(folder, '.office-'));
  try {
    // A plain name: the program must never take the client's for an option or an address.
    const suffix = /^\.[A-Za-z0-9]{1,10}$/.exec(conversion.suffix)?.[0] ?? '';
    const [document, out] = [join(work, `document${suffix}`), join(work, 'out')];
    await Promise.all([link(input, document).catch(() => copyFile(input, document)), mkdir(out)]);
    const { reader, writes, writer } = conversion;
    const args = [...(reader === undefined ? [] : [`--infilter=${reader}`]), '--convert-to', writer === undefined ? writes : `${writes}:${writer}`, '--outdir', out, document];
    const result = await pool.run(args, async () => {
      const name = (await readdir(out)).find((file) => file.endsWith(`.${writes}`));
      return name === undefined ? undefined : join(out, name);
    }, signal);
    await check(result);
    await rename(result, target);
  } finally {
    await rm(work, { recursive: true, force: true, maxRetries: 3 });
  }
}
