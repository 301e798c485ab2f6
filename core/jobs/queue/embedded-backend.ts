import { randomUUID } from 'node:crypto';
import type {
  AgendaBackend,
  JobId,
  JobParameters,
  JobRepository,
  JobRepositoryOptions,
  JobsOverview,
  JobsQueryOptions,
  JobsResult,
  JobWithState,
  RemoveJobsOptions,
} from 'agenda';
import type { Where } from '@quire/registry';
import type { Records, Store } from '../../store/index.js';
import type { HeldOwners } from './held-owners.js';
import type { RowData } from './row-data.js';

/** A row of Agenda's queue; dates in ms, everything else in `rest`. */
interface QueueRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly priority: number;
  readonly nextRunAt: number | null;
  readonly lockedAt: number | null;
  readonly disabled: boolean;
  /** The job that it stands for; null in other rows. */
  readonly jobId: string | null;
  /** The remaining parameters, as JSON with dates as ISO strings. */
  readonly rest: Readonly<Record<string, unknown>>;
}

const queueOrder = [
  { field: 'nextRunAt', order: 'ascending' },
  { field: 'priority', order: 'descending' },
] as const;
const FEW_ROWS = 20;
const dateFields = new Set(['lastRunAt', 'lastFinishedAt', 'failedAt', 'startDate', 'endDate', 'debounceStartedAt']);
const ownFields = new Set([
  '_id',
  'name',
  'type',
  'priority',
  'nextRunAt',
  'lockedAt',
  'disabled',
  'unique',
  'uniqueOpts',
]);

/**
 * Creates an Agenda backend on Quire's own store, by Agenda's published interface. It passes
 * `test/suites/job-backend.ts`, as the MongoDB backend does. Rows of `held` owners are passed over.
 */
export function createEmbeddedBackend(store: Store, held?: Pick<HeldOwners, 'has' | 'list'>): AgendaBackend {
  return {
    name: 'Quire store',
    ownsConnection: false,
    repository: new EmbeddedJobRepository(store.records<QueueRow>('agenda', { keys: ['nextRunAt', 'jobId'] }), held),
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
  };
}

class EmbeddedJobRepository implements JobRepository {
  readonly #rows: Records<QueueRow>;
  readonly #held: Pick<HeldOwners, 'has' | 'list'> | undefined;

  constructor(rows: Records<QueueRow>, held: Pick<HeldOwners, 'has' | 'list'> | undefined) {
    this.#rows = rows;
    this.#held = held;
  }

  connect(): Promise<void> {
    return Promise.resolve();
  }

