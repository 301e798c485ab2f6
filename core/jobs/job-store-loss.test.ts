import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { OperationalError } from '@quire/registry/errors';
import { completed, jobRequest, testJobService, until } from '../../test/suites/job-harness.js';
import { openStore, type Identified, type Records, type RecordsOptions, type Store } from '../store/index.js';
import { layOutInputs } from './files/job-inputs.js';
import type { JobRecord } from './job-record.js';

describe('a store that becomes unreachable while a job is accepted', () => {
  let folder: string;
  let store: Store;
  let upload: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-loss-'));
    store = await openStore({ kind: 'embedded', folder: join(folder, 'store') });
    upload = join(folder, 'upload.pdf');
    await writeFile(upload, 'the upload');
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The store with some methods of the job records replaced. */
  const withJobs = (change: (records: Records<JobRecord>) => Partial<Records<JobRecord>>): Store => ({
    ...store,
    records: <T extends Identified>(name: string, options?: RecordsOptions): Records<T> => {
      const records = store.records<T>(name, options);
      if (name !== 'jobs') return records;
      const changed = change(records as unknown as Records<JobRecord>);
      return new Proxy(records, {
        get: (target, member) => {
          const found: unknown = Reflect.get(changed, member) ?? Reflect.get(target, member, target);
          return typeof found === 'function' ? found.bind(target) : found;
        },
      });
    },
  });
  const down = (): Promise<never> => Promise.reject(new OperationalError('STORE_DOWN'));
  const request = jobRequest({ inputs: [{ field: 'fileInput', name: 'a.pdf', kind: 'pdf', path: '' }] });
  const start = (jobs: ReturnType<typeof testJobService>): Promise<unknown> =>
    jobs.start({ ...request, inputs: request.inputs.map((input) => ({ ...input, path: upload })) }).then(
      () => undefined,
      (error: unknown) => error,
    );
  const blobs = async (): Promise<string[]> => {
    const ids: string[] = [];
    for await (const { id } of store.blobs.area('jobs').list()) ids.push(id);
    return ids;
  };

  it('leaves an intact job with its upload if the record was written but the response was lost', async () => {
    const lossy = testJobService(
      withJobs((records) => ({ insert: async (record) => records.insert(record).then(down), delete: down })),
      async () => ({ files: [] }),
    );
    expect(await start(lossy)).to.have.property('code', 'STORE_DOWN');
    await lossy.close();
    const [record] = await store.records<JobRecord>('jobs').find();
    expect(record?.inputs.map(({ blobId }) => blobId)).to.deep.equal(await blobs());
    const jobs = testJobService(store, async (job) => ({ files: [], json: job.inputs.length }));
    await jobs.recover();
    expect(await completed(jobs, record?.jobId ?? '')).to.deep.include({ status: 'succeeded', result: 1 });
    await jobs.close();
  });

  it('leaves nothing if the record was not written', async () => {
    const jobs = testJobService(
      withJobs(() => ({ insert: down })),
      async () => ({ files: [] }),
    );
    expect(await start(jobs)).to.have.property('code', 'STORE_DOWN');
    expect(await blobs()).to.deep.equal([]);
    await jobs.close();
  });

  it('starts a job once whose claim was written but not answered', async () => {
    let lost = 0;
    const jobs = testJobService(
      withJobs((records) => ({
        update: async (id, change, when) => {
          const written = await records.update(id, change, when);
          return change.set?.status === 'running' && lost++ < 2 ? down() : written;
        },
      })),
      async () => ({ files: [], json: 'done' }),
    );
    await jobs.recover();
    const { jobId } = await jobs.start(jobRequest());
    expect(await completed(jobs, jobId)).to.include({ status: 'succeeded', result: 'done', attempts: 1 });
    expect(lost).to.equal(3);
    await jobs.close();
  });

  it('runs a job again whose return to the queue was written but not answered', async () => {
    let lost = 0;
    let runs = 0;
    const jobs = testJobService(
      withJobs((records) => ({
        update: async (id, change, when) => {
          const written = await records.update(id, change, when);
          return change.set?.status === 'queued' && lost++ === 0 ? down() : written;
        },
      })),
      async () => {
        runs += 1;
        if (runs === 1) throw new OperationalError('STORE_DOWN');
        return { files: [], json: 'second' };
      },
    );
    await jobs.recover();
    const { jobId } = await jobs.start(jobRequest());
    expect(await completed(jobs, jobId)).to.include({ status: 'succeeded', result: 'second', attempts: 1 });
    expect({ lost, runs }).to.deep.equal({ lost: 2, runs: 2 });
    await jobs.close();
  });

  it('keeps the result of a job whose end was written but not answered', async () => {
    const result = join(folder, 'result.pdf');
    await writeFile(result, 'the result');
    let lost = 0;
    const lossy = testJobService(
      withJobs((records) => ({
        update: async (id, change, when) => {
          const written = await records.update(id, change, when);
          return change.set?.complete === true && lost++ === 0 ? down() : written;
        },
      })),
      async () => ({ files: [{ path: result, name: 'a.pdf', kind: 'pdf', mediaType: 'application/pdf' }] }),
    );
    await lossy.recover();
    const { jobId } = await lossy.start({
      ...request,
      inputs: request.inputs.map((input) => ({ ...input, path: upload })),
    });
    const record = await completed(lossy, jobId);
    await until(() => (lost === 2 ? lost : undefined));
    await lossy.close();
    expect(record).to.include({ status: 'succeeded' });
    expect(await blobs()).to.deep.equal(record.allResultFiles.map(({ fileId }) => fileId));
  });

  it('fails a job whose upload is missing instead of waiting for it', async () => {
    const elsewhere = { ...store.blobs, path: () => undefined, get: async () => undefined };
    const error: unknown = await layOutInputs(
      elsewhere,
      [{ field: 'fileInput', name: 'a.pdf', kind: 'pdf', blobId: '0'.repeat(32) }],
      { isCached: true, temporaryFolder: folder },
    ).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.have.property('code', 'JOB_FILE_LOST');
  });
});
