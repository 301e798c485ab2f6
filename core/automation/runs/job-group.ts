import type { Principal } from '@quire/registry';
import { jobIdOf, jobUuid, type JobRecord, type JobRequest } from '../../jobs/index.js';
import { Scratch } from '../../operations/runner/index.js';
import { Gate } from '../../semaphore/index.js';
import { jobUuidOf, type ItemRecord } from '../items/item-record.js';
import type { ItemWorkDeps } from './item-work-deps.js';

/** Files of one job that are fetched or delivered at once. */
const AT_ONCE = 4;

/** Where a file is among the work of others. */
export interface Place {
  readonly jobId: string;
  /** Its run: the job itself, or one of several that share it. */
  readonly runId: string;
  /** Its position among the inputs of the job; null when it is the only one. */
  readonly part: number | null;
}

/** A file that is ready for the pipeline. */
export interface GroupMember {
  readonly item: ItemRecord;
  readonly input: JobRequest['inputs'][number];
  /** Stores its place. The job is started afterwards, so after a crash the place shows whether it was started. */
  settle(place: Place): Promise<void>;
}

/**
 * Files that are worked on in one job, which runs the pipeline for each of them: with many small files, jobs of their
 * own would cost more than the work (ADR 0102). Each file is announced by the size, and then joins or leaves.
 */
export class JobGroup {
  readonly #gate = new Gate(AT_ONCE);
  readonly #members: GroupMember[] = [];
  /** Ids of the files that have joined or left. */
  readonly #decided = new Set<string>();
  readonly #started: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #worked: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #admitted: PromiseWithResolvers<void> = Promise.withResolvers();
  #jobId = '';
  #principal: Promise<Principal> | undefined;
  #scratch: Promise<Scratch> | undefined;
  #record: Promise<JobRecord | undefined> | undefined;
  /** How many results of shared jobs were delivered, by the id of the job: also of jobs of an earlier process. */
  readonly #delivered = new Map<string, number>();
  #steps: number | undefined;
  /** Members that were lost to another node meanwhile, with the error of their `settle`. */
  readonly #lost = new Map<GroupMember, unknown>();

  constructor(
    private readonly deps: ItemWorkDeps,
    private readonly size: number,
  ) {
    this.#started.promise.catch(() => undefined);
    this.#admitted.promise.catch(() => undefined);
    deps.signal.addEventListener('abort', () => this.#admitted.reject(deps.signal.reason), { once: true });
  }

  /** Resolves when the job has ended, or was never started: another one may begin. */
  get worked(): Promise<void> {
    return this.#worked.promise;
  }

  /** Its job may be started as soon as its files are ready. */
  admit(): void {
    this.#admitted.resolve();
  }

  principal(): Promise<Principal> {
    return (this.#principal ??= this.deps.principalOf(this.deps.automation));
  }

  /** Number of operations of the pipeline; 0 when it has become invalid since a job was started with it. */
  async stepCount(): Promise<number> {
    const { prepared, automation } = this.deps;
    this.#steps ??= await prepared.of(automation, await this.principal()).then(
      ({ report }) => report.steps.length,
      () => 0,
    );
    return this.#steps;
  }

  /** A path for a new file that exists until the job is started. */
  async filePath(): Promise<string> {
    return (await (this.#scratch ??= Scratch.create(this.deps.scratchRoot))).filePath();
  }

  /** Does something of which only a few are done at once. */
  async inTurn<R>(work: () => Promise<R>): Promise<R> {
    const leave = await this.#gate.enter(this.deps.signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Takes part in the job; resolves when it is started. Rejects when it cannot be. */
  async join(member: GroupMember): Promise<void> {
    this.#members.push(member);
    this.#arrived(member.item.id);
    await this.#started.promise;
    if (this.#lost.has(member)) throw this.#lost.get(member);
  }

  /** The file takes no part, unless it has joined before. */
  leave(itemId: string): void {
    if (!this.#decided.has(itemId)) this.#arrived(itemId);
  }

  /** Waits for the end of the job. */
  async finished(): Promise<JobRecord | undefined> {
    this.#record ??= this.deps
      .jobs()
      .then((jobs) => jobs.finished(this.#jobId, this.deps.signal))
      .finally(() => this.#worked.resolve());
    return this.#record;
  }

  /** The results of one file are where they belong. Its job is not kept any longer, unless others share it. */
  async delivered({ jobId, part }: Pick<ItemRecord, 'jobId' | 'part'>): Promise<void> {
    if (jobId === null) return;
    if ((part ?? null) === null) await (await this.deps.jobs()).forget(jobId);
    else this.#delivered.set(jobId, (this.#delivered.get(jobId) ?? 0) + 1);
  }

  /** Called when the work on all files has ended: forgets shared jobs whose results nobody needs any more. */
  async close(): Promise<void> {
    const { items, automation, jobs, log } = this.deps;
    const all = this.#members.length - this.#lost.size;
    try {
      for (const [jobId, delivered] of this.#delivered)
        if ((jobId === this.#jobId && delivered === all) || !(await items.needsJob(automation.id, jobId)))
          await (await jobs()).forget(jobId);
    } catch (error) {
      log.info(
        { err: error, automation: automation.id },
        'results of a job that were delivered are kept until it expires',
      );
    }
  }

  #arrived(itemId: string): void {
    this.#decided.add(itemId);
    if (this.#decided.size < this.size) return;
    this.#start()
      .then(this.#started.resolve, (error: unknown) => {
        this.#started.reject(error);
        this.#worked.resolve();
      })
      .finally(() => this.#scratch?.then((scratch) => scratch.dispose()).catch(() => undefined));
  }

  async #start(): Promise<void> {
    const { deps } = this;
    const [first] = this.#members;
    if (first === undefined) return this.#worked.resolve();
    await this.#admitted.promise;
    const principal = await this.principal();
    const { json, report } = await deps.prepared.of(deps.automation, principal);
    this.#steps = report.steps.length;
    const alone = this.size === 1;
    const uuid = alone ? jobUuidOf(first.item) : jobUuid('group', jobUuidOf(first.item));
    const owner = deps.ownerOf(principal);
    this.#jobId = jobIdOf(uuid, owner, principal);
    await Promise.all(
      this.#members.map(async (member, part) => {
        const runId = jobIdOf(jobUuidOf(member.item), owner, principal);
        const place = { jobId: this.#jobId, runId, part: alone ? null : part };
        await member.settle(place).catch((error: unknown) => this.#lost.set(member, error));
      }),
    );
    if (this.#lost.size === this.#members.length) return this.#worked.resolve();
    const jobs = await deps.jobs();
    await jobs.start({
      kind: 'pipeline',
      path: `automations/${deps.automation.id}/run`,
      params: {},
      pipeline: json,
      each: !alone,
      owner,
      caller: principal,
      needs: deps.needsOf(report.steps.map(({ entry }) => entry)),
      // Somebody who waits for an answer comes first.
      urgency: 5,
      uuid,
      inputs: this.#members.map(({ input }) => input),
    });
  }
}
