import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ClusterNode } from '../../verification/cluster/cluster-node.js';
import { findStoreProgram, StoreServer } from '../../verification/cluster/store-server.js';
import { measureGrowth } from '../../verification/cluster/growth.js';
import { WireMeter } from '../../verification/cluster/wire-meter.js';
import type { Bench, BenchRow } from '../measure/bench.js';
import { Client, multipart, type MultipartBody } from '../measure/client.js';
import { commandsOf, idleNodes, type News } from '../measure/idle-nodes.js';
import { benchFolder, textPdf } from '../measure/inputs.js';
import { ownProcessorTime, processorTime } from '../measure/processor-time.js';
import { median, ms, times } from '../measure/statistics.js';
import { withServer } from '../measure/with-server.js';

const JOBS = 60;
const LANES = 4;
/** So many clients that jobs always wait in the queue; they poll less often each, so that polls stay few. */
const BUSY_LANES = 16;
const BUSY_JOBS = 160;
const POLL_MS_PER_LANE = 12.5;
const ROUNDS = 5;
const PATH = '/api/v1/general/rotate-pdf';
const TARGET_MS = 20;
const IDLE_SECONDS = 30;
const GROWTH = { counts: [1, 2, 3, 4], jobsPerNode: 30, jobMs: 200 };
const GROWTH_TARGET = 0.9;

/**
 * Submits jobs on several lanes and waits for each. Returns the milliseconds per job (total time divided by their
 * number, and the median of single jobs) and the number of polls.
 */
async function throughput(
  url: string,
  body: MultipartBody,
  jobs: number,
  background: boolean,
  lanes = LANES,
  follow: 'poll' | 'events' = 'poll',
): Promise<{ each: number; middle: number; polls: number }> {
  const took: number[] = [];
  let left = jobs;
  let polls = 0;
  const client = new Client(url);
  const start = performance.now();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (left-- > 0) {
        if (!background) {
          await client.post(PATH, body);
          continue;
        }
        const begun = performance.now();
        const answer = await submit(url, body);
        const { jobId } = (await answer.json()) as { jobId: string };
        // The stream ends when the job does.
        if (follow === 'events') await (await fetch(`${url}/api/v1/general/job/${jobId}/events`)).text();
        for (;;) {
          polls += 1;
          const record = (await (await fetch(`${url}/api/v1/general/job/${jobId}`)).json()) as {
            complete: boolean;
            error: string | null;
          };
          if (record.complete && record.error !== null) throw new Error(record.error);
          if (record.complete) break;
          await delay(lanes * POLL_MS_PER_LANE);
        }
        await (await fetch(`${url}/api/v1/general/job/${jobId}/result`)).arrayBuffer();
        took.push(performance.now() - begun);
      }
    }),
  );
  client.close();
  return { each: (performance.now() - start) / jobs, middle: median(took), polls };
}

/**
 * Submits a job. mongo-java-server sometimes fails when several clients insert at once ("Unknown error: null"), so up
 * to three attempts are made.
 */
async function submit(url: string, body: MultipartBody): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(`${url}${PATH}?async=true`, {
      method: 'POST',
      body: new Uint8Array(body.bytes),
      headers: { 'content-type': body.contentType },
    });
    if (answer.ok) return answer;
    if (tries === 3) throw new Error(`a job was answered ${answer.status}: ${await answer.text()}`);
  }
}

/**
 * Milliseconds for one job on each idle server: one client that follows the job's events, and the servers in turn,
 * because machines are noisy.
 */
async function calm(urls: readonly string[], body: MultipartBody): Promise<number[]> {
  const took = urls.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, url] of urls.entries())
      took[i]?.push((await throughput(url, body, JOBS / 3, true, 1, 'events')).middle);
  return took.map(median);
}

const cores = availableParallelism();
const rate = (each: number): string => `${(1000 / each).toFixed(1)} jobs/s, ${ms(each)} a job`;

/**
 * Jobs on one and two worker nodes with a shared store, next to the same jobs on the embedded store and as direct
 * calls.
 */
