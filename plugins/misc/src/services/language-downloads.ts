import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isQuireError, type Outbound } from '@quire/registry';
import { isTessdata } from '../functions/tessdata-names.js';

export interface LanguagesDownloaded {
  readonly downloaded: readonly string[];
  /** Language to the reason of the failure. */
  readonly failed: ReadonlyMap<string, string>;
}

/** Maximum size in bytes; the largest existing data files have about 30 MB. */
const MAX_FILE_BYTES = 128 * 1024 * 1024;
const TIMEOUT_MS = 300_000;
const HEAD = 4 + 64 * 8;

/** True if files can be written to the folder, or the folder can be created. */
export async function isWritableFolder(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    try {
      await access(at, constants.W_OK | constants.X_OK);
      return (await stat(at)).isDirectory();
    } catch (error) {
      // Only for a missing folder does the parent's permission matter.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || at === dirname(at)) return false;
    }
  }
}

/**
 * Downloads `<address>/<language>.traineddata` for each language, one after another, into the folder; each file is
 * either complete and checked, or absent. The names must be valid (`isTessdataName`). Rejects with CANCELLED.
 */
export async function downloadLanguages({
  languages,
  address,
  folder,
  outbound,
  signal,
}: {
  readonly languages: readonly string[];
  readonly address: string;
  readonly folder: string;
  readonly outbound: Pick<Outbound, 'download'>;
  readonly signal: AbortSignal;
}): Promise<LanguagesDownloaded> {
  const downloaded: string[] = [];
  const failed = new Map<string, string>();
  await mkdir(folder, { recursive: true });
  for (const language of languages) {
    const part = join(folder, `.${language}.${randomBytes(6).toString('hex')}.part`);
    try {
      const url = `${address.replace(/\/+$/, '')}/${language}.traineddata`;
      const { status, bytes } = await outbound.download(
        {
          url,
          field: 'system.tessdataUrl',
          ofOperator: true,
          limits: { timeoutMs: TIMEOUT_MS, maxBytes: MAX_FILE_BYTES },
        },
        part,
        signal,
      );
      const fault =
        status !== 200
          ? `the server responded with ${status}`
          : (await looksRight(part, bytes))
            ? undefined
            : 'the response is not language data';
      if (fault === undefined) {
        await rename(part, join(folder, `${language}.traineddata`));
        downloaded.push(language);
      } else failed.set(language, fault);
    } catch (error) {
      if (signal.aborted || !isQuireError(error)) throw error;
      failed.set(language, error.message);
    } finally {
      await rm(part, { force: true });
    }
  }
  return { downloaded, failed };
}

async function looksRight(path: string, size: number): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    if (!isTessdata(buffer.subarray(0, bytesRead), size)) return false;
    await file.sync();
    return true;
  } finally {
    await file.close();
  }
}