  async queryJobs(options: JobsQueryOptions = {}): Promise<JobsResult> {
    const { computeJobState } = await import('agenda');
    const { state, includeDisabled = true, search, skip = 0, limit = 0 } = options;
    const now = new Date();
    const found = (await this.#select(options))
      .filter(
        (row) =>
          (includeDisabled || !row.disabled) && (!search || row.name.toLowerCase().includes(search.toLowerCase())),
      )
      .map((row): JobWithState => {
        const job = fromRow(row);
        return { ...job, _id: row.id as JobId, state: computeJobState(job, now) };
      })
      .filter((job) => state === undefined || (state === 'paused' ? job.disabled === true : job.state === state));
    const sort = Object.entries(options.sort ?? { nextRunAt: 'desc', lastRunAt: 'desc' }) as [
      keyof JobParameters,
      'asc' | 'desc',
    ][];
    found.sort((a, b) => {
      for (const [field, direction] of sort) {
        const order = compare(a[field], b[field]);
        if (order !== 0) return direction === 'asc' ? order : -order;
      }
      return 0;
    });
    return { jobs: found.slice(skip, limit > 0 ? skip + limit : undefined), total: found.length };
  }

  async getJobsOverview(): Promise<JobsOverview[]> {
    const { jobs } = await this.queryJobs();
    const overviews = new Map<string, JobsOverview>();
    for (const job of jobs) {
      const overview = overviews.get(job.name) ?? {
        name: job.name,
        total: 0,
        running: 0,
        scheduled: 0,
        queued: 0,
        completed: 0,
        failed: 0,
        repeating: 0,
        paused: 0,
      };
      overview.total += 1;
      overview[job.state] += 1;
      if (job.disabled) overview.paused += 1;
      overviews.set(job.name, overview);
    }
    return [...overviews.values()];
  }

  async getDistinctJobNames(): Promise<string[]> {
    return [...new Set((await this.#rows.find()).map((row) => row.name))];
  }

  async getJobById(id: string): Promise<JobParameters | null> {
    const row = await this.#rows.get(id);
    return row ? fromRow(row) : null;
  }

  getQueueSize(): Promise<number> {
    return this.#rows.count({}, { atMost: { nextRunAt: Date.now() - 1 } });
  }

  async removeJobs(options: RemoveJobsOptions): Promise<number> {
    if (!narrows(options)) return 0;
    const removed = await Promise.all((await this.#select(options)).map((row) => this.#rows.delete(row.id)));
    return removed.filter(Boolean).length;
  }

  async saveJob<DATA = unknown>(
    job: JobParameters<DATA>,
    options: JobRepositoryOptions | undefined,
  ): Promise<JobParameters<DATA>> {
    const saved = await this.#save(job as JobParameters, options?.lastModifiedBy);
    return saved as JobParameters<DATA>;
  }

  async saveJobState(job: JobParameters, options: JobRepositoryOptions | undefined): Promise<void> {
    const row = job._id ? await this.#rows.get(job._id) : undefined;
    const { lastRunAt, progress, failReason, failCount, failedAt, lastFinishedAt } = job;
    const state = {
      lastRunAt,
      progress,
      failReason,
      failCount,
      failedAt,
      lastFinishedAt,
      lastModifiedBy: options?.lastModifiedBy,
    };
    const rest = { ...row?.rest, ...asJson(state) };
    for (const [field, value] of Object.entries(state))
      if (value === undefined) delete (rest as Record<string, unknown>)[field];
    const after =
      row &&
      (await this.#rows.update(
        row.id,
        { set: { rest, lockedAt: ms(job.lockedAt), nextRunAt: ms(job.nextRunAt) } },
        { name: job.name },
      ));
    if (!after)
      throw new Error(`job ${String(job._id)} (name: ${job.name}) cannot be updated because it no longer exists`);
  }

  async lockJob(job: JobParameters, options: JobRepositoryOptions | undefined): Promise<JobParameters | undefined> {
    if (!job._id) return undefined;
    const row = await this.#rows.get(job._id);
    if (row === undefined) return undefined;
    const when = { name: job.name, lockedAt: null, nextRunAt: ms(job.nextRunAt), disabled: false };
    return this.#lock(row, when, Date.now(), options);
  }

  async unlockJob(job: JobParameters): Promise<void> {
    const row = job._id ? await this.#rows.get(job._id) : undefined;
    // A job that will not run again keeps its lock, as with the MongoDB backend.
    if (row && row.nextRunAt !== null)
      await this.#rows.update(row.id, { set: { lockedAt: null } }, { nextRunAt: row.nextRunAt });
  }

  async unlockJobs(jobIds: (JobId | string)[]): Promise<void> {
    for (const id of jobIds) await this.#rows.update(String(id), { set: { lockedAt: null } });
  }

  async getNextJobToRun(
    jobName: string,
    nextScanAt: Date,
    lockDeadline: Date,
    now: Date | undefined,
    options: JobRepositoryOptions | undefined,
  ): Promise<JobParameters | undefined> {
    const where = { name: jobName, disabled: false };
    for (;;) {
      // Due rows first, by the index; stale locks matter only when nothing waits, because this store is repaired at
      // every start.
      const due = await this.#firstNotHeld({ ...where, lockedAt: null }, { nextRunAt: nextScanAt.getTime() });
      const next = due ?? (await this.#firstNotHeld(where, { lockedAt: lockDeadline.getTime() }));
      if (!next) return undefined;
      const locked = await this.#lock(
        next,
        { ...where, lockedAt: next.lockedAt, nextRunAt: next.nextRunAt },
        (now ?? new Date()).getTime(),
        options,
      );
      // Another caller took it between the search and the lock: search again.
      if (locked) return locked;
    }
  }

  /** Looks at few rows first: an owner who is held may have thousands in front. */
  async #firstNotHeld(
    where: Where<QueueRow>,
    atMost: Partial<Record<'nextRunAt' | 'lockedAt', number>>,
  ): Promise<QueueRow | undefined> {
    for (let limit = (this.#held?.list().length ?? 0) === 0 ? 1 : FEW_ROWS; ; limit *= 10) {
      const rows = await this.#rows.find(where, { atMost, sort: queueOrder, limit });
      const found = rows.find(
        ({ rest }) => this.#held?.has((rest['data'] as Partial<RowData> | undefined)?.owner) !== true,
      );
      if (found !== undefined || rows.length < limit) return found;
    }
  }

  disableJobs(options: RemoveJobsOptions): Promise<number> {
    return this.#switch(options, true);
  }

  enableJobs(options: RemoveJobsOptions): Promise<number> {
    return this.#switch(options, false);
  }

  purgeAllJobs(): Promise<number> {
    return this.#rows.deleteMany({});
  }

  async #save(job: JobParameters, modifiedBy: string | undefined): Promise<JobParameters> {
    const fresh = toRow(job, modifiedBy);
    if (job._id) {
      const { id, ...fields } = fresh;
      const before = await this.#rows.get(id);
      // `save` writes the user's definition; state that the processor keeps (lock, counters) stays.
      const after = await this.#rows.update(
        id,
        { set: { ...fields, lockedAt: before?.lockedAt ?? null, rest: { ...before?.rest, ...fields.rest } } },
        { name: job.name },
      );
      return after ? fromRow(after) : job;
    }
    if (job.type === 'single') {
      const present = await this.#rows.findOne({ name: job.name, type: 'single' });
      if (present) {
        // Saving the definition again does not postpone a due run.
        const nextRunAt =
          fresh.nextRunAt !== null && fresh.nextRunAt <= Date.now() ? present.nextRunAt : fresh.nextRunAt;
        const after = await this.#rows.update(present.id, {
          set: { priority: fresh.priority, nextRunAt, rest: { ...present.rest, ...fresh.rest } },
        });
        if (after) return fromRow(after);
      }
    }
    if (job.unique) throw new Error('unique() is not supported by this backend');
    return fromRow(await this.#rows.insert(fresh));
  }

  async #lock(
    row: QueueRow,
    when: Partial<QueueRow>,
    at: number,
    options: JobRepositoryOptions | undefined,
  ): Promise<JobParameters | undefined> {
    const rest = { ...row.rest, lastModifiedBy: options?.lastModifiedBy };
    const { name = row.name, disabled = false, lockedAt = null, nextRunAt = null } = when;
    const locked = await this.#rows.update(
      row.id,
      { set: { lockedAt: at, rest } },
      { name, disabled, lockedAt, nextRunAt },
    );
    return locked && fromRow(locked);
  }

