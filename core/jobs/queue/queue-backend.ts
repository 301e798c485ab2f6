import type { AgendaBackend, JobId, JobParameters, JobRepository } from 'agenda';
import type { Logger } from '@quire/registry';
import type { Backplane } from '../backplane/index.js';
import type { Needs, SteadyClock } from '../cluster/index.js';
import type { Store } from '../../store/index.js';
import { RowRemovals } from './row-removals.js';
import type { SearchPace } from './search-pace.js';
import { createEmbeddedBackend } from './embedded-backend.js';
import type { HeldOwners } from './held-owners.js';
import type { RowData } from './row-data.js';

export interface QueueBackendDeps {
  readonly store: Store;
  readonly log: Logger;
  /** The store's time. */
  readonly steady: SteadyClock;
  readonly backplane: Backplane;
  /** Time after which a lock that was not renewed is free, ms. */
  readonly lockLifetimeMs: number;
  /** True when this node meets all these needs. */
  takes(needs: Needs): boolean;
  /** Owners whose jobs are not taken now. */
  readonly held?: Pick<HeldOwners, 'has' | 'list'>;
}

type Database = NonNullable<Store['mongo']>['database'];

const collectionName = 'agenda_jobs';
/**
 * How many kinds of work that this node cannot run are excluded from its searches; further kinds are found and rejected
 * every time.
 */
const mostRefused = 500;
/** After this time an excluded kind is tried again, ms. */
const refusedForMs = 60_000;

/** Most locks without an answer that are remembered; others expire. */
const MOST_UNANSWERED = 100;

/** A row of the queue. */
export interface WaitingRow {
  readonly rowId: string;
  readonly jobId: string;
  /** False when it has neither a time to run nor a lock, so it will never run. */
  readonly live: boolean;
}

/** Reads the rows with this name; none from a store that only this node has. */
type ReadRows = (name: string) => AsyncIterable<WaitingRow> | readonly WaitingRow[];

export type QueueBackend = AgendaBackend & {
  readonly rows: ReadRows;
  /** Resolves when the rows of ended jobs are deleted; never rejects. */
  settled(): Promise<void>;
};

/** Creates Agenda's backend for the store, with safe error handling. */
export async function createQueueBackend(deps: QueueBackendDeps, pace: SearchPace): Promise<QueueBackend> {
  if (!deps.store.mongo) {
    return { ...guard(createEmbeddedBackend(deps.store, deps.held), deps, pace, {}), rows: () => [] };
  }
  const { MongoBackend } = await import('@agendajs/mongo-backend');
  const inner = new MongoBackend({
    mongo: deps.store.mongo.database,
    collection: collectionName,
    logCollection: 'agenda_logs',
  });
  const { database } = deps.store.mongo;
  const guarded = guard(inner, deps, pace, sharedRepository(inner, deps, database));
  return { ...guarded, rows: (name) => readRows(database, name) };
}

/** Agenda's own search holds all rows in memory, each whole. */
async function* readRows(database: Database, name: string): AsyncGenerator<WaitingRow> {
  const fields = { 'data.jobId': 1, nextRunAt: 1, lockedAt: 1 };
  const rows = database.collection<JobParameters<Partial<RowData>>>(collectionName);
  for await (const row of rows.find({ name }, { projection: fields }))
    yield {
      rowId: String(row._id),
      jobId: String(row.data?.jobId),
      live: Boolean(row.nextRunAt ?? row.lockedAt),
    };
}

/**
 * Adapts Agenda to a queue that nodes share. All times in the store are the store's, so that a node whose clock is five
 * minutes off neither breaks the locks of others nor loses its own. A node takes only rows whose needs it meets: each
 * kind of needs that it cannot meet costs one lock and unlock, and is then excluded from its searches.
 */
