import { isQuireError } from '@quire/registry/errors';
import type { JobExecutor } from '../../core/jobs/job-executor.js';
import type { JobSettings } from '../../core/jobs/job-options.js';
import type { JobService } from '../../core/jobs/job-service.js';
import type { Store } from '../../core/store/index.js';
import { outputFolder, testJobService, type OutputFolder } from './job-harness.js';
import type { TemporaryStore } from './temporary-store.js';

/** Shared by tests of the job service: a new store for each test, and services on it that are closed afterwards. */
export interface JobServices {
  readonly store: Store;
  readonly out: OutputFolder;
  /** A started service. */
  service(execute: JobExecutor, settings?: Partial<JobSettings>): Promise<JobService>;
  /** Closes a service after the test. */
  closeAfterwards(jobs: JobService): void;
  /** The code of the error that the work rejects with. */
  codeOf(work: Promise<unknown>): Promise<string | undefined>;
  /** An executor that waits for the gate or the abort. */
  waiting(opened: Promise<void>, onAbort?: () => void): JobExecutor;
  blobCount(): Promise<number>;
}

/** Registers the hooks; call it in a describe block. */
export function useJobServices(make: () => Promise<TemporaryStore>): JobServices {
  let home: TemporaryStore;
  let store: Store;
  let out: OutputFolder;
  const services: JobService[] = [];
  const service = async (execute: JobExecutor, settings: Partial<JobSettings> = {}): Promise<JobService> => {
    const jobs = testJobService(store, execute, settings);
    services.push(jobs);
    await jobs.recover();
    return jobs;
  };
  const codeOf = async (work: Promise<unknown>): Promise<string | undefined> => {
    try {
      await work;
      return undefined;
    } catch (error) {
      return isQuireError(error) ? error.code : String(error);
    }
  };
  const waiting =
    (opened: Promise<void>, onAbort: () => void = () => undefined): JobExecutor =>
    (_job, { signal }) =>
      new Promise((resolve, reject) => {
        void opened.then(() => resolve({ files: [], json: { ok: true } }));
        const end = (): void => {
          onAbort();
          reject(signal.reason);
        };
        // A job that is cancelled as soon as it is running may be aborted before its work begins.
        if (signal.aborted) end();
        else signal.addEventListener('abort', end);
      });
  const blobCount = async (): Promise<number> => {
    let n = 0;
    for await (const blob of store.blobs.area('jobs').list()) n += blob.id ? 1 : 0;
    return n;
  };

  beforeEach(async () => {
    home = await make();
    store = await home.open();
    out = await outputFolder();
  });
  afterEach(async () => {
    for (const jobs of services.splice(0)) await jobs.close();
    await store.close();
    await home.remove();
    await out.remove();
  });

  return {
    get store() {
      return store;
    },
    get out() {
      return out;
    },
    service,
    closeAfterwards: (jobs) => void services.push(jobs),
    codeOf,
    waiting,
    blobCount,
  };
}
