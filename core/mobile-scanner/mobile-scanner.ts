import type { Readable } from 'node:stream';
import { InputError, OperationalError, isQuireError, type Logger } from '@quire/registry';
import { networkOf, type Throttle } from '../accounts/index.js';
import type { ServerSecret } from '../secrets/index.js';
import type { SteadyClock } from '../jobs/cluster/index.js';
import type { Store } from '../store/index.js';
import { ScanFiles } from './scan-files.js';
import type { ScanFile, ScanLimits, ScanSession, ScanUpload, SessionRecord } from './scan-model.js';
import { isRandomId, isScanName, isSessionId, mediaTypeOfName } from './scan-names.js';
import { ScanSessions } from './scan-sessions.js';

export interface MobileScannerDeps {
  readonly store: Pick<Store, 'records' | 'blobs' | 'kind'>;
  readonly secret: Pick<ServerSecret, 'digest'>;
  readonly steady: Pick<SteadyClock, 'now'>;
  /** Counts new sessions and requests for unknown sessions, per address. */
  readonly throttle: Pick<Throttle, 'failed'>;
  readonly log: Logger;
  readonly limits: ScanLimits;
}

/** A file to send. */
export interface FetchedScan {
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  readonly stream: Readable;
  /** Must be called in the end; `sent` is true if the whole file was sent. */
  release(sent: boolean): Promise<void>;
}

const SWEEP_MS = 300_000;

/**
 * Sessions in which a phone uploads files for a desktop. Everybody who knows the id of a session may do everything with
 * it.
 */
export class MobileScanner {
  readonly #sessions: ScanSessions;
  readonly #files: ScanFiles;
  #timer: NodeJS.Timeout | undefined;
  #sweep: Promise<void> = Promise.resolve();

  constructor(private readonly deps: MobileScannerDeps) {
    this.#sessions = new ScanSessions(deps);
    this.#files = new ScanFiles(deps.store, deps.steady);
  }

