import type { Readable } from 'node:stream';
import { InputError, OperationalError, isQuireError, type Logger } from '@quire/registry';
import { networkOf, type Throttle } from '../accounts/index.js';
import { type ServerSecret } from '../secrets/index.js';
import type { SteadyClock } from '../jobs/cluster/index.js';
import type { Store } from '../store/index.js';
import { ScanFiles } from './scan-files.js';
import type { ScanFile, ScanLimits, ScanSession, ScanUpload, SessionRecord } from './scan-model.js';
import { isScanName, isSessionId, mediaTypeOfName } from './scan-names.js';
import { ScanSessions } from './scan-sessions.js';

/** What the mobile scanner stands on. */
export interface MobileScannerDeps {
  readonly store: Pick<Store, 'records' | 'blobs' | 'kind'>;
  readonly secret: Pick<ServerSecret, 'digest'>;
  readonly steady: Pick<SteadyClock, 'now'>;
  /** Counts new sessions, and questions for sessions that there are not, address by address. */
  readonly throttle: Pick<Throttle, 'failed'>;
  readonly log: Logger;
  readonly limits: ScanLimits;
}

/** A file that is being sent. */
export interface FetchedScan {
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  readonly stream: Readable;
  /** To be called in the end; `sent`: the whole file went out. */
  release(sent: boolean): Promise<void>;
}

const SWEEP_MS = 300_000;

/** Sessions in which a phone leaves files for a desktop. Whoever knows a session's id may do everything with it. */
export class MobileScanner {
  readonly #sessions: ScanSessions;
  readonly #files: ScanFiles;
  #timer: NodeJS.Timeout | undefined;
  #sweep: Promise<void> = Promise.resolve();

  constructor(private readonly deps: MobileScannerDeps) {
    this.#sessions = new ScanSessions(deps);
    this.#files = new ScanFiles(deps.store, deps.steady);
  }

  /** Begins the sweep: once now, then every five minutes. */
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

  /** Begins a session afresh. Throws INPUT_INVALID for an id that is none, SCAN_SESSIONS_FULL. */
  async begin(id: string, address: string): Promise<ScanSession> {
    checkSessionId(id);
    await this.#slowDown(address);
    const { session, before } = await this.#sessions.begin(id, this.#networkOf(address));
    if (before !== undefined) await this.#files.remove(before.run);
    return shown(session);
  }

  /** A session, which lives on. Throws SCAN_SESSION_UNKNOWN. */
  async use(id: string, address: string): Promise<ScanSession> {
    const session = isSessionId(id) ? await this.#sessions.used(id) : undefined;
    if (session !== undefined) return shown(session);
    await this.#slowDown(address);
    throw new InputError('SCAN_SESSION_UNKNOWN');
  }

  /**
   * Whether an upload may come at all, and how many bytes its files may have. `least`: bytes that it says they have.
   * Throws INPUT_INVALID for an id that is none, and STORAGE_QUOTA and SCAN_SESSIONS_FULL for what cannot fit.
   */
  async admit(id: string, least: number): Promise<number> {
    checkSessionId(id);
    const session = await this.#sessions.living(id);
    const { files, bytes } = this.#sessions.room(session);
    if (files === 0 || least > bytes) throw this.#sessions.full(1, least, session ?? { files: 0, bytes: 0 });
    return Math.min(bytes, await this.#sessions.roomOfAll(least));
  }

  /**
   * Keeps files in a session, which begins where there is none: all of them or none; empty ones are left out. Throws
   * INPUT_INVALID, STORAGE_QUOTA, SCAN_SESSIONS_FULL, STORAGE_CONFLICT.
   */
  async add(id: string, address: string, uploads: readonly ScanUpload[]): Promise<void> {
    checkSessionId(id);
    const filled = uploads.filter(({ size }) => size > 0);
    const bytes = filled.reduce((sum, { size }) => sum + size, 0);
    const session = await this.#sessions.reserve(id, this.#networkOf(address), filled.length, bytes, () =>
      this.#slowDown(address),
    );
    try {
      await this.#files.keep(session, filled);
    } catch (error) {
      await this.#sessions.giveBack(session, filled.length, bytes).catch(() => undefined);
      throw error;
    }
    // Ended or begun afresh while the files arrived: that took away what came before it, and so these.
    if ((await this.#sessions.used(id))?.run !== session.run) await this.#files.remove(session.run);
  }

  /**
   * The files of a session, which lives on; none for an unknown one, whose questions are counted. Throws
   * SCAN_SESSIONS_FULL for too many of them.
   */
  async list(id: string, address: string): Promise<ScanFile[]> {
    const session = isSessionId(id) ? await this.#sessions.used(id) : undefined;
    if (session !== undefined)
      return (await this.#files.list(session.run)).map(({ name, size, contentType }) => ({ name, size, contentType }));
    await this.#slowDown(address);
    return [];
  }

  /**
   * Hands out a file. Once it was sent whole it is gone, and with the last one the session; who reads it at the same
   * moment gets it whole as well. Throws NOT_FOUND, also for a file that was fetched.
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

  /** Ends a session; an unknown one is ended already. */
  async end(id: string): Promise<void> {
    const session = isSessionId(id) ? await this.#sessions.records.get(id) : undefined;
    if (session === undefined || !(await this.#sessions.records.delete(id, { run: session.run }))) return;
    await this.#files.remove(session.run);
  }

  /** Removes sessions that nobody used for ten minutes, and what crashes left. May run on several servers at once. */
  async sweep(): Promise<void> {
    for (const { id, run, expiresAtMs } of await this.#sessions.over()) {
      // A long download outlives its session; a session that is used at this moment lives on.
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
        this.deps.log.warn({ err: error }, 'sessions of the mobile scanner are looked through again in five minutes'),
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
        detail: 'Your address began, or asked for, too many sessions within a minute',
        seconds: Number(error.data['seconds']),
      });
    }
  }
}

function checkSessionId(id: string): void {
  if (isSessionId(id)) return;
  const detail = 'has letters, digits and hyphens, at most 128';
  throw new InputError('INPUT_INVALID', { detail: `"sessionId" ${detail}` }, [{ pointer: '/sessionId', detail }]);
}

function shown({ createdAtMs, expiresAtMs }: SessionRecord): ScanSession {
  return { createdAt: createdAtMs, expiresAt: expiresAtMs };
}
