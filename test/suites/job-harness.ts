import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@quire/registry';
import {
  createJobService,
  type JobExecutor,
  type JobOutput,
  type JobRecord,
  type JobRequest,
  type JobService,
  type JobServiceOptions,
  type JobSettings,
} from '../../core/jobs/index.js';
import type { Store } from '../../core/store/index.js';
import type { TemporaryStore } from './temporary-store.js';

/** A log that writes nothing. */
export const silentLog: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Encryption key of the tests; the same in every process. */
const testKey = Buffer.alloc(32, 7);

/** Job service for tests: short polling intervals, one job at a time by default. */
export function testJobService(
  store: Store,
  execute: JobExecutor,
  settings: Partial<JobSettings> = {},
  more: Partial<JobServiceOptions> = {},
): JobService {
  return createJobService({
    store,
    execute,
    log: silentLog,
    clock: { now: () => new Date() },
    secretKey: testKey,
    settings: {
      resultExpiryMinutes: 30,
      cleanupIntervalMinutes: 10,
      limit: { limitMs: 60_000, totalTimes: 1 },
      concurrency: 1,
      maxQueued: 50,
      ...settings,
    },
    timing: { lockLifetimeMs: 1500, touchMs: 300, pollMs: 200, abortGraceMs: 300 },
    ...more,
  });
}

/** Job services on the store of each test, closed after it. Call it in a suite of stores. */
export function jobServices(make: () => Promise<TemporaryStore>): {
  readonly store: Store;
  open(execute: JobExecutor, settings?: Partial<JobSettings>, more?: Partial<JobServiceOptions>): Promise<JobService>;
} {
  let home: TemporaryStore;
  let store: Store;
  const services: JobService[] = [];
  beforeEach(async () => {
    home = await make();
    store = await home.open();
  });
  afterEach(async () => {
    for (const jobs of services.splice(0)) await jobs.close();
    await store.close();
    await home.remove();
  });
  return {
    get store() {
      return store;
    },
    open: async (execute, settings = {}, more = {}) => {
      const jobs = testJobService(store, execute, settings, more);
      services.push(jobs);
      await jobs.recover();
      return jobs;
    },
  };
}

/** A request for a job without uploads. */
export function jobRequest(more: Partial<JobRequest> = {}): JobRequest {
  return { kind: 'operation', path: 'general/rotate-pdf', params: { angle: 90 }, inputs: [], owner: '', ...more };
}

/** Waits until the job is complete; throws after the limit. */
export async function completed(jobs: JobService, jobId: string, limitMs = 20_000): Promise<JobRecord> {
  return until(async () => {
    const record = await jobs.get(jobId);
    return record?.complete ? record : undefined;
  }, limitMs);
}

/** Polls until there is a value; throws after the limit. */
export async function until<R>(ask: () => Promise<R | undefined> | R | undefined, limitMs = 20_000): Promise<R> {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = await ask();
    if (value !== undefined) return value;
    if (Date.now() > end) throw new Error('no value before the time limit');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A temporary folder for outputs. */
export interface OutputFolder {
  write(name: string, content: string): Promise<JobOutput>;
  remove(): Promise<void>;
}

/** Creates a temporary folder that executors write their outputs to. */
export async function outputFolder(): Promise<OutputFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-out-'));
  let n = 0;
  return {
    write: async (name, content) => {
      n += 1;
      const path = join(folder, `o${n}`);
      await writeFile(path, content);
      return { path, name, mediaType: 'application/pdf', kind: 'pdf' };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/**
 * Rejects with the reason of the signal when it is aborted: at once if it was, as for a job that is cancelled or put
 * back before its work begins.
 */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** A promise that is resolved from outside. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}