function sharedRepository(
  inner: AgendaBackend,
  { steady, takes, held }: QueueBackendDeps,
  database: Database,
): Partial<JobRepository> {
  const rows = database.collection<Omit<JobParameters<RowData>, '_id' | 'lockedAt'> & { lockedAt: Date | null }>(
    collectionName,
  );
  const refused = new Map<string, number>();
  /** Times of locks that the store may have set although it did not answer. */
  const unanswered = new Set<Date>();
  const offset = (): number => Math.round(steady.now() - Date.now());
  const moved = (date: Date | null | undefined, ms: number): Date | null | undefined =>
    date ? new Date(new Date(date).getTime() + ms) : date;
  const toLocal = <J extends JobParameters>(job: J): J => {
    const ms = -offset();
    const lockedAt = moved(job.lockedAt, ms);
    return { ...job, nextRunAt: moved(job.nextRunAt, ms), ...(lockedAt ? { lockedAt } : {}) };
  };
  const leftOut = (): string[] => {
    const now = performance.now();
    for (const [kind, until] of refused) if (until < now) refused.delete(kind);
    return [...refused.keys()];
  };
  /** Whoever else has set a lock in the same millisecond keeps its job: the job's own record decides who runs it. */
  const releaseUnanswered = async (): Promise<void> => {
    if (unanswered.size === 0) return;
    const times = [...unanswered];
    await rows.updateMany({ lockedAt: { $in: times } }, { $set: { lockedAt: null } });
    for (const time of times) unanswered.delete(time);
  };
  const getJobById = async (id: string): Promise<JobParameters | null> => {
    const job = await inner.repository.getJobById(id);
    return job && toLocal(job);
  };
  return {
    getJobById,
    async getNextJobToRun(name, nextScanAt, lockDeadline, now, options) {
      const ms = offset();
      const lockedAt = new Date((now ?? new Date()).getTime() + ms);
      await releaseUnanswered();
      for (;;) {
        const kinds = leftOut();
        const owners = held?.list() ?? [];
        const search = rows.findOneAndUpdate(
          {
            name,
            disabled: { $ne: true },
            ...(kinds.length > 0 ? { 'data.kind': { $nin: kinds } } : {}),
            ...(owners.length > 0 ? { 'data.owner': { $nin: [...owners] } } : {}),
            $or: [
              { lockedAt: { $eq: null }, nextRunAt: { $lte: new Date(nextScanAt.getTime() + ms) } },
              { lockedAt: { $lte: new Date(lockDeadline.getTime() + ms) } },
            ],
          },
          {
            $set: {
              lockedAt,
              ...(options?.lastModifiedBy === undefined ? {} : { lastModifiedBy: options.lastModifiedBy }),
            },
          },
          { returnDocument: 'after', sort: { nextRunAt: 1 } },
        );
        const found = await search.catch((error: unknown) => {
          // Otherwise no server was found, and nothing was sent.
          if ((error as Error).name !== 'MongoServerSelectionError' && unanswered.size < MOST_UNANSWERED)
            unanswered.add(lockedAt);
          throw error;
        });
        if (!found) return undefined;
        const { needs, kind } = found.data ?? {};
        if (needs === undefined || takes(needs)) {
          const present = Object.entries(found).filter(([field, value]) => field === 'nextRunAt' || value !== null);
          return toLocal({
            ...(Object.fromEntries(present) as unknown as JobParameters),
            _id: String(found._id) as JobId,
          });
        }
        await rows.updateOne({ _id: found._id, lockedAt }, { $set: { lockedAt: null } });
        if (kind === undefined || refused.size >= mostRefused) return undefined;
        refused.set(kind, performance.now() + refusedForMs);
      }
    },
    saveJobState(job, options) {
      const ms = offset();
      const lockedAt = moved(job.lockedAt, ms);
      return inner.repository.saveJobState(
        { ...job, nextRunAt: moved(job.nextRunAt, ms), lockedAt: lockedAt ?? undefined } as JobParameters,
        options,
      );
    },
  };
}

/**
 * Handles errors of calls that Agenda neither awaits nor catches: without this a lost store would end the process. Also
 * skips writes that a queue of single runs does not need: the first write of a turn repeats the lock, and the last one
 * is for a row that is finished.
 */
function guard(
  inner: AgendaBackend,
  { log, lockLifetimeMs }: QueueBackendDeps,
  pace: SearchPace,
  own: Partial<JobRepository>,
): Omit<QueueBackend, 'rows'> {
  const base = inner.repository;
  const next = own.getNextJobToRun ?? base.getNextJobToRun.bind(base);
  const save = own.saveJobState ?? base.saveJobState.bind(base);
  /** The lock and the time to run that each row had when it was taken, until its turn ends. */
  const taken = new Map<string, { readonly lockedAt: number; readonly nextRunAt: Date | null }>();
  const removals = new RowRemovals((ids) => base.removeJobs({ ids }), log);
  const members: Partial<JobRepository> = {
    ...own,
    async getNextJobToRun(...search) {
      const job = await pace.search(() => next(...search));
      if (job?.lockedAt)
        taken.set(String(job._id), {
          lockedAt: new Date(job.lockedAt).getTime(),
          nextRunAt: job.nextRunAt ? new Date(job.nextRunAt) : null,
        });
      return job;
    },
    async saveJobState(job, options) {
      const id = String(job._id);
      const before = taken.get(id);
      if (job.lockedAt) {
        if (before?.lockedAt !== new Date(job.lockedAt).getTime()) await save(job, options);
        return;
      }
      taken.delete(id);
      // One node's own store needs no batches.
      if (!job.nextRunAt && own.saveJobState !== undefined) removals.add(id);
      else if (!job.nextRunAt) await base.removeJobs({ id });
      // A job that must wait keeps its turn and gets a lock that expires when it may run: with a later turn it would
      // come after everything queued by then. One that need not wait gets no lock: another node's estimate of the
      // store's time may be a little behind, and it looks only once.
      else if (own.saveJobState !== undefined && before?.nextRunAt) {
        const due = new Date(job.nextRunAt).getTime();
        const lock = due > Date.now() ? { lockedAt: new Date(due - lockLifetimeMs) } : {};
        await save({ ...job, nextRunAt: before.nextRunAt, ...lock }, options);
      } else await save(job, options);
    },
    unlockJob: (job) => {
      taken.delete(String(job._id));
      return base
        .unlockJob(job)
        .catch((error: unknown) =>
          log.warn({ error: String(error) }, 'a job could not be unlocked; its lock will expire'),
        );
    },
  };
  const repository = new Proxy(base, {
    get: (target, name) => {
      const replaced: unknown = Reflect.get(members, name);
      if (replaced !== undefined) return replaced;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  let connected = false;
  return {
    name: inner.name,
    repository,
    ownsConnection: false,
    // Connect before Agenda is created, where a failure can be caught; Agenda's own call then does nothing.
    connect: async () => {
      if (connected) return;
      await inner.connect();
      connected = true;
    },
    disconnect: () => Promise.resolve(),
    settled: () => removals.flush(),
  };
}
