import { rm } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { OfficePool } from './pool.js';

/** Columns of a table in text, all of which are read as text: `1/2/2/2` and so on, without which 007 becomes 7. */
const textColumns = Array.from({ length: 1024 }, (_, index) => `${index + 1}/2`).join('/');

/**
 * Filters for files that the program would otherwise read as something else: it renders web pages differently, and
 * guesses at tables in text files, which are UTF-8 with commas here.
 */
const readers: Readonly<Record<string, string>> = {
  '.html': 'HTML (StarWriter)',
  '.htm': 'HTML (StarWriter)',
  '.xhtml': 'HTML (StarWriter)',
  '.csv': `Text - txt - csv (StarCalc):44,34,76,1,${textColumns},0,true,false`,
};
/** Names that the program does not read as an option, address or pattern. It shows them in headers and fields. */
const plainName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} _().-]{0,80}$/u;

/** How a document is read and written. */
export interface Conversion {
  /**
   * Extension under which the program sees the document, with its dot; it decides how the file is read if there is no
   * `reader`.
   */
  readonly suffix: string;
  /** Name of the program's filter that reads it. */
  readonly reader?: string;
  /** Extension of the result, and the name of the filter that writes it where the program must not choose. */
  readonly writes: string;
  readonly writer?: string;
}

/**
 * Converts a document and moves the result to `target`. Rejects as `OfficePool.run` does; `check` is called for the
 * result, which is removed when it rejects.
 */
export async function convertDocument(
  pool: OfficePool,
  input: string,
  target: string,
  conversion: Conversion,
  signal: AbortSignal,
  check: (file: string) => Promise<void>,
): Promise<void> {
  const suffix = /^\.[A-Za-z0-9]{1,10}$/.exec(conversion.suffix)?.[0] ?? '';
  const name = basename(input, extname(input));
  const { reader = readers[suffix.toLowerCase()], writes, writer } = conversion;
  await pool.run(
    {
      place: async (folder, root) => [
        ...(reader === undefined ? [] : [`--infilter=${reader}`]),
        '--convert-to',
        writer === undefined ? writes : `${writes}:${writer}`,
        '--outdir',
        folder.output,
        await folder.add(root, input, `${plainName.test(name) ? name : 'document'}${suffix}`),
      ],
      takeOut: (folder, root) => folder.takeOut(root, `.${writes}`, target),
    },
    signal,
  );
  await check(target).catch(async (error: unknown) => {
    await rm(target, { force: true });
    throw error;
  });
}
