import { copyFile, link, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { OfficePool } from './pool.js';

/**
 * Filters that read what the program would else take for something else: it shows pages of the web as none, and guesses
 * at tables in text, which are UTF-8 with commas here.
 */
const readers: Readonly<Record<string, string>> = {
  '.html': 'HTML (StarWriter)',
  '.htm': 'HTML (StarWriter)',
  '.xhtml': 'HTML (StarWriter)',
  '.csv': 'Text - txt - csv (StarCalc):44,34,76,1',
};
/** Names that are no option, address or pattern to the program. It shows them in headers and fields. */
const plainName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} _().-]{0,80}$/u;

/** How a document is read and written. */
export interface Conversion {
  /**
   * Extension under which the program sees the document, with its dot; it decides how it is read where no `reader`
   * does.
   */
  readonly suffix: string;
  /** Name of the program's filter that reads it. */
  readonly reader?: string;
  /** Extension of the result, and the name of the filter that writes it where the program is not to choose. */
  readonly writes: string;
  readonly writer?: string;
}

/**
 * Converts a document and moves what comes of it to `target`, in the same file system as `folder`, the run's private
 * folder. Rejects as `OfficePool.run` does; `check` is asked about the result before it is moved.
 */
export async function convertDocument(
  pool: OfficePool,
  input: string,
  target: string,
  folder: string,
  conversion: Conversion,
  signal: AbortSignal,
  check: (file: string) => Promise<void>,
): Promise<void> {
  const work = await mkdtemp(join(folder, '.office-'));
  try {
    const suffix = /^\.[A-Za-z0-9]{1,10}$/.exec(conversion.suffix)?.[0] ?? '';
    const name = basename(input, extname(input));
    const [document, out] = [join(work, `${plainName.test(name) ? name : 'document'}${suffix}`), join(work, 'out')];
    await Promise.all([link(input, document).catch(() => copyFile(input, document)), mkdir(out)]);
    const { reader = readers[suffix.toLowerCase()], writes, writer } = conversion;
    const args = [
      ...(reader === undefined ? [] : [`--infilter=${reader}`]),
      '--convert-to',
      writer === undefined ? writes : `${writes}:${writer}`,
      '--outdir',
      out,
      document,
    ];
    const result = await pool.run(
      args,
      async () => {
        const written = (await readdir(out)).find((file) => file.endsWith(`.${writes}`));
        return written === undefined ? undefined : join(out, written);
      },
      signal,
    );
    await check(result);
    await rename(result, target);
  } finally {
    await rm(work, { recursive: true, force: true, maxRetries: 3 });
  }
}
