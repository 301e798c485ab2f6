import { randomUUID } from 'node:crypto';
import { InputError, OperationalError } from '@quire/registry';
import type { SteadyClock } from '../jobs/cluster/index.js';
import { isDuplicateRecord, type Records, type Store } from '../store/index.js';
import { SESSION_MS, type ScanLimits, type SessionRecord } from './scan-model.js';

export interface ScanSessionsDeps {
  readonly store: Pick<Store, 'records'>;
  /** The store's time. */
  readonly steady: Pick<SteadyClock, 'now'>;
  readonly limits: ScanLimits;
}

const TRIES = 5;
/** Seconds after which a place may be free. */
const SOON_S = 60;

/**
 * Sessions and their limits. Every change is one atomic update of one record, so the limits hold for any number of
 * servers.
 */
export class ScanSessions {
  readonly records: Records<SessionRecord>;

  constructor(private readonly deps: ScanSessionsDeps) {
    this.records = deps.store.records<SessionRecord>('scan_sessions', { keys: ['network', 'expiresAtMs'] });
  }

  /** Returns the session if it exists and has not expired. */
  async living(id: string): Promise<SessionRecord | undefined> {
    const found = await this.records.get(id);
    return found !== undefined && found.expiresAtMs > this.#now() ? found : undefined;
  }

