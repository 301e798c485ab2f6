import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isQuireError, type Outbound } from '@quire/registry';
import { isTessdata } from '../functions/tessdata-names.js';

/** What became of a download. */
export interface LanguagesDownloaded {
  readonly downloaded: readonly string[];
  /** Language to what went wrong. */
  readonly failed: ReadonlyMap<string, string>;
}

/** The largest data there are have some 30 MB. */
const LARGEST = 128 * 1024 * 1024;
const TIMEOUT_MS = 300_000;
const HEAD = 4 + 64 * 8;

/** True when files can be put into the folder, or it can be made. */
export async function isWritableFolder(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    try {
      await access(at, constants.W_OK | constants.X_OK);
      return (await stat(at)).isDirectory();
    } catch (error) {
      // Only a folder that is not there yet is asked about by the one above it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || at === dirname(at)) return false;
    }
  }
}

/**
 * Gets `<address>/<language>.traineddata` for each language, one after the other, into the folder: whole and looked at,
 * or not at all. The names are safe (`isTessdataName`). Rejects with CANCELLED.
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
        { url, field: 'system.tessdataUrl', ofOperator: true, limits: { timeoutMs: TIMEOUT_MS, maxBytes: LARGEST } },
        part,
        signal,
      );
      const fault =
        status !== 200
          ? `the address answered ${status}`
          : (await looksRight(part, bytes))
            ? undefined
            : 'what was sent is no language data';
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
