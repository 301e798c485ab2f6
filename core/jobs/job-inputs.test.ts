import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { completed, jobRequest, testJobService } from '../../test/suites/job-harness.js';
import { openStore } from '../store/index.js';

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
});
