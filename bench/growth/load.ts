import { setTimeout as delay } from 'node:timers/promises';
import { sendJson } from '../measure/automation-calls.js';
import { Client, multipart, type MultipartBody } from '../measure/client.js';
import { textPdf } from '../measure/inputs.js';
import { lanes } from '../measure/lanes.js';
import { median, times } from '../measure/statistics.js';
import { withServer } from '../measure/with-server.js';
import { withPeak } from './measure.js';
import type { Axis, Line, Point } from './series.js';

const SECONDS = 4;
const ROTATE = '/api/v1/general/rotate-pdf';
const rotation = async (pageCount: number): Promise<MultipartBody> =>
  multipart([await textPdf(pageCount)], { angle: '90' });

/** Clients that rotate ten pages without a pause. */
export const clients: Axis = {
  name: 'clients',
  title: 'Clients at once',
  unit: 'clients, each with one call after another',
  measure: () =>
    withServer(
      async ({ url, pid }) => {
        const body = await rotation(10);
        const points: Point[] = [];
        for (const x of [1, 2, 4, 8, 16, 32, 64, 128, 256]) {
          const client = new Client(url);
          const call = (): Promise<number> => client.post(ROTATE, body);
          await lanes(x, 1, call);
          points.push({ x, ...(await withPeak(pid, async () => median(await lanes(x, SECONDS, call)))) });
          client.close();
        }
        return [{ name: 'rotate ten pages', points }];
        // By default 54 calls wait on two cores, and further ones are refused with 429.
      },
      { LIMITS_QUEUELENGTH: '1000' },
    ),
};

/** As many as a server takes at once when it is filled. */
const FILLERS = 16;
const STARTS = 30;

/** Jobs that wait: the time in which another one is accepted, and that for each job that is done meanwhile. */
export const queue: Axis = {
  name: 'queue',
  title: 'Waiting jobs',
  unit: 'jobs that wait',
  measure: () =>
    withServer(
      async ({ url, pid }) => {
        const body = await rotation(1);
        const client = new Client(url);
        const submit = (): Promise<number> => client.post(`${ROTATE}?async=true`, body);
        const accepted: Point[] = [];
        const done: Point[] = [];
        for (const x of [0, 100, 1000, 10_000, 100_000]) {
          await fill(url, x, submit);
          const peak = await withPeak(pid, async () => median(await times(STARTS, submit)));
          accepted.push({ x, ...peak });
          if (x > 0) done.push({ x, ms: await perJob(url), mb: peak.mb });
        }
        client.close();
        return [
          { name: 'accept a job', points: accepted },
          { name: 'for each job done', points: done },
        ] satisfies Line[];
      },
      { JOBS_MAXQUEUED: '1000000', JOBS_CONCURRENCY: '1' },
    ),
};

async function waiting(url: string): Promise<number> {
  const { queuedJobs } = await sendJson<{ queuedJobs: number }>(url, 'GET', 'admin/job/queue/stats');
  return queuedJobs;
}

async function fill(url: string, length: number, submit: () => Promise<unknown>): Promise<void> {
  while ((await waiting(url)) < length)
    await Promise.all(
      Array.from({ length: FILLERS }, async () => {
        for (let i = 0; i < 20; i++) await submit();
      }),
    );
}

/** Milliseconds for each job that is done while nothing new arrives. */
async function perJob(url: string): Promise<number> {
  const before = await waiting(url);
  const began = performance.now();
  await delay(SECONDS * 1000);
  const after = await waiting(url);
  return (performance.now() - began) / Math.max(1, before - after);
}