  /** Starts the regular sweep: once now, then every five minutes. */
  start(): void {
    const alone = this.deps.store.kind === 'embedded';
    this.#tidy(async () => {
      if (alone) await this.#files.forgetReaders();
      await this.sweep();
    });
    this.#timer = setInterval(() => this.#tidy(() => this.sweep()), SWEEP_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweep;
  }

  /**
   * Creates a session; an existing one with this id is replaced. Throws INPUT_INVALID for an invalid id, and
   * SCAN_SESSIONS_FULL.
   */
  async begin(id: string, address: string): Promise<ScanSession> {
    checkSessionId(id);
    await this.#slowDown(address);
    const { session, before } = await this.#sessions.begin(id, this.#networkOf(address));
    if (before !== undefined) await this.#files.remove(before.run);
    return shown(session);
  }

  /** Returns a session and extends its life. Throws SCAN_SESSION_UNKNOWN. */
  async use(id: string, address: string): Promise<ScanSession> {
    const session = isSessionId(id) ? await this.#sessions.used(id) : undefined;
    if (session !== undefined) return shown(session);
    await this.#slowDown(address);
    throw new InputError('SCAN_SESSION_UNKNOWN');
  }

  /**
   * Checks whether an upload may start, and returns how many bytes its files may have. `least` is the number of bytes
   * that it announced; `mayBegin`: the upload may create the session. Throws INPUT_INVALID for an invalid id,
   * SCAN_SESSION_UNKNOWN, and STORAGE_QUOTA or SCAN_SESSIONS_FULL if the upload does not fit.
   */
  async admit(id: string, address: string, least: number, mayBegin: boolean): Promise<number> {
    checkSessionId(id);
    const session = await this.#sessions.living(id);
    if (session === undefined && !mayBegin) {
      await this.#slowDown(address);
      throw new InputError('SCAN_SESSION_UNKNOWN');
    }
    const { files, bytes } = this.#sessions.room(session);
    if (files === 0 || least > bytes) throw this.#sessions.full(1, least, session ?? { files: 0, bytes: 0 });
    return Math.min(bytes, await this.#sessions.roomFor(session?.network ?? this.#networkOf(address), least));
  }

  /**
   * Stores all files in a session, or none; empty files are left out. Creates the session if it does not exist and
   * `mayBegin` is true. Throws INPUT_INVALID, SCAN_SESSION_UNKNOWN, STORAGE_QUOTA, SCAN_SESSIONS_FULL,
   * STORAGE_CONFLICT.
   */
  async add(id: string, address: string, uploads: readonly ScanUpload[], mayBegin: boolean): Promise<void> {
    checkSessionId(id);
    const filled = uploads.filter(({ size }) => size > 0);
    const bytes = filled.reduce((sum, { size }) => sum + size, 0);
    const session = await this.#sessions.reserve(id, this.#networkOf(address), filled.length, bytes, async () => {
      await this.#slowDown(address);
      if (!mayBegin) throw new InputError('SCAN_SESSION_UNKNOWN');
    });
    try {
      await this.#files.keep(session, filled);
    } catch (error) {
      await this.#sessions.giveBack(session, filled.length, bytes).catch(() => undefined);
      throw error;
    }
    // The session was ended or replaced while the files arrived. That removed all earlier files, so remove these too.
    if ((await this.#sessions.used(id))?.run !== session.run) await this.#files.remove(session.run);
  }

  /**
   * Returns the files of a session and extends its life. The list of an unknown session is empty; such requests are
   * counted. Throws SCAN_SESSIONS_FULL for too many of them.
   */
  async list(id: string, address: string): Promise<ScanFile[]> {
    const session = isSessionId(id) ? await this.#sessions.used(id) : undefined;
    if (session !== undefined)
      return (await this.#files.list(session.run)).map(({ name, size, contentType }) => ({ name, size, contentType }));
    await this.#slowDown(address);
    return [];
  }

  /**
   * Opens a file for download. It is deleted after it was sent completely, and the session ends with its last file;
   * other downloads of the file at that time still get it whole. Throws NOT_FOUND, also for a file that was downloaded
   * before.
   */
  async fetch(id: string, name: string, address: string): Promise<FetchedScan> {
    const session = isSessionId(id) ? await this.#sessions.used(id) : undefined;
    const open = session !== undefined && isScanName(name) ? await this.#files.open(session.run, name) : undefined;
    if (open === undefined) {
      if (session === undefined) await this.#slowDown(address);
      throw new InputError('NOT_FOUND');
    }
    const { file, stream, close } = open;
    return {
      name: file.name,
      mediaType: mediaTypeOfName(file.name),
      size: file.size,
      stream,
      release: async (sent) => {
        stream.destroy();
        const gone = await close(sent);
        if (gone !== undefined && (await this.#sessions.fetched(gone.session, gone.run, gone.size)))
          await this.#files.remove(gone.run);
      },
    };
  }

  /** Ends a session; does nothing for an unknown one. */
  async end(id: string): Promise<void> {
    const session = isSessionId(id) ? await this.#sessions.records.get(id) : undefined;
    if (session === undefined || !(await this.#sessions.records.delete(id, { run: session.run }))) return;
    await this.#files.remove(session.run);
  }

  /**
   * Removes sessions that were not used for ten minutes, and what crashes left behind. May run on several servers at
   * once.
   */
  async sweep(): Promise<void> {
    for (const { id, run, expiresAtMs } of await this.#sessions.over()) {
      // A long download keeps its session; so does a use at this moment.
      if (!(await this.#files.isRead(run)) && (await this.#sessions.records.delete(id, { run, expiresAtMs })))
        await this.#files.remove(run);
    }
    for (const { session, run, size } of await this.#files.sweep(
      async (id, of) => (await this.#sessions.records.get(id))?.run === of,
    )) {
      if (await this.#sessions.fetched(session, run, size)) await this.#files.remove(run);
    }
  }

  #tidy(work: () => Promise<void>): void {
    this.#sweep = this.#sweep
      .then(work)
      .catch((error: unknown) =>
        this.deps.log.warn(
          { err: error },
          'the sweep of mobile scanner sessions failed and will be repeated in five minutes',
        ),
      );
  }

  #networkOf(address: string): string {
    return this.deps.secret.digest('mobile-scanner', networkOf(address));
  }

  async #slowDown(address: string): Promise<void> {
    try {
      await this.deps.throttle.failed(address);
    } catch (error) {
      if (!isQuireError(error) || error.code !== 'TOO_MANY_ATTEMPTS') throw error;
      throw new OperationalError('SCAN_SESSIONS_FULL', {
        detail: 'Your address created or requested too many sessions within a minute',
        seconds: Number(error.data['seconds']),
      });
    }
  }
}

function checkSessionId(id: string): void {
  if (isRandomId(id)) return;
  const detail = isSessionId(id)
    ? 'can be guessed; it must be random and have at least 128 bits: a UUID, 32 hexadecimal digits, or 22 letters ' +
      'and digits'
    : 'must consist of letters, digits and hyphens, at most 128 characters';
  throw new InputError('INPUT_INVALID', { detail: `"sessionId" ${detail}` }, [{ pointer: '/sessionId', detail }]);
}

function shown({ createdAtMs, expiresAtMs }: SessionRecord): ScanSession {
  return { createdAt: createdAtMs, expiresAt: expiresAtMs };
}
