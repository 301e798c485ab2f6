import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ProgramSupervisor } from '../../core/engines/programs/index.js';
import { loadSettings } from '../../core/settings/index.js';
import { BuiltServer } from '../../verification/corpus/built-server.js';
import type { Bench, BenchRow } from '../measure/bench.js';
import { Client, multipart, type MultipartBody } from '../measure/client.js';
import { benchFolder, textPdf } from '../measure/inputs.js';
import { median, ms, percentile, timed } from '../measure/statistics.js';

const ROUNDS = 8;
const CALLS = 100;
const STARTS = 8;
const RUNS = 40;
const TARGET_CALL_MS = 3;
const TARGET_START_MS = 60;
const EVERY = ['permissions', 'namespaces', 'files', 'limits', 'user'];
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** What each layer set gives, in the order of the measurement. */
type Sides<T> = readonly [all: T, limits: T];
const layers: Sides<string> = [EVERY.join(','), 'limits'];

const start = (index: number): Promise<BuiltServer> =>
  BuiltServer.start({
    base: join(benchFolder, `isolation-${index}-${process.pid}`),
    logFile: '/dev/null',
    env: { SECURITY_ISOLATION: layers[index] ?? '' },
  });

const rotate = (client: Client, body: MultipartBody): Promise<number> =>
  client.post('/api/v1/general/rotate-pdf', body);

/** Milliseconds of warm calls, and of the first call after a start, which starts a worker. */
async function calls(): Promise<{ readonly warm: Sides<number[]>; readonly first: Sides<number[]> }> {
  const body = await multipart([await textPdf(10)], { angle: '90' });
  const warm: Sides<number[]> = [[], []];
  const first: Sides<number[]> = [[], []];
  for (let i = 0; i < STARTS; i++)
    for (const index of i % 2 === 0 ? [0, 1] : [1, 0]) {
      const server = await start(index);
      const client = new Client(server.url);
      first[index]?.push(await timed(() => rotate(client, body)));
      client.close();
      await server.stop();
    }
  const servers = [await start(0), await start(1)];
  const clients = servers.map(({ url }) => new Client(url));
  for (const client of clients) for (let i = 0; i < CALLS; i++) await rotate(client, body);
  for (let round = 0; round < ROUNDS; round++)
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0])
      for (let i = 0; i < CALLS; i++) {
        const client = clients[index];
        if (client !== undefined) warm[index]?.push(await timed(() => rotate(client, body)));
      }
  for (const client of clients) client.close();
  for (const server of servers) await server.stop();
  return { warm, first };
}

/** Milliseconds in which `qpdf --version` runs. */
async function programs(): Promise<Sides<number[]>> {
  const found: Sides<number[]> = [[], []];
  const supervisors = layers.map((names, index) => {
    const base = join(benchFolder, `isolation-programs-${index}-${process.pid}`);
    const env = { QUIRE_BASE_PATH: base, SECURITY_ISOLATION: names };
    return { base, supervisor: new ProgramSupervisor(loadSettings({ env, cwd: base }), quiet) };
  });
  const run = (index: number): Promise<unknown> =>
    supervisors[index]?.supervisor.run('qpdf', ['--version'], { signal: new AbortController().signal }) ??
    Promise.resolve();
  for (const [index, { base }] of supervisors.entries()) {
    await mkdir(base, { recursive: true });
    await run(index);
  }
  for (let i = 0; i < RUNS; i++)
    for (const index of i % 2 === 0 ? [0, 1] : [1, 0]) found[index]?.push(await timed(() => run(index)));
  for (const { supervisor } of supervisors) await supervisor.stop();
  return found;
}

function row(what: string, [all, none]: Sides<number[]>, share: number, target?: number): BenchRow {
  const [ours, theirs] = [percentile(all, share), percentile(none, share)];
  return {
    what,
    ours: `${ms(ours)} (median ${ms(median(all))})`,
    native: `${ms(theirs)} (median ${ms(median(none))}) with limits only`,
    ratio: ours / theirs,
    target: target === undefined ? '' : `≤ ${target} ms more`,
    met: target === undefined ? undefined : ours - theirs <= target,
  };
}

/** Cost of confining workers and programs: with all layers that work here and with limits only, taking turns. */
export const isolation: Bench = {
  name: 'isolation',
  run: async () => {
    const { warm, first } = await calls();
    return [
      row('Rotate a 10-page file in a confined worker, 10th percentile of warm calls', warm, 0.1, TARGET_CALL_MS),
      row('The first call after a start, which starts a worker, best of starts', first, 0, TARGET_START_MS),
      row('A confined program: `qpdf --version`, 10th percentile', await programs(), 0.1, TARGET_START_MS),
    ];
  },
};
