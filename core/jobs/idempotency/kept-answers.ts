import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { InputError, OperationalError, type Logger } from '@quire/registry';
import type { ServerSecret } from '../../secrets/index.js';
import type { SteadyClock } from '../cluster/index.js';
import { isDuplicateRecord, type Blobs, type Records, type Store } from '../../store/index.js';
import type { AnswerRecord, KeptBody, KeptHead } from './answer-record.js';

/** The settings under `idempotency`. */
export interface IdempotencySettings {
  readonly keepMs: number;
  /** The time for calls that became jobs, ms. */
  readonly keepJobMs: number;
  /** Limit for one answer; `maxTotalBytes` is the limit for all together. */
  readonly maxAnswerBytes: number;
  readonly maxTotalBytes: number;
  readonly maxKeysPerCaller: number;
}

export interface KeptAnswersDeps {
  readonly store: Pick<Store, 'records' | 'blobs' | 'kind'>;
  readonly secret: ServerSecret;
  /** The store's time. */
  readonly steady: SteadyClock;
  readonly log: Logger;
  readonly settings: IdempotencySettings;
  /** How long the claim of a server that died blocks others, ms; default 30 s. */
  readonly leaseMs?: number;
}

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  /** The user's id; '' for all callers while login is off. */
  readonly caller: string;
  /** The path of the URL, without the query. */
  readonly path: string;
  readonly key: string;
  /** `fingerprintText` of the request's content. */
  readonly fingerprint: string;
}

/** The right to process the first call with a key. */
export interface Claim {
  /** Random part of the id of a job that is created for the call. */
  readonly uuid: string;
  /**
   * Keeps the answer for repeated calls. `bytes` is the absolute path of a file, or a stream. Never rejects: if an
   * answer cannot be kept, a repeated call is processed again.
   */
  keep(head: KeptHead, options?: { readonly bytes?: string | Readable; readonly job?: boolean }): Promise<void>;
  /** Forgets the key: a repeated call is processed again. Never rejects. */
  drop(): Promise<void>;
}

/** The answer for a repeated call. */
export interface KeptAnswer {
  readonly head: KeptHead;
  /** The bytes in the blob, if any; the caller must read or destroy the stream. */
  readonly body?: Readable;
}

/** The fields that `#remove` needs. */
type Removable = Pick<AnswerRecord, 'id' | 'state' | 'holder' | 'createdAtMs' | 'blobId'>;

const LEASE_MS = 30_000;
const SWEEP_MS = 600_000;
/** Age from which a blob that no record names was certainly left by a server that died, ms. */
const ORPHAN_MS = 3_600_000;
const BATCH = 500;
const PURPOSE = 'idempotency';

/**
 * Keeps the answers of calls with an Idempotency-Key, so that a repeated call gets the first answer and has no effect.
 * They are in the store, so every server on it knows them. A call whose server died is processed again only when it is
 * repeated.
 */
export class KeptAnswers {
  readonly #records: Records<AnswerRecord>;
  readonly #blobs: Blobs;
  readonly #timers = new Set<NodeJS.Timeout>();
  #sweeper: NodeJS.Timeout | undefined;
  #bytesSinceTrim = Infinity;