export const cluster: Bench = {
  name: 'cluster',
  run: async () => {
    const program = await findStoreProgram(process.env['QUIRE_STORE_PROGRAM']);
    const input = await textPdf(10);
    const body = await multipart([input], { angle: '90' });
    const env = { LIMITS_WORKERS: '1', JOBS_CONCURRENCY: '1' };
    const folder = await mkdtemp(join(benchFolder, 'cluster-'));
    const nodes: ClusterNode[] = [];
    const store = await StoreServer.start(program, folder);
    const meter = await WireMeter.start(store.port);
    const root = process.env['QUIRE_PRODUCT_ROOT'];
    const shared = {
      database: 'quire_bench',
      secret: randomBytes(32).toString('hex'),
      env,
      ...(root === undefined ? {} : { root }),
    };
    const add = async (name: string, role: 'all' | 'api' | 'worker', storeUrl = meter.url): Promise<ClusterNode> => {
      const node = await ClusterNode.start({ ...shared, storeUrl, name, role, base: join(folder, name) });
      nodes.push(node);
      return node;
    };
    try {
      // Without the meter, which costs time.
      const whole = await add('whole', 'all', store.url);
      const alone = await withServer(async ({ url }) => {
        await throughput(url, body, 20, false);
        const direct = (await throughput(url, body, JOBS, false)).each;
        await throughput(url, body, JOBS, true);
        await throughput(whole.url, body, JOBS, true);
        const [calmAlone = 0, calmShared = 0] = await calm([url, whole.url], body);
        return {
          direct,
          embedded: (await throughput(url, body, BUSY_JOBS, true, BUSY_LANES)).each,
          calm: calmAlone,
          overhead: calmShared - calmAlone,
        };
      }, env);
      const bare = await bareInsert(store.url);
      await whole.end('SIGTERM');
      const api = await add('api', 'api');
      await add('worker-1', 'worker');
      await throughput(api.url, body, 20, true);
      await delay(3000);
      meter.reset();
      await delay(IDLE_SECONDS * 1000);
      const idle = commandsOf(meter.read()) / IDLE_SECONDS;
      meter.reset();
      const start = performance.now();
      const counted = await throughput(api.url, body, JOBS, true);
      const seconds = (performance.now() - start) / 1000;
      const busy = meter.read();
      // A poll reads the record and, while the job waits, its place in the queue.
      const pollCost = await costOfPoll(api.url, meter);
      const perJob = (commandsOf(busy) - idle * seconds - counted.polls * pollCost) / JOBS;
      const bytes = (busy.toStore + busy.fromStore) / JOBS;
      // The upload is written and read, and so is a result of the same size.
      const files = body.bytes.length * 4;
      const [, worker] = nodes.filter(({ up }) => up);
      const processes = { client: undefined, store: store.pid, 'api node': api.pid, 'worker 1': worker?.pid };
      const one = await busyJobs(api.url, body, processes);
      const second = await add('worker-2', 'worker');
      const two = await busyJobs(api.url, body, { ...processes, 'worker 2': second.pid });
      await Promise.all(nodes.map((node) => node.end('SIGTERM')));
      const growth = await measureGrowth({ ...GROWTH, storeUrl: store.url, changeStreams: false });
      const single = growth[0]?.jobsPerSecond.toFixed(1);
      const idleRows = await idleByNews(program);
      await writeFile(
        fileURLToPath(new URL('../../verification/cluster/measured.json', import.meta.url)),
        `${JSON.stringify(
          {
            date: new Date().toISOString().slice(0, 10),
            operationsPerJob: Number(perJob.toFixed(1)),
            bytesPerJob: Math.max(0, Math.round(bytes - files)),
            fileCrossings: 2,
            idleOperationsPerSecond: Number((idle / 2).toFixed(2)),
            operationsPerPoll: Number(pollCost.toFixed(1)),
            growth: growth.map(({ nodes: count, ofLinear }) => ({
              nodes: count,
              ofLinear: Number(ofLinear.toFixed(2)),
            })),
          },
          undefined,
          2,
        )}\n`,
      );
      return [
        row('Jobs (rotate 10 pages) on 1 worker node, MongoDB', rate(one.each), {
          native: `${rate(alone.embedded)} (one server, embedded store); ${rate(alone.direct)} (direct calls)`,
          ratio: one.each / alone.embedded,
        }),
        row('Jobs on 2 worker nodes, MongoDB', rate(two.each), {
          native: `${rate(one.each)} (1 worker node)`,
          ratio: two.each / one.each,
        }),
        row('Processor time of such a job, all processes', `${ms(one.total)}, ${ms(two.total)} on 2 worker nodes`, {
          native: `${two.parts}; all ${cores} cores at work would do ${((1000 * cores) / two.total).toFixed(1)} jobs/s`,
          ratio: two.total / (cores * two.each),
        }),
        ...growth.slice(1).map(({ nodes: count, jobsPerSecond, ofLinear, busy: part }) =>
          row(
            `Jobs that only wait ${GROWTH.jobMs} ms, on ${count} worker nodes`,
            `${jobsPerSecond.toFixed(1)} jobs/s`,
            {
              native: `${single} jobs/s (1 worker node); busy ${Math.round(100 * part)} % of the time`,
              ratio: ofLinear,
              target: `≥ ${GROWTH_TARGET} of linear`,
              met: ofLinear >= GROWTH_TARGET,
            },
          ),
        ),
        row('Extra time per job with the shared store (one server, one client)', ms(alone.overhead), {
          native: `${ms(alone.calm)} for a job on the embedded store; ${ms(bare)} for a single insert into this store`,
          target: `≤ ${TARGET_MS} ms`,
          met: alone.overhead <= TARGET_MS,
        }),
        row('Commands to the store per job, without polls', perJob.toFixed(1), {
          native: [...busy.commands]
            .sort((a, b) => b[1] - a[1])
            .slice(0, 6)
            .map(([name, times]) => `${name} ${(times / JOBS).toFixed(1)}`)
            .join(', '),
        }),
        row('Bytes to and from the store per job', `${(bytes / 1000).toFixed(0)} kB`, {
          native: `${(files / 1000).toFixed(0)} kB (its file and its result, each written and read)`,
        }),
        ...idleRows,
      ];
    } finally {
      await Promise.all(nodes.map((node) => node.end('SIGTERM')));
      await meter.close();
      await store.kill('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function row(what: string, ours: string, more: Partial<BenchRow> = {}): BenchRow {
  return { what, ours, native: '', ratio: undefined, target: '', met: undefined, ...more };
}

/** Jobs while some always wait, and the processor time of one in each process; undefined is this one. */
async function busyJobs(
  url: string,
  body: MultipartBody,
  processes: Readonly<Record<string, number | undefined>>,
): Promise<{ readonly each: number; readonly total: number; readonly parts: string }> {
  await throughput(url, body, BUSY_LANES * 2, true, BUSY_LANES);
  const used = (): number[] =>
    Object.values(processes).map((pid) => (pid === undefined ? ownProcessorTime() : processorTime(pid)));
  const before = used();
  const { each } = await throughput(url, body, BUSY_JOBS, true, BUSY_LANES);
  const spent = used().map((time, i) => (time - (before[i] ?? 0)) / BUSY_JOBS);
  return {
    each,
    total: spent.reduce((sum, time) => sum + time, 0),
    parts: Object.keys(processes)
      .map((name, i) => `${name} ${ms(spent[i] ?? 0)}`)
      .join(', '),
  };
}

/** What two idle nodes ask the store, by how they hear of one another. */
async function idleByNews(program: string): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const news of ['asking', 'change streams', 'valkey'] as const satisfies readonly News[]) {
    const found = await idleNodes(program, news, IDLE_SECONDS);
    if (found !== undefined)
      rows.push(
        row(`Commands of two idle nodes together, ${news}`, `${found.perSecond.toFixed(2)}/s`, { native: found.most }),
      );
  }
  return rows;
}

/** Milliseconds for one small document, written and read: the speed of the store on this machine. */
async function bareInsert(url: string): Promise<number> {
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(url, { writeConcern: { w: 'majority', journal: true } });
  try {
    const documents = client.db('bare').collection('documents');
    return median(await times(200, () => documents.insertOne({ text: 'x'.repeat(500) })));
  } finally {
    await client.close();
  }
}

/**
 * Commands of a poll, measured as the queries for jobs that do not exist. For a waiting job its place in the queue is
 * queried too.
 */
async function costOfPoll(url: string, meter: WireMeter): Promise<number> {
  const times = 20;
  meter.reset();
  for (let i = 0; i < times; i++) await (await fetch(`${url}/api/v1/general/job/none-${i}`)).arrayBuffer();
  return Math.max(1, (meter.read().commands.get('find') ?? 0) / times);
}
