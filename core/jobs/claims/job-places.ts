import { isDuplicateRecord } from '../../store/index.js';
import type { Needs } from '../cluster/index.js';
import type { AtOnceLimit, JobContext } from '../job-options.js';
import type { JobRecord } from '../job-record.js';
import type { Turn } from '../queue/agenda-queue.js';

/** How many earlier jobs of an owner are looked at to keep their order. */
const EARLIER = 20;
/** When a job is tried again that an earlier one of its owner must precede, ms. */
const SOON_MS = 200;

/**
 * Places for the running jobs of owners whose role limits how many run at once, on all nodes together. A place is a
 * unique field of the job's own record: two nodes cannot give it twice, and it is free when the job ends, is put back
 * or is recovered after a crash, because the same write says so.
 */
export class JobPlaces {
  /** The last start of each owner on this node. */
  readonly #starts = new Map<string, Promise<unknown>>();

  constructor(
    private readonly context: JobContext,
    private readonly unmetHere: (needs: Needs) => Needs,
  ) {}

  /** True if any role has such a limit. */
  get inUse(): boolean {
    return this.context.settings.atOnce?.inUse() === true;
  }

  /** Calls `start` with a place, or with null for a job that needs none; or puts the job back in its turn. */
  async start(
    record: JobRecord,
    turn: Pick<Turn, 'hold'>,
    start: (place: string | null) => Promise<JobRecord | undefined>,
  ): Promise<JobRecord | undefined> {
    const most = this.#limitOf(record)?.limit;
    if (most === undefined) return start(null);
    return this.#oneByOne(record.owner, async () => {
      const others = (await this.#running(record.owner)).filter(({ id }) => id !== record.id);
      if (others.length < most) {
        if (await this.#comesLater(record)) {
          turn.hold(SOON_MS);
          return undefined;
        }
        const taken = new Set(others.map(({ place }) => place));
        for (let n = 1; n <= most; n += 1) {
          const place = `${record.owner} ${n}`;
          if (taken.has(place)) continue;
          try {
            return await start(place);
          } catch (error) {
            // Another node took it at this moment.
            if (!isDuplicateRecord(error)) throw error;
          }
        }
      }
      turn.hold(this.context.timing.pollMs);
      return undefined;
    });
  }

  /** Returns the notes of a waiting job, with the reason if it waits for a place. */
  async notesOf(record: JobRecord): Promise<readonly string[]> {
    const found = this.#limitOf(record);
    if (found === undefined || (await this.#count(record.owner)) < found.limit) return record.notes;
    const { limit, role, title } = found;
    const many = limit === 1 ? 'one job run' : `${limit} jobs run`;
    return [
      ...record.notes,
      `Waiting until another of your jobs has ended: your role "${title}" (${role}) lets ${many} at once ` +
        '(limits.jobsAtOnce).',
    ];
  }

  #limitOf({ owner, caller }: JobRecord): AtOnceLimit | undefined {
    return owner === '' || caller === undefined || !this.inUse ? undefined : this.context.settings.atOnce?.of(caller);
  }

  #running(owner: string): Promise<JobRecord[]> {
    return this.context.jobs.find({ owner, status: 'running' });
  }

  #count(owner: string): Promise<number> {
    return this.context.jobs.count({ owner, status: 'running' });
  }

  /** True if another job of the owner comes first and could run here. One that was put back waits for itself only. */
  async #comesLater({ id, owner, status }: JobRecord): Promise<boolean> {
    if (status === 'running') return false;
    const first = await this.context.jobs.find(
      { owner, status: 'queued' },
      { sort: [{ field: 'rank', order: 'ascending' }], limit: EARLIER },
    );
    const place = first.findIndex((one) => one.id === id);
    return first
      .slice(0, place < 0 ? undefined : place)
      .some(({ returns, needs = [] }) => returns === 0 && this.unmetHere(needs).length === 0);
  }

  /** One start of an owner after the other, so that jobs of this node do not compete for a place. */
  async #oneByOne<R>(owner: string, work: () => Promise<R>): Promise<R> {
    const mine = (this.#starts.get(owner) ?? Promise.resolve()).then(work);
    const settled = mine.catch(() => undefined);
    this.#starts.set(owner, settled);
    try {
      return await mine;
    } finally {
      if (this.#starts.get(owner) === settled) this.#starts.delete(owner);
    }
  }
}
