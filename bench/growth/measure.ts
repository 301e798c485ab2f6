import { processTree, type BuiltServer } from '../../verification/corpus/built-server.js';
import { peakOf, resetPeak } from '../measure/peak.js';
import { median, timed } from '../measure/statistics.js';
import type { Point } from './series.js';

/** Calls after the one that makes the server warm; long ones are made once. */
const CALLS = 3;
const LONG_MS = 5000;

/** Calls once to make the server warm and then up to three times. */
export async function pointOf({ pid }: BuiltServer, x: number, call: () => Promise<unknown>): Promise<Point> {
  return { x, ...(await withPeak(pid, async () => median(await warmTimes(call)))) };
}

async function warmTimes(call: () => Promise<unknown>): Promise<readonly number[]> {
  const first = await timed(call);
  const found: number[] = [];
  while (found.length < CALLS && (found.length === 0 || first < LONG_MS)) found.push(await timed(call));
  return found;
}

/** The milliseconds that the work says, and the peaks of all processes meanwhile. */
export async function withPeak(pid: number, work: () => Promise<number>): Promise<Omit<Point, 'x'>> {
  for (const one of await processTree(pid)) await resetPeak(one).catch(ignoreEnded);
  const ms = await work();
  const peaks = await Promise.all((await processTree(pid)).map((one) => peakOf(one).catch(() => 0)));
  return { ms, mb: peaks.reduce((sum, one) => sum + one, 0) };
}

/** A worker may end between being listed and being looked at. */
function ignoreEnded(): void {}
