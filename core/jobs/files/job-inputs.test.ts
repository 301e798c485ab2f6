import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { completed, jobRequest, testJobService } from '../../../test/suites/job-harness.js';
import { fileDigest, openStore } from '../../store/index.js';

const inodeOf = async (path: string): Promise<number> => (await stat(path)).ino;

describe('Files of a job on an embedded store', () => {
  it('are never copied: upload, stored input, result and stored result are two files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-inputs-'));
    const store = await openStore({ kind: 'embedded', folder: join(folder, 'store') });
    const [upload, output] = [join(folder, 'upload'), join(folder, 'output')];
    await writeFile(upload, 'upload');
    const before = await inodeOf(upload);
    const seen: { input: number; output: number } = { input: 0, output: 0 };
    const jobs = testJobService(store, async ({ inputs }) => {
      seen.input = await inodeOf(inputs[0]?.path ?? '');
      await writeFile(output, 'output');
      seen.output = await inodeOf(output);
      return { files: [{ path: output, name: 'o.pdf', mediaType: 'application/pdf', kind: 'pdf' }] };
    });
    try {
      await jobs.recover();
      const input = { field: 'fileInput', name: 'a.pdf', kind: 'pdf', path: upload };
      const record = await completed(jobs, (await jobs.start(jobRequest({ inputs: [input] }))).jobId);
      expect(seen.input).to.equal(before);
      const kept = await jobs.resultOnDisk(record, record.allResultFiles[0]?.fileId ?? '', () => expect.fail('copied'));
      expect(await inodeOf(kept ?? '')).to.equal(seen.output);
    } finally {
      await jobs.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('are compared after a restart when the machine may have lost their bytes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-inputs-'));
    const upload = join(folder, 'upload');
    await writeFile(upload, 'upload');
    const sha256 = (await fileDigest(upload)) ?? '';
    const input = { field: 'fileInput', name: 'a.pdf', kind: 'pdf', path: upload, sha256 };
    let store = await openStore({ kind: 'embedded', folder: join(folder, 'store') });
    // Nothing runs before the machine "stops".
    const first = testJobService(store, async () => ({ files: [] }));
    const whole = await first.start(jobRequest({ inputs: [input] }));
    const uuid = randomUUID();
    const torn = await first.start(jobRequest({ inputs: [input], uuid }));
    const tornBlob = (await first.get(torn.jobId))?.inputs[0]?.blobId ?? '';
    await first.close();
    // The stored inputs are one file with the upload.
    const path = store.blobs.area('jobs').path(tornBlob) ?? '';
    await rm(path);
    await writeFile(path, 'uplo\0\0');
    await store.close();

    store = await openStore({ kind: 'embedded', folder: join(folder, 'store') });
    const second = testJobService(store, async () => ({ files: [] }));
    try {
      // Whoever started it asks again, as an automation does after a crash.
      await second.start(jobRequest({ inputs: [input], uuid }));
      await second.recover();
      expect((await completed(second, whole.jobId)).status).to.equal('succeeded');
      expect((await completed(second, torn.jobId)).failure?.code).to.equal('JOB_FILE_LOST');
    } finally {
      await second.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
