import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuiltServer } from '../../verification/corpus/built-server.js';
import type { Bench } from '../measure/bench.js';
import { Client, multipart, type MultipartBody } from '../measure/client.js';
import { benchFolder, textPdf } from '../measure/inputs.js';
import { median } from '../measure/statistics.js';
import { create, sendJson, type Sent } from '../measure/automation-calls.js';
import { withServer } from '../measure/with-server.js';

const FILES = 1000;
const ROUNDS = 3;
const WARM_FILES = 100;
const PATIENCE_MS = 300_000;
const TARGET = 0.8;
/** Numbers of clients, of which the fastest is compared with. */
const CLIENTS = [2, 4, 8, 16];

const pipeline = [
  { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } },
  { operation: '/api/v1/misc/add-page-numbers', parameters: {} },
  { operation: '/api/v1/misc/update-metadata', parameters: { title: 'Bench' } },
];

interface Folders {
  readonly incoming: string;
  readonly outgoing: string;
}

/** Seconds for a pipeline over all files, called by some clients at once. */
async function direct(url: string, bodies: readonly MultipartBody[], clients: number): Promise<number> {
  const client = new Client(url);
  const begun = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let body = bodies[next++]; body !== undefined; body = bodies[next++])
        await client.post('/api/v1/pipeline/handleData', body);
    }),
  );
  client.close();
  return (performance.now() - begun) / 1000;
}

/** Seconds from the start of an automation on a folder to the delivery of the last file. */
async function automatic(url: string, id: string, files: readonly string[], folders: Folders): Promise<number> {
  await rm(folders.outgoing, { recursive: true, force: true });
  await mkdir(folders.outgoing);
  const names = randomUUID();
  for (const [n, path] of files.entries()) await link(path, join(folders.incoming, `${names}-${n}.pdf`));
  const begun = performance.now();
  await sendJson(url, 'POST', `automations/${id}/trigger`);
  for (;;) {
    await delay(50);
    if (performance.now() - begun > PATIENCE_MS) throw new Error('the automation did not come to its end');
    if ((await readdir(folders.outgoing)).filter((name) => !name.startsWith('.')).length < files.length) continue;
    const { files: states } = await sendJson<{ files: Record<string, number> }>(url, 'GET', `automations/${id}`);
    if (states['waiting'] === 0 && states['running'] === 0 && states['delivering'] === 0) break;
  }
  const seconds = (performance.now() - begun) / 1000;
  if ((await readdir(folders.incoming)).length > 0) throw new Error('files were left in the source');
  return seconds;
}

async function newAutomation(url: string, { incoming, outgoing }: Folders): Promise<Sent> {
  const source = await create(url, 'sources', { name: 'In', type: 'folder', options: { directory: incoming } });
  return create(url, 'automations', {
    name: 'Three steps',
    work: { pipeline },
    inputs: [{ source: source.id, trigger: { type: 'manual' } }],
    destinations: [{ type: 'folder', options: { directory: outgoing } }],
  });
}

const rate = (seconds: readonly number[]): number => FILES / median(seconds);
const perSecond = (value: number): string => `${value.toFixed(1)} files/s`;

/** A thousand files through an automation, and through direct calls of the same pipeline, in turns. */
export const automationRate: Bench = {
  name: 'automations',
  run: async () => {
    const base = join(benchFolder, `automations-${process.pid}`);
    const folders = { incoming: join(base, 'in'), outgoing: join(base, 'out') };
    await mkdir(folders.incoming, { recursive: true });
    const files: string[] = [];
    for (let n = 0; n < FILES; n++) files.push(await textPdf(1, `file-${n}`));
    const json = JSON.stringify({ name: 'bench', pipeline });
    const bodies: MultipartBody[] = [];
    for (const path of files) bodies.push(await multipart([path], { json }));
    try {
      return await withServer(
        async ({ url }: BuiltServer) => {
          const { id } = await newAutomation(url, folders);
          const warm = bodies.slice(0, WARM_FILES);
          await direct(url, warm, 4);
          await automatic(url, id, files.slice(0, WARM_FILES), folders);
          const tried: { readonly clients: number; readonly seconds: number }[] = [];
          for (const clients of CLIENTS) tried.push({ clients, seconds: await direct(url, bodies, clients) });
          const { clients } = tried.reduce((best, one) => (one.seconds < best.seconds ? one : best));
          const found = { direct: [] as number[], automatic: [] as number[], ratios: [] as number[] };
          for (let round = 0; round < ROUNDS; round++) {
            const called = await direct(url, bodies, clients);
            const automated = await automatic(url, id, files, folders);
            found.direct.push(called);
            found.automatic.push(automated);
            found.ratios.push(called / automated);
          }
          const ratio = median(found.ratios);
          return [
            {
              what: `${FILES} one-page files through an automation of three steps, folder to folder`,
              ours: perSecond(rate(found.automatic)),
              native: `${perSecond(rate(found.direct))} (direct calls of the same pipeline, ${clients} clients)`,
              ratio,
              target: `≥ ${TARGET} of the rate of direct calls`,
              met: ratio >= TARGET,
            },
          ];
        },
        {
          POLICIES_ALLOWEDFOLDERROOTS: base,
          // The files are complete: how long a new one is watched says nothing about the rate.
          AUTOPIPELINE_FILEREADINESS_SETTLETIMEMILLIS: '0',
          AUTOPIPELINE_FILEREADINESS_SIZECHECKDELAYMILLIS: '0',
          // A new worker is slow at first, and it is chance which of the two gets it.
          LIMITS_WORKERRUNSBEFORERECYCLE: '1000000',
        },
      );
    } finally {
      await rm(base, { recursive: true, force: true });
    }
  },
};
