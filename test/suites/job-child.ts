import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from '../../core/store/index.js';
import { jobRequest, testJobService } from './job-harness.js';

/**
 * A server process for the kill tests: `job-child.ts <folder> <jobs to start> <ms a job takes>`. Writes one line per
 * start and per job to `journal`, with its answer; runs until it is killed.
 */
const [folder = '', count = '0', ms = '0'] = process.argv.slice(2);
const journal = (line: string): Promise<void> => appendFile(join(folder, 'journal'), `${line}\n`);

const store = await openStore({ kind: 'embedded', folder: join(folder, 'store') });
const outputs = join(folder, 'outputs');
await mkdir(outputs, { recursive: true });
const jobs = testJobService(
  store,
  async (job) => {
    await journal(`start ${job.jobId} ${job.attempts}`);
    await new Promise((resolve) => setTimeout(resolve, Number(ms)));
    const path = join(outputs, `${job.jobId}-${job.attempts}`);
    await writeFile(path, `result of ${job.jobId}`);
    return { files: [{ path, name: 'result.pdf', mediaType: 'application/pdf', kind: 'pdf' }] };
  },
  { concurrency: 2, attempts: 50 },
);
await jobs.recover();
for (let n = 0; n < Number(count); n += 1)
  await journal(`job ${(await jobs.start(jobRequest({ params: { password: 's3cr3t-canary' } }))).jobId}`);
await journal('ready');