  /**
   * Extends the session by ten minutes from now and returns it; undefined for one that does not exist or has expired.
   */
  async used(id: string): Promise<SessionRecord | undefined> {
    const found = await this.living(id);
    return found === undefined
      ? undefined
      : this.records.update(id, { set: { expiresAtMs: this.#now() + SESSION_MS } }, { run: found.run });
  }

  /** Creates a session, replacing any with this id; `before` is the replaced one. Throws SCAN_SESSIONS_FULL. */
  async begin(
    id: string,
    network: string,
  ): Promise<{ readonly session: SessionRecord; readonly before: SessionRecord | undefined }> {
    const before = await this.records.get(id);
    const session = await this.records.put(this.#new(id, network));
    await this.#withinBounds(session);
    return { session, before };
  }

  /**
   * Reserves space for files that will be stored; creates the session if it does not exist. Call `giveBack` if they are
   * not stored. Throws STORAGE_QUOTA when the session is full, and SCAN_SESSIONS_FULL when the server is. `began` is
   * called before a new session is created and may throw to refuse it.
   */
  async reserve(
    id: string,
    network: string,
    files: number,
    bytes: number,
    began: () => Promise<void>,
  ): Promise<SessionRecord> {
    const { filesPerSession, sessionBytes, totalBytes, addressBytes } = this.deps.limits;
    if (files > filesPerSession || bytes > sessionBytes) throw this.full(files, bytes, { files: 0, bytes: 0 });
    for (let tries = 0; tries < TRIES; tries += 1) {
      const found = (await this.living(id)) ?? (await this.#replaceOver(id, network, began));
      if (found === undefined) continue;
      const taken = await this.records.update(
        id,
        { inc: { files, bytes }, set: { expiresAtMs: this.#now() + SESSION_MS } },
        { run: found.run },
        { atMost: { files: filesPerSession - files, bytes: sessionBytes - bytes } },
      );
      if (taken === undefined) {
        const now = await this.living(id);
        if (now?.run === found.run && (now.files + files > filesPerSession || now.bytes + bytes > sessionBytes))
          throw this.full(files, bytes, now);
        continue;
      }
      const [ofAll, ofAddress] = [await this.#bytesOf(), await this.#bytesOf(taken.network)];
      if (ofAll <= totalBytes && ofAddress <= addressBytes) return taken;
      await this.giveBack(taken, files, bytes);
      throw ofAddress > addressBytes ? this.#addressFull() : this.#allFull();
    }
    throw new InputError('STORAGE_CONFLICT', {
      detail: 'The session was restarted repeatedly during the upload; try again',
    });
  }

  /** Frees reserved space; does nothing if the session has ended. */
  async giveBack({ id, run }: Pick<SessionRecord, 'id' | 'run'>, files: number, bytes: number): Promise<void> {
    await this.records.update(id, { inc: { files: -files, bytes: -bytes } }, { run });
  }

  /** Records that a file was downloaded; returns true when it was the last one and this ended the session. */
  async fetched(id: string, run: string, bytes: number): Promise<boolean> {
    const after = await this.records.update(id, { inc: { fetched: 1, bytes: -bytes } }, { run });
    // Delete only if the counts are unchanged: a file that arrives at this moment keeps the session.
    return (
      after !== undefined &&
      after.fetched >= after.files &&
      this.records.delete(id, { run, files: after.files, fetched: after.fetched })
    );
  }

  /** Returns expired sessions, a thousand at most. */
  over(): Promise<SessionRecord[]> {
    return this.records.find({}, { atMost: { expiresAtMs: this.#now() }, limit: 1000 });
  }

  /** Returns how many files and bytes the session can still store. */
  room(session: Pick<SessionRecord, 'files' | 'bytes'> = { files: 0, bytes: 0 }): {
    readonly files: number;
    readonly bytes: number;
  } {
    const { filesPerSession, sessionBytes } = this.deps.limits;
    return { files: Math.max(0, filesPerSession - session.files), bytes: Math.max(0, sessionBytes - session.bytes) };
  }

  /**
   * Returns how many bytes all sessions together, and those begun from this network, can still store. Throws
   * SCAN_SESSIONS_FULL if that is less than `least` or nothing.
   */
  async roomFor(network: string, least: number): Promise<number> {
    const { totalBytes, addressBytes } = this.deps.limits;
    const ofAll = totalBytes - (await this.#bytesOf());
    if (ofAll < Math.max(1, least)) throw this.#allFull();
    const ofAddress = addressBytes - (await this.#bytesOf(network));
    if (ofAddress < Math.max(1, least)) throw this.#addressFull();
    return Math.min(ofAll, ofAddress);
  }

  /** Returns the error for files that do not fit into a session. */
  full(files: number, bytes: number, session: Pick<SessionRecord, 'files' | 'bytes'>): InputError {
    const { filesPerSession, sessionBytes } = this.deps.limits;
    const detail =
      session.files + files > filesPerSession
        ? `the session has ${session.files} of at most ${filesPerSession} files (limits.mobileScanner.filesPerSession)`
        : `the files waiting in the session use ${session.bytes} of at most ${sessionBytes} bytes ` +
          '(limits.mobileScanner.sessionSize)';
    return new InputError('STORAGE_QUOTA', { found: bytes, detail });
  }

  /** Creates a session if none exists; undefined if another call was quicker. */
  async #replaceOver(id: string, network: string, began: () => Promise<void>): Promise<SessionRecord | undefined> {
    await began();
    const over = await this.records.get(id);
    if (
      over !== undefined &&
      (over.expiresAtMs > this.#now() ||
        !(await this.records.delete(id, { run: over.run, expiresAtMs: over.expiresAtMs })))
    )
      return undefined;
    try {
      const session = await this.records.insert(this.#new(id, network));
      await this.#withinBounds(session);
      return session;
    } catch (error) {
      if (isDuplicateRecord(error)) return undefined;
      throw error;
    }
  }

  /**
   * Deletes the new session again if it exceeds a limit. Sessions are counted after the insert, so that no two calls
   * get the last place.
   */
  async #withinBounds({ id, run, network }: SessionRecord): Promise<void> {
    const { sessions, sessionsPerAddress } = this.deps.limits;
    const now = this.#now();
    const living = async (where: { readonly network?: string }): Promise<number> =>
      (await this.records.count(where)) - (await this.records.count(where, { atMost: { expiresAtMs: now } }));
    const [ofAddress, all] = [await living({ network }), await living({})];
    if (ofAddress <= sessionsPerAddress && all <= sessions) return;
    await this.records.delete(id, { run });
    const [limit, whose, setting] =
      ofAddress > sessionsPerAddress
        ? [sessionsPerAddress, 'Your address has', 'sessionsPerAddress']
        : [sessions, 'The server has', 'sessions'];
    throw new OperationalError('SCAN_SESSIONS_FULL', {
      detail: `${whose} ${limit} open sessions already (limits.mobileScanner.${setting})`,
      seconds: SOON_S,
    });
  }

  #allFull(): OperationalError {
    return new OperationalError('SCAN_SESSIONS_FULL', {
      detail:
        `All sessions together use the limit of ${this.deps.limits.totalBytes} bytes ` +
        '(limits.mobileScanner.totalSize)',
      seconds: SOON_S,
    });
  }

  #addressFull(): OperationalError {
    return new OperationalError('SCAN_SESSIONS_FULL', {
      detail:
        `The sessions that were begun from one address use their limit of ${this.deps.limits.addressBytes} bytes ` +
        '(limits.mobileScanner.addressSize)',
      seconds: SOON_S,
    });
  }

  async #bytesOf(network?: string): Promise<number> {
    const sessions = await this.records.find(network === undefined ? {} : { network });
    return sessions.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #new(id: string, network: string): SessionRecord {
    const now = this.#now();
    return {
      id,
      run: randomUUID(),
      network,
      createdAtMs: now,
      expiresAtMs: now + SESSION_MS,
      files: 0,
      fetched: 0,
      bytes: 0,
    };
  }

  #now(): number {
    return Math.floor(this.deps.steady.now());
  }
}
