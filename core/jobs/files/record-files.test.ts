import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import {
  completed,
  jobRequest,
  jobServices,
  outputFolder,
  until,
  type OutputFolder,
} from '../../../test/suites/job-harness.js';
import { describeStores } from '../../../test/suites/temporary-store.js';
import { Leases, READS_ATTACHED, SteadyClock, unmet, type LeaseRecord, type Needs } from '../cluster/index.js';
import type { JobCluster } from '../job-options.js';
import type { JobExecutor, JobInput } from '../job-executor.js';
import type { JobRecord } from '../job-record.js';
import type { JobService } from '../job-service.js';

const LARGE = 130 * 1024;

describeStores('Small files of a job', (make, kind) => {
  const on = jobServices(make);
  const paths: string[] = [];
  let outputs: OutputFolder;
  beforeEach(async () => {
    outputs = await outputFolder();
  });
  afterEach(async () => {
    await outputs.remove();
    for (const path of paths.splice(0)) await rm(path, { force: true });
  });

  const upload = async (content: Buffer | string, name = 'a.pdf'): Promise<JobInput> => {
    const path = join(tmpdir(), `quire-upload-${randomUUID()}`);
    paths.push(path);
    await writeFile(path, content);
    return { field: 'fileInput', name, kind: 'pdf', path };
  };
  /** Returns each input with a mark, and a second file. */
  const marked: JobExecutor = async ({ inputs }) => {
    const files = [];
    for (const { name, path } of inputs)
      files.push(await outputs.write(name, `${(await readFile(path)).toString('latin1')} marked`));
    files.push(await outputs.write('note.txt', 'second'));
    return { files };
  };
  const blobs = async (): Promise<number> => {
    let count = 0;
    for await (const _ of on.store.blobs.area('jobs').list()) count += 1;
    return count;
  };
  const contentOf = async (jobs: JobService, record: JobRecord, index = 0): Promise<string> => {
    const file = await jobs.openResult(record, record.allResultFiles[index]?.fileId ?? '');
    return (await buffer(file?.stream ?? expect.fail('no result'))).toString('latin1');
  };

  it('come to the work and back as they were, and go with the job', async () => {
    const jobs = await on.open(marked);
    const inputs = [await upload('one', '1.pdf'), await upload('', 'empty.pdf')];
    const { jobId } = await jobs.start(jobRequest({ inputs }));
    const record = await completed(jobs, jobId);
    expect(record.error).to.equal(null);
    expect(await Promise.all([0, 1, 2].map((at) => contentOf(jobs, record, at)))).to.deep.equal([
      'one marked',
      ' marked',
      'second',
    ]);
    const read = (await jobs.get(jobId, true)) ?? expect.fail('gone');
    expect(await contentOf(jobs, read), 'read with the record').to.equal('one marked');
    const [first] = record.allResultFiles;
    expect(first?.fileSize).to.equal(10);
    const part = await jobs.openFile(first?.fileId ?? '', { start: 4, end: 7 });
    expect([part?.size, (await buffer(part?.stream ?? expect.fail('none'))).toString()]).to.deep.equal([10, 'mark']);
    expect((await jobs.describeFile(first?.fileId ?? ''))?.fileName).to.equal('1.pdf');
    const place = join(tmpdir(), `quire-place-${randomUUID()}`);
    paths.push(place);
    const path = await jobs.resultOnDisk(record, first?.fileId ?? '', () => place);
    expect((await readFile(path ?? '')).toString()).to.equal('one marked');
    await jobs.forget(jobId);
    expect([await jobs.openFile(first?.fileId ?? ''), await blobs()]).to.deep.equal([undefined, 0]);
  });

  it('refuse a range beyond their end', async () => {
    const jobs = await on.open(marked);
    const record = await completed(jobs, (await jobs.start(jobRequest({ inputs: [await upload('one')] }))).jobId);
    const open = jobs.openResult(record, record.allResultFiles[0]?.fileId ?? '', { start: 10 });
    expect(
      await open.then(
        () => 'opened',
        (error: Error) => error.name,
      ),
    ).to.equal('RangeError');
  });

  it('are kept through a start that was interrupted', async () => {
    const first = await on.open(
      (_, { signal }) =>
        new Promise((_done, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    const { jobId } = await first.start(jobRequest({ inputs: [await upload('again')] }));
    await until(async () => ((await first.get(jobId))?.status === 'running' ? true : undefined));
    await first.close();
    const second = await on.open(marked);
    const record = await completed(second, jobId);
    expect(await contentOf(second, record)).to.equal('again marked');
  });

  if (kind === 'embedded') return;

  const stored = async (jobId: string): Promise<{ readonly names: string[]; readonly bytes: number }> => {
    const document = await on.store.mongo?.database
      .collection<{ _id: string; _attached?: Record<string, Buffer> }>('jobs')
      .findOne({ _id: jobId }, { promoteBuffers: true });
    const files = Object.entries(document?._attached ?? {});
    return { names: files.map(([name]) => name), bytes: files.reduce((sum, [, { length }]) => sum + length, 0) };
  };
  const node = (abilities: Readonly<Record<string, string>>, readByAll: boolean, runsJobs = true): JobCluster => {
    const clock = new SteadyClock();
    const own = new Map(Object.entries(abilities));
    return {
      runsJobs,
      clock,
      leases: new Leases({ records: on.store.records<LeaseRecord>('leases'), now: () => clock.now() }),
      unmetHere: (needs: Needs) => unmet(needs, own),
      unmetAnywhere: async (needs: Needs) => unmet(needs, own),
      readAttached: async () => readByAll,
      sweep: async () => undefined,
    };
  };
  const current = { [READS_ATTACHED.path]: READS_ATTACHED.version };

  it('are with the record, inputs until its end and then results, and no blobs', async () => {
    const web = await on.open(marked, {}, { cluster: node(current, true, false) });
    const { jobId } = await web.start(jobRequest({ inputs: [await upload('12345'), await upload('678')] }));
    expect(await stored(jobId)).to.include({ bytes: 8 });
    expect((await web.get(jobId))?.inputs.map(({ attached }) => attached)).to.deep.equal([true, true]);
    const worker = await on.open(marked, {}, { cluster: node(current, true) });
    const record = await completed(worker, jobId);
    expect(record).to.include({ status: 'succeeded', resultsAttached: true });
    expect((await stored(jobId)).names).to.have.members(record.allResultFiles.map(({ fileId }) => fileId));
    expect(await blobs()).to.equal(0);
    expect(Object.keys(record)).to.not.include('_attached');
  });

  it('are removed from the record of a job that fails or is cancelled', async () => {
    const failing = await on.open(async () => {
      throw new Error('broken');
    });
    const failed = (await failing.start(jobRequest({ inputs: [await upload('secret')] }))).jobId;
    expect((await completed(failing, failed)).status).to.equal('failed');
    expect(await stored(failed)).to.deep.equal({ names: [], bytes: 0 });
    await failing.close();
    const web = await on.open(marked, {}, { cluster: node(current, true, false) });
    const cancelled = (await web.start(jobRequest({ inputs: [await upload('secret')] }))).jobId;
    expect((await stored(cancelled)).bytes).to.equal(6);
    await web.cancel(cancelled);
    expect(await stored(cancelled)).to.deep.equal({ names: [], bytes: 0 });
  });

  it('are stored apart when they are large together', async () => {
    const jobs = await on.open(marked, {}, { cluster: node(current, true, false) });
    const half = Buffer.alloc(LARGE / 2, 'x');
    const { jobId } = await jobs.start(jobRequest({ inputs: [await upload(half), await upload(half)] }));
    expect([await stored(jobId), await blobs()]).to.deep.equal([{ names: [], bytes: 0 }, 2]);
    const worker = await on.open(marked);
    const record = await completed(worker, jobId);
    expect(await contentOf(worker, record)).to.equal(`${half.toString('latin1')} marked`);
    expect(record.resultsAttached).to.equal(undefined);
  });

  it('are stored apart while a node is there that does not know of them', async () => {
    const web = await on.open(marked, {}, { cluster: node(current, false, false) });
    const { jobId } = await web.start(jobRequest({ inputs: [await upload('old')] }));
    expect([await stored(jobId), await blobs()]).to.deep.equal([{ names: [], bytes: 0 }, 1]);
    const worker = await on.open(marked, {}, { cluster: node(current, false) });
    const record = await completed(worker, jobId);
    expect(record.resultsAttached).to.equal(undefined);
    expect(await contentOf(worker, record)).to.equal('old marked');
  });

  it('are never looked for by a node that does not know of them', async () => {
    const web = await on.open(marked, {}, { cluster: node(current, true, false) });
    const { jobId } = await web.start(jobRequest({ inputs: [await upload('new')] }));
    const earlier = await on.open(marked, {}, { cluster: node({}, true) });
    const { jobId: other } = await web.start(jobRequest());
    expect((await completed(earlier, other)).status, 'others are run').to.equal('succeeded');
    expect((await web.get(jobId))?.status).to.equal('queued');
    const worker = await on.open(marked, {}, { cluster: node(current, true) });
    expect(await contentOf(worker, await completed(worker, jobId))).to.equal('new marked');
  });
});