  async #switch(options: RemoveJobsOptions, disabled: boolean): Promise<number> {
    if (!narrows(options)) return 0;
    let changed = 0;
    for (const row of await this.#select(options))
      if (await this.#rows.update(row.id, { set: { disabled } }, { disabled: !disabled })) changed += 1;
    return changed;
  }

  async #select({ id, ids, name, names, notNames, data }: RemoveJobsOptions): Promise<QueueRow[]> {
    const jobId = jobIdOf(data);
    const wanted = id !== undefined ? [String(id)] : ids?.map(String);
    const rows = wanted
      ? (await Promise.all(wanted.map((one) => this.#rows.get(one)))).filter((row) => row !== undefined)
      : await this.#rows.find({ ...(name ? { name } : {}), ...(jobId === undefined ? {} : { jobId }) });
    return rows.filter(
      (row) =>
        (name ? row.name === name : names?.length ? names.includes(row.name) : !notNames?.includes(row.name)) &&
        (data === undefined || contains(row.rest['data'], data)),
    );
  }
}

function narrows({ id, ids, name, names, notNames, data }: RemoveJobsOptions): boolean {
  return (
    id !== undefined ||
    Boolean(ids?.length) ||
    Boolean(name) ||
    Boolean(names?.length) ||
    Boolean(notNames?.length) ||
    data !== undefined
  );
}

function toRow(job: JobParameters, modifiedBy: string | undefined): QueueRow {
  const rest = asJson(
    Object.fromEntries(
      Object.entries({ ...job, lastModifiedBy: modifiedBy }).filter(([field]) => !ownFields.has(field)),
    ),
  );
  return {
    id: job._id ?? randomUUID(),
    name: job.name,
    type: job.type,
    priority: job.priority,
    nextRunAt: ms(job.nextRunAt),
    lockedAt: ms(job.lockedAt),
    disabled: job.disabled === true,
    jobId: jobIdOf(job.data) ?? null,
    rest,
  };
}

function fromRow(row: QueueRow): JobParameters {
  const rest = Object.fromEntries(
    Object.entries(row.rest)
      .filter(([, value]) => value !== null)
      .map(([field, value]) => [field, dateFields.has(field) ? new Date(String(value)) : value]),
  );
  return {
    ...rest,
    data: rest['data'],
    _id: row.id as JobId,
    name: row.name,
    priority: row.priority,
    type: row.type === 'single' ? 'single' : 'normal',
    nextRunAt: row.nextRunAt === null ? null : new Date(row.nextRunAt),
    disabled: row.disabled,
    ...(row.lockedAt === null ? {} : { lockedAt: new Date(row.lockedAt) }),
  };
}

function jobIdOf(data: unknown): string | undefined {
  const { jobId } = (data ?? {}) as Partial<RowData>;
  return typeof jobId === 'string' ? jobId : undefined;
}

function asJson(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}

function ms(date: Date | string | null | undefined): number | null {
  return date === null || date === undefined ? null : new Date(date).getTime();
}

function compare(a: unknown, b: unknown): number {
  const [x, y] = [a, b].map((value) => (value instanceof Date ? value.getTime() : value));
  if (x === y) return 0;
  if (x === null || x === undefined) return -1;
  if (y === null || y === undefined) return 1;
  return typeof x === 'number' && typeof y === 'number' ? x - y : String(x) < String(y) ? -1 : 1;
}

/** Returns true if every member of `wanted` is in `found`. */
function contains(found: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted))
    return JSON.stringify(found) === JSON.stringify(wanted);
  return (
    typeof found === 'object' &&
    found !== null &&
    Object.entries(wanted).every(([key, value]) => contains((found as Record<string, unknown>)[key], value))
  );
}
