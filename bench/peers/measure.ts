import { mkdir, rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { extname, join } from 'node:path';
import { findProgram } from '../../core/isolation/index.js';
import { Client, formBody, type MultipartBody } from '../measure/client.js';
import { benchFolder } from '../measure/inputs.js';
import { lanes } from '../measure/lanes.js';
import { runProgram } from '../measure/native.js';
import { median, timed } from '../measure/statistics.js';
import { checkResults, placeAnswer, type ResultCheck } from './check.js';
import type { PeerCall, PeerJob, PeerProgram } from './job.js';
import type { Measured, PeerResult } from './table.js';

const CLIENTS = 8;
/** How long and how often each server is called before it is measured: V8 and the JVM optimise what runs often. */
const WARMING_MS = 2000;
const WARMING = 3;
const MOST_RUNS = 11;
const LEAST_RUNS = 3;
/** After this time no further round begins, once there are enough. */
const ROUNDS_MS = 5000;
const WARMING_SECONDS = 1;
const SECONDS = 4;

const out = join(benchFolder, `peers-out-${process.pid}`);

/** A server under measure: where it is, what its paths begin with, and the field of its files. */
export interface PeerServer {
  readonly url: string;
  readonly prefix: string;
  readonly field: string;
}

/** One side of a job: an action whose result was checked once. */
interface Side {
  readonly act: () => Promise<unknown>;
  readonly found: number[];
}

/** Measures a job: in turns ours, Gotenberg's and the native program's, then the rates of the servers. */
export async function measureJob(
  job: PeerJob,
  ours: PeerServer,
  gotenberg: PeerServer | undefined,
): Promise<PeerResult> {
  const load = loadavg()[0] ?? Number.NaN;
  const inputs = await job.inputs();
  const program = await job.native?.(inputs);
  const servers = [
    await prepare(ours, job.ours, inputs, job.check),
    await prepare(gotenberg, job.gotenberg, inputs, job.check),
  ];
  const native = await prepareProgram(program, job.check);
  const sides = [...servers.map((server) => server.side), native.side].filter((side) => side !== undefined);
  const begin = performance.now();
  for (let run = 0; run < MOST_RUNS && (run < LEAST_RUNS || performance.now() - begin < ROUNDS_MS); run++) {
    for (const { act, found } of sides) {
      await empty();
      found.push(await timed(act));
    }
  }
  const measured: Measured[] = [];
  for (const { side, problem, rate } of servers) measured.push(await measuredOf(side, problem, rate));
  await rm(out, { recursive: true, force: true });
  const [oursMeasured = {}, gotenbergMeasured = {}] = measured;
  return {
    job,
    load,
    ours: oursMeasured,
    gotenberg: gotenbergMeasured,
    native: await measuredOf(native.side, native.problem),
    ...(program === undefined ? {} : { command: program.command }),
  };
}

async function measuredOf(
  side: Side | undefined,
  problem: string | undefined,
  rate?: () => Promise<number>,
): Promise<Measured> {
  const perSecond = await rate?.().catch((error: unknown) => `with ${CLIENTS} clients: ${messageOf(error)}`);
  const refusal = typeof perSecond === 'string' ? perSecond : problem;
  return {
    ...(refusal === undefined ? {} : { problem: refusal }),
    ...(side === undefined ? {} : { ms: median(side.found) }),
    ...(typeof perSecond === 'number' ? { perSecond } : {}),
  };
}

/** A server with a call whose answer was checked, or the reason why there is none. */
interface PreparedServer {
  readonly side?: Side;
  /** Measures requests per second. */
  readonly rate?: () => Promise<number>;
  readonly problem?: string;
}

/** Checks the answer of a call and warms the server for it. */
async function prepare(
  server: PeerServer | undefined,
  call: PeerCall | undefined,
  inputs: readonly string[],
  check: ResultCheck,
): Promise<PreparedServer> {
  if (server === undefined || call === undefined) return {};
  const path = `${server.prefix}${call.path}`;
  const body = await bodyOf(server, call, inputs);
  const client = new Client(server.url);
  const act = (): Promise<number> => client.post(path, body);
  try {
    await empty();
    await placeAnswer(out, await client.answer(path, body), check.kind);
    await checkResults(out, check);
    await warm(act);
    return { side: { act, found: [] }, rate: () => rateOf(server.url, path, body) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

async function warm(act: () => Promise<unknown>): Promise<void> {
  const begin = performance.now();
  for (let run = 0; run < WARMING || performance.now() - begin < WARMING_MS; run++) await act();
}

/** The form of a call with these inputs. */
export async function bodyOf(server: PeerServer, call: PeerCall, inputs: readonly string[]): Promise<MultipartBody> {
  const paths = [...((await call.before?.()) ?? []), ...inputs];
  const files = paths.map((path, i) => ({
    field: server.field,
    path,
    // Gotenberg merges in the order of the names.
    name: call.names?.[i] ?? `input${String(i).padStart(3, '0')}${extname(path)}`,
  }));
  return formBody(files, call.fields);
}

async function prepareProgram(
  program: PeerProgram | undefined,
  check: ResultCheck,
): Promise<{ side?: Side; problem?: string }> {
  if (program === undefined) return {};
  const missing = program.needs.filter((name) => findProgram(name, process.env['PATH'] ?? '') === undefined);
  if (missing.length > 0) return { problem: `${missing.join(', ')} not installed` };
  const act = (): Promise<void> => runProgram(program.program, program.args, out);
  try {
    await empty();
    await act();
    await checkResults(out, check);
    return { side: { act, found: [] } };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Requests per second of eight clients, counted until the last answer. */
async function rateOf(url: string, path: string, body: MultipartBody): Promise<number> {
  const client = new Client(url);
  const act = (): Promise<number> => client.post(path, body);
  try {
    await lanes(CLIENTS, WARMING_SECONDS, act);
    const begin = performance.now();
    const found = await lanes(CLIENTS, SECONDS, act);
    return (found.length * 1000) / (performance.now() - begin);
  } finally {
    client.close();
  }
}

async function empty(): Promise<void> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]?.slice(0, 300) ?? '';
}
