import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BuiltServer } from '../../verification/corpus/built-server.js';
import type { Bench, BenchRow } from '../measure/bench.js';
import { Client, multipart } from '../measure/client.js';
import { flameGraph, readProfile, timesOf, type Stacks, type Stage } from '../measure/cpu-profile.js';
import { benchFolder, textPdf } from '../measure/inputs.js';
import { WarmWorker } from '../measure/warm-worker.js';

const CALLS = 2000;
const WARM_CALLS = 300;
const CLIENTS = 4;

/** A checkout to be measured in place of this one, for a comparison with an earlier state; it must be built. */
const root = process.env['BENCH_ROOT'];
/** Folder in which flame graphs are written. */
const graphs = process.env['BENCH_GRAPHS'];

const inServer: readonly Stage[] = [
  ['garbage collection', /^\(garbage collector\)/],
  ['log', /node_modules\/(?:pino|hapi-pino|sonic-boom)\/|core\/app\/gather-lines/],
  ['multipart upload', /core\/http\/request\/(?:read-form|upload-file)|@fastify\/busboy/],
  ['files of the task', /core\/(?:isolation\/|operations\/(?:workers\/place-task|runner\/(?:scratch|remove-folder)))/],
  ['message to and from the worker', /child_process/],
  ['guard, limits, counters', /core\/(?:access|billing|metrics|audit|accounts|roles)\//],
  ['checking parameters', /node_modules\/joi\//],
  ['runner and pool', /core\/operations\//],
  ['answer', /core\/http\/(?:response|jobs)\/|fs\/streams|_http_outgoing/],
  ['Hapi', /node_modules\/@hapi\//],
  ['routes', /core\//],
];

const inWorker: readonly Stage[] = [
  ['garbage collection', /^\(garbage collector\)/],
  ['message to and from the server', /child_process/],
  ['search for damage', /document\/file\/damage\//],
  ['result opened by the second engine', /document\/engines\//],
  ['writing', /document\/file\/(?:writer|open)\//],
  ['opening and checking', /document\/file\//],
  ['the rotation', /plugins\//],
  ['run', /core\//],
];

/** Where the processor's time of a small call goes: rotating ten pages, warm. */
export const callStages: Bench = {
  name: 'call-stages',
  run: async () => {
    const folder = join(benchFolder, `profiles-${process.pid}`);
    await mkdir(folder, { recursive: true });
    try {
      const input = await textPdf(10);
      const server = await profiledServer(folder, input);
      const worker = await profiledWorker(folder, input);
      await draw('server', server);
      await draw('worker', worker);
      return [
        ...rowsOf('Main thread of the server', timesOf(server, inServer, 'Node'), CALLS),
        ...rowsOf('Worker', timesOf(worker, inWorker, 'Node'), CALLS),
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function profiledServer(folder: string, input: string): Promise<Stacks> {
  const server = await BuiltServer.start({
    base: join(benchFolder, `base-${process.pid}`),
    logFile: '/dev/null',
    env: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}/server` },
    ...(root === undefined ? {} : { root }),
  });
  const body = await multipart([input], { angle: '90' });
  const client = new Client(server.url);
  const calls = async (count: number): Promise<void> => {
    let next = 0;
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (next++ < count) await client.post('/api/v1/general/rotate-pdf', body);
      }),
    );
  };
  const begun = performance.now();
  await calls(WARM_CALLS);
  const skipMs = server.startMs + performance.now() - begun;
  await calls(CALLS);
  client.close();
  await server.stop();
  return readProfile(await onlyProfile(join(folder, 'server')), skipMs);
}

async function profiledWorker(folder: string, input: string): Promise<Stacks> {
  const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}/worker`];
  const begun = performance.now();
  const worker = await WarmWorker.start('operations', { flags, ...(root === undefined ? {} : { root }) });
  const run = (): Promise<number> => worker.run('general', 'general/rotate-pdf', [input], { angle: 90 });
  for (let n = 0; n < WARM_CALLS; n++) await run();
  const skipMs = performance.now() - begun;
  for (let n = 0; n < CALLS; n++) await run();
  await worker.stop();
  return readProfile(await onlyProfile(join(folder, 'worker')), skipMs);
}

/** The profile of the first process: others, such as that of a worker, begin later. */
async function onlyProfile(folder: string): Promise<string> {
  const [first] = (await readdir(folder)).toSorted();
  if (first === undefined) throw new Error(`there is no profile in ${folder}`);
  return join(folder, first);
}

async function draw(name: string, stacks: Stacks): Promise<void> {
  if (graphs === undefined) return;
  await mkdir(graphs, { recursive: true });
  await writeFile(join(graphs, `rotate-${name}.svg`), flameGraph(stacks, `${CALLS} rotations of ten pages: ${name}`));
}

function rowsOf(what: string, times: ReadonlyMap<string, number>, calls: number): BenchRow[] {
  const row = (stage: string, time: number): BenchRow => ({
    what: `${what}, for each rotation of ten pages: ${stage}`,
    ours: `${(time / calls).toFixed(0)} µs`,
    native: '',
    ratio: undefined,
    target: '',
    met: undefined,
  });
  const all = [...times.values()].reduce((sum, time) => sum + time, 0);
  const stages = [...times].toSorted(([, a], [, b]) => b - a).map(([stage, time]) => row(stage, time));
  return [row('all', all), ...stages];
}