  constructor(private readonly deps: KeptAnswersDeps) {
    this.#records = deps.store.records<AnswerRecord>('kept_answers', {
      keys: ['caller', 'state', 'expiresAtMs', 'createdAtMs'],
    });
    this.#blobs = deps.store.blobs.area('answers');
  }

  /** Largest answer that is kept, bytes. */
  get maxAnswerBytes(): number {
    return this.deps.settings.maxAnswerBytes;
  }

  /** Starts the regular sweep. On an embedded store it also releases the claims of the previous process. */
  async start(): Promise<void> {
    if (this.deps.store.kind === 'embedded')
      for (const { id } of await this.#records.find({ state: 'working' }))
        await this.#records.update(id, { set: { holder: '', untilMs: 0 } }, { state: 'working' });
    this.#sweeper = setInterval(
      () =>
        void this.sweep().catch((error: unknown) =>
          this.deps.log.debug({ error: String(error) }, 'the sweep of kept answers failed and will be repeated'),
        ),
      SWEEP_MS,
    ).unref();
  }

  stop(): void {
    clearInterval(this.#sweeper);
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers.clear();
  }

  /**
   * Returns the kept answer for a repeated call, or a claim for the first call. Rejects with IDEMPOTENCY_KEY_REUSED if
   * the key was used for another request, with IDEMPOTENCY_IN_PROGRESS while the first call is being processed, and
   * with STORE_DOWN.
   */
  async enter({
    caller,
    path,
    key,
    fingerprint,
  }: KeyedRequest): Promise<{ readonly claim: Claim } | { readonly kept: KeptAnswer }> {
    const { secret, steady } = this.deps;
    const id = secret.digest(PURPOSE, JSON.stringify([caller, path, key]));
    const print = secret.digest(PURPOSE, fingerprint);
    for (;;) {
      const now = steady.now();
      const found = await this.#records.get(id);
      if (found === undefined) {
        const claim = await this.#first(id, caller, print, now);
        if (claim !== undefined) return { claim };
        continue;
      }
      if (found.expiresAtMs <= now && found.untilMs <= now) {
        await this.#remove(found);
        continue;
      }
      if (found.fingerprint !== print) throw new InputError('IDEMPOTENCY_KEY_REUSED');
      if (found.state === 'working') {
        if (found.untilMs > now) throw new InputError('IDEMPOTENCY_IN_PROGRESS', { seconds: 1 });
        const holder = randomUUID();
        const taken = await this.#records.update(
          id,
          { set: { holder, untilMs: now + this.#leaseMs } },
          { state: 'working', holder: found.holder, untilMs: found.untilMs },
        );
        if (taken !== undefined) return { claim: this.#claim(taken) };
        continue;
      }
      const kept = await this.#open(found);
      if (kept !== undefined) return { kept };
      await this.#remove(found);
    }
  }

  /** Removes expired answers, and the oldest ones if all together exceed `maxTotalBytes`. */
  async sweep(): Promise<void> {
    const now = this.deps.steady.now();
    for (;;) {
      const over = (await this.#records.find({}, { atMost: { expiresAtMs: now }, limit: BATCH })).filter(
        ({ untilMs }) => untilMs <= now,
      );
      for (const record of over) await this.#remove(record);
      if (over.length < BATCH) break;
    }
    await this.#trim();
    await this.#blobs.sweepUnfinished(ORPHAN_MS);
    const old: string[] = [];
    for await (const blob of this.#blobs.list())
      if (blob.modifiedAt.getTime() < Date.now() - ORPHAN_MS) old.push(blob.id);
    if (old.length === 0) return;
    const named = new Set<string | null>();
    for await (const { blobId } of this.#kept()) named.add(blobId);
    for (const id of old) if (!named.has(id)) await this.#blobs.delete(id);
  }

  get #leaseMs(): number {
    return this.deps.leaseMs ?? LEASE_MS;
  }

  async #first(id: string, caller: string, fingerprint: string, now: number): Promise<Claim | undefined> {
    await this.#makeRoom(caller);
    const record: AnswerRecord = {
      id,
      caller,
      fingerprint,
      state: 'working',
      uuid: randomUUID(),
      holder: randomUUID(),
      untilMs: now + this.#leaseMs,
      createdAtMs: now,
      expiresAtMs: now + this.deps.settings.keepJobMs,
      head: null,
      blobId: null,
      bytes: 0,
    };
    try {
      await this.#records.insert(record);
    } catch (error) {
      if (isDuplicateRecord(error)) return undefined;
      throw error;
    }
    return this.#claim(record);
  }

  #claim({ id, uuid, holder }: AnswerRecord): Claim {
    const mine = { state: 'working', holder } as const;
    // While the store is unreachable the claim may expire; the answer is then still kept, unless another server took
    // over.
    const timer = setInterval(
      () =>
        void this.#records
          .update(id, { set: { untilMs: this.deps.steady.now() + this.#leaseMs } }, mine)
          .catch(() => undefined),
      this.#leaseMs / 3,
    ).unref();
    this.#timers.add(timer);
    const over = (): void => {
      clearInterval(timer);
      this.#timers.delete(timer);
    };
    const drop = async (): Promise<void> => {
      over();
      await this.#records.delete(id, mine).catch(() => undefined);
    };
    return {
      uuid,
      drop,
      keep: async (head, { bytes, job = false } = {}) => {
        try {
          // The claim is held until the last byte is written: a call that is repeated meanwhile must not do the work
          // again.
          await this.#keep(id, mine, head, bytes, job);
          over();
        } catch (error) {
          this.deps.log.warn({ error: String(error) }, 'an answer could not be kept for repeated calls');
          await drop();
        }
      },
    };
  }

  async #keep(
    id: string,
    mine: { readonly state: 'working'; readonly holder: string },
    head: KeptHead,
    bytes: string | Readable | undefined,
    job: boolean,
  ): Promise<void> {
    const { secret, steady, settings } = this.deps;
    const blob = bytes === undefined ? undefined : await this.#blobs.put(bytes);
    const fields = {
      state: 'kept' as const,
      holder: '',
      untilMs: 0,
      head: secret.seal(PURPOSE, id, head),
      blobId: blob?.id ?? null,
      bytes: blob?.size ?? 0,
      expiresAtMs: steady.now() + (job ? settings.keepJobMs : settings.keepMs),
    };
    const written = await this.#records.update(id, { set: fields }, mine).catch(async (error: unknown) => {
      if (blob !== undefined) await this.#blobs.delete(blob.id).catch(() => undefined);
      throw error;
    });
    if (written === undefined && blob !== undefined) await this.#blobs.delete(blob.id);
    this.#bytesSinceTrim += blob?.size ?? 0;
    if (this.#bytesSinceTrim > settings.maxTotalBytes / 16) await this.#trim();
  }

  async #open({ id, head: sealed, blobId }: AnswerRecord): Promise<KeptAnswer | undefined> {
    let head: KeptHead;
    try {
      head = this.deps.secret.open(PURPOSE, id, sealed ?? '') as KeptHead;
    } catch {
      return undefined;
    }
    if (blobId === null) return { head };
    const body = (await this.#blobs.get(blobId))?.stream;
    return body === undefined ? undefined : { head, body };
  }

  /** Removes the caller's oldest answers to allow a new key; never those of other callers. */
  async #makeRoom(caller: string): Promise<void> {
    const most = this.deps.settings.maxKeysPerCaller;
    const excess = (await this.#records.count({ caller })) - most + 1;
    if (excess <= 0) return;
    const oldest = await this.#records.find(
      { caller, state: 'kept' },
      { sort: [{ field: 'createdAtMs', order: 'ascending' }], limit: excess },
    );
    for (const record of oldest) await this.#remove(record);
    if (oldest.length < excess) throw new OperationalError('QUEUE_FULL', { seconds: 5 });
  }

  async #trim(): Promise<void> {
    this.#bytesSinceTrim = 0;
    let sum = 0;
    const over: Removable[] = [];
    for await (const { id, state, holder, createdAtMs, blobId, bytes } of this.#kept()) {
      if (bytes === 0) continue;
      if (sum + bytes > this.deps.settings.maxTotalBytes) over.push({ id, state, holder, createdAtMs, blobId });
      else sum += bytes;
    }
    for (const record of over) await this.#remove(record);
  }

  /**
   * Yields all kept answers, newest first, in pages: heads contain short answers whole, so all at once may not fit in
   * memory.
   */
  async *#kept(): AsyncGenerator<AnswerRecord> {
    for (let skip = 0; ; skip += BATCH) {
      const page = await this.#records.find(
        { state: 'kept' },
        {
          sort: [
            { field: 'createdAtMs', order: 'descending' },
            { field: 'id', order: 'ascending' },
          ],
          limit: BATCH,
          skip,
        },
      );
      yield* page;
      if (page.length < BATCH) return;
    }
  }

  async #remove(record: Removable): Promise<void> {
    // Delete the record first, so that nobody opens bytes that are being deleted.
    await this.#records.delete(record.id, {
      createdAtMs: record.createdAtMs,
      state: record.state,
      holder: record.holder,
    });
    if (record.blobId !== null) await this.#blobs.delete(record.blobId).catch(() => undefined);
  }
}

/** Returns true for an answer that is not an error. */
export function isBody(head: KeptHead): head is KeptBody {
  return 'status' in head;
}
