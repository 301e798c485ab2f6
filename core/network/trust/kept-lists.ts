import { createHash } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperationalError, type Logger, type Outbound } from '@quire/registry';

/**
 * 30 s to read, as the contract has it; lists are the operator's choice, and larger than what certificates point to.
 */
const LIMITS = { timeoutMs: 30_000, maxBytes: 32 * 1024 * 1024, redirects: 5 } as const;

/** Lists as they were downloaded last, for starts without a network. */
export class KeptLists {
  #downloads = 0;

  constructor(
    private readonly folder: string,
    private readonly outbound: Outbound,
    private readonly log: Logger,
  ) {}

  /**
   * Downloads a list and reads it. Only what could be read is kept; where that fails, what was kept of an earlier start
   * is read instead, which is logged with its age. Rejects with what went wrong when there is neither.
   */
  async get<T>(source: string, url: string, read: (path: string) => Promise<T>, signal: AbortSignal): Promise<T> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const kept = join(this.folder, `${createHash('sha256').update(url).digest('hex').slice(0, 40)}.list`);
    const fresh = `${kept}.${process.pid}-${this.#downloads++}`;
    try {
      const { status } = await this.outbound.download(
        { url, field: `security.validation.${source}`, remote: 'The server of the trust list', limits: LIMITS },
        fresh,
        signal,
      );
      if (status !== 200)
        throw new OperationalError('REMOTE_ANSWER', {
          remote: 'The server of the trust list',
          detail: `with status ${status}`,
        });
      const value = await read(fresh);
      await rename(fresh, kept);
      return value;
    } catch (error) {
      signal.throwIfAborted();
      const since = await stat(kept).then(
        ({ mtime }) => mtime,
        () => undefined,
      );
      if (since === undefined) throw error;
      const value = await read(kept).catch(() => Promise.reject(error));
      const days = Math.floor((Date.now() - since.getTime()) / 86_400_000);
      this.log.warn(
        { source, url, err: error, downloadedAt: since.toISOString(), ageInDays: days },
        `a trust list could not be refreshed; the one of ${days} days ago is used`,
      );
      return value;
    } finally {
      await rm(fresh, { force: true });
    }
  }
}
