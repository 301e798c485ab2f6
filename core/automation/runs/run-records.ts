import type { Records, Store } from '../../store/index.js';
import type { StepTime } from '../../operations/pipelines/index.js';
import type { ItemTrigger } from '../items/item-record.js';

export const runStates = ['running', 'completed', 'failed', 'cancelled'] as const;
export type RunState = (typeof runStates)[number];

/** A file of the result of a run. */
export interface RunOutput {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly contentType: string;
  /** Where it can be fetched while the results are kept; null once it is delivered. */
  readonly fileId: string | null;
  /** Where it was delivered, in words. */
  readonly places: readonly string[];
}

/** One execution of an automation. Times are milliseconds since 1970. */
export interface RunRecord {
  /** That of its job, unless the job is one for several runs. */
  readonly id: string;
  /** The job that it is a part of, together with other runs; missing when it has one of its own. */
  readonly jobId?: string;
  /** Whether somebody has cancelled it; missing or null when nobody has. */
  readonly cancelled?: true | null;
  readonly automationId: string;
  readonly itemId: string;
  /** Id of the user who started it; empty otherwise. */
  readonly startedBy: string;
  readonly trigger: ItemTrigger;
  /** Names of the inputs. */
  readonly inputs: readonly string[];
  readonly bytes: number;
  readonly attempt: number;
  readonly state: RunState;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly stepCount: number;
  readonly outputs: readonly RunOutput[];
  readonly warnings: readonly string[];
  /** What each operation did, and which one failed; missing until the job has ended, and in old records. */
  readonly steps?: readonly StepTime[];
  readonly code: string | null;
  readonly detail: string | null;
}

const KEPT_MS = 90 * 86_400_000;
const MOST_KEPT = 2000;

/** The runs of automations: the last 2000 of each, for 90 days. */
export class RunRecords {
  readonly #runs: Records<RunRecord>;

  constructor(store: Pick<Store, 'records'>) {
    this.#runs = store.records<RunRecord>('automation_runs', {
      keys: ['automationId', 'state', 'startedAt', 'startedBy'],
    });
  }

  get(id: string): Promise<RunRecord | undefined> {
    return this.#runs.get(id);
  }

  /** Adds a run, or replaces it after a crash. */
  async put(run: RunRecord): Promise<void> {
    await this.#runs.put(run);
  }

  async change(id: string, set: Partial<Omit<RunRecord, 'id'>>): Promise<void> {
    await this.#runs.update(id, { set });
  }

  /** Ends a run that is still said to run. */
  async endLeft(id: string, end: Pick<RunRecord, 'state' | 'code' | 'detail'>, endedAt: number): Promise<void> {
    await this.#runs.update(id, { set: { ...end, endedAt } }, { state: 'running' });
  }

  /** Notes that somebody cancels it; false when it has ended. */
  async cancel(id: string): Promise<boolean> {
    return (await this.#runs.update(id, { set: { cancelled: true } }, { state: 'running' })) !== undefined;
  }

  /** Ends a run as failed unless somebody has cancelled it; false then. Afterwards it is too late for that. */
  async failUncancelled(id: string, endedAt: number): Promise<boolean> {
    const set = { state: 'failed', endedAt } as const;
    return (await this.#runs.update(id, { set }, { cancelled: null })) !== undefined;
  }

  /** Whether somebody has cancelled one of the runs that share this job. */
  async someCancelled(automationId: string, jobId: string): Promise<boolean> {
    return (await this.#runs.findOne({ automationId, jobId, cancelled: true })) !== undefined;
  }

  /** The newest first. */
  list(
    where: { readonly automationId?: string; readonly state?: RunState; readonly startedBy?: string },
    limit: number,
    before?: number,
  ): Promise<RunRecord[]> {
    return this.#runs.find(where, {
      sort: [
        { field: 'startedAt', order: 'descending' },
        { field: 'id', order: 'descending' },
      ],
      limit,
      ...(before === undefined ? {} : { atMost: { startedAt: before } }),
    });
  }

  async removeAll(automationId: string): Promise<void> {
    await this.#runs.deleteMany({ automationId });
  }

  async sweep(automationIds: Iterable<string>, now: number): Promise<void> {
    await this.#runs.deleteMany({}, { atMost: { startedAt: now - KEPT_MS } });
    for (const automationId of automationIds) {
      const [oldest] = await this.#runs.find(
        { automationId },
        { sort: [{ field: 'startedAt', order: 'descending' }], skip: MOST_KEPT, limit: 1 },
      );
      if (oldest !== undefined)
        await this.#runs.deleteMany({ automationId }, { atMost: { startedAt: oldest.startedAt } });
    }
  }
}
