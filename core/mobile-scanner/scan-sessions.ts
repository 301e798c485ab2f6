import { randomUUID } from 'node:crypto';
import { InputError, OperationalError } from '@quire/registry';
import type { SteadyClock } from '../jobs/cluster/index.js';
import { isDuplicateRecord, type Records, type Store } from '../store/index.js';
import { SESSION_MS, type ScanLimits, type SessionRecord } from './scan-model.js';

/** What sessions stand on. */
export interface ScanSessionsDeps {
  readonly store: Pick<Store, 'records'>;
  /** The store's time. */
  readonly steady: Pick<SteadyClock, 'now'>;
  readonly limits: ScanLimits;
}

const TRIES = 5;
/** When a place may have become free, s. */
const SOON_S = 60;

/**
 * Sessions and what may be kept in them. Every change is one atomic step on one record, so bounds hold for any number
 * of servers.
 */
export class ScanSessions {
  readonly records: Records<SessionRecord>;

  constructor(private readonly deps: ScanSessionsDeps) {
    this.records = deps.store.records<SessionRecord>('scan_sessions', { keys: ['network', 'expiresAtMs'] });
  }

  /** The session while it lives. */
  async living(id: string): Promise<SessionRecord | undefined> {
    const found = await this.records.get(id);
    return found !== undefined && found.expiresAtMs > this.#now() ? found : undefined;
  }

  /** The session, which lives on for ten minutes from now; undefined for one that is over. */
  async used(id: string): Promise<SessionRecord | undefined> {
    const found = await this.living(id);
    return found === undefined
      ? undefined
      : this.records.update(id, { set: { expiresAtMs: this.#now() + SESSION_MS } }, { run: found.run });
  }

  /**
   * Begins a session afresh, whatever there was under the id. Gives what it took the place of. Throws
   * SCAN_SESSIONS_FULL.
   */
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
   * Takes room for files that are about to be kept; in a new session where there is none. Give it back with `giveBack`
   * when they are not kept. Throws STORAGE_QUOTA where the session has no room, SCAN_SESSIONS_FULL where the server has
   * none. `began`: a new session was needed, before it is made; throws to refuse.
   */
  async reserve(
    id: string,
    network: string,
    files: number,
    bytes: number,
    began: () => Promise<void>,
  ): Promise<SessionRecord> {
    const { filesPerSession, sessionBytes, totalBytes } = this.deps.limits;
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
      if ((await this.#bytesOfAll()) <= totalBytes) return taken;
      await this.giveBack(taken, files, bytes);
      throw this.#allFull();
    }
    throw new InputError('STORAGE_CONFLICT', { detail: 'The session is being restarted all the time' });
  }

  /** Gives room back. Resolves also where the session is over. */
  async giveBack({ id, run }: Pick<SessionRecord, 'id' | 'run'>, files: number, bytes: number): Promise<void> {
    await this.records.update(id, { inc: { files: -files, bytes: -bytes } }, { run });
  }

  /** Notes that a file was fetched; true when it was the last one and the session is over for it. */
  async fetched(id: string, run: string, bytes: number): Promise<boolean> {
    const after = await this.records.update(id, { inc: { fetched: 1, bytes: -bytes } }, { run });
    // Only as it was counted: a file that arrives at this moment keeps the session.
    return (
      after !== undefined &&
      after.fetched >= after.files &&
      this.records.delete(id, { run, files: after.files, fetched: after.fetched })
    );
  }

  /** What is over, a thousand at most. */
  over(): Promise<SessionRecord[]> {
    return this.records.find({}, { atMost: { expiresAtMs: this.#now() }, limit: 1000 });
  }

  /** Bytes that the session still takes, and files. */
  room(session: Pick<SessionRecord, 'files' | 'bytes'> = { files: 0, bytes: 0 }): {
    readonly files: number;
    readonly bytes: number;
  } {
    const { filesPerSession, sessionBytes } = this.deps.limits;
    return { files: Math.max(0, filesPerSession - session.files), bytes: Math.max(0, sessionBytes - session.bytes) };
  }

  /** Bytes that all sessions together still take. Throws SCAN_SESSIONS_FULL for less than `least`, and for none. */
  async roomOfAll(least: number): Promise<number> {
    const room = this.deps.limits.totalBytes - (await this.#bytesOfAll());
    if (room < Math.max(1, least)) throw this.#allFull();
    return room;
  }

  /** The refusal of files that do not fit into a session. */
  full(files: number, bytes: number, session: Pick<SessionRecord, 'files' | 'bytes'>): InputError {
    const { filesPerSession, sessionBytes } = this.deps.limits;
    const detail =
      session.files + files > filesPerSession
        ? `a session takes ${filesPerSession} files (limits.mobileScanner.filesPerSession) and has ${session.files}`
        : `the files that wait in a session may take ${sessionBytes} bytes (limits.mobileScanner.sessionSize), ` +
          `and ${session.bytes} are taken`;
    return new InputError('STORAGE_QUOTA', { found: bytes, detail });
  }

  /** A new session where there is none that lives; undefined where another call was quicker. */
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

  /** Takes a session away again that was one too many. Counted when it is there, so that no two pass the last place. */
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
      detail: `${whose} ${limit} sessions open already (limits.mobileScanner.${setting})`,
      seconds: SOON_S,
    });
  }

  #allFull(): OperationalError {
    return new OperationalError('SCAN_SESSIONS_FULL', {
      detail: `All sessions together hold ${this.deps.limits.totalBytes} bytes (limits.mobileScanner.totalSize)`,
      seconds: SOON_S,
    });
  }

  async #bytesOfAll(): Promise<number> {
    return (await this.records.find()).reduce((sum, { bytes }) => sum + bytes, 0);
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
