import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchRow } from './bench.js';
import { benchFolder } from './inputs.js';
import { runProgram } from './native.js';
import { peakOf } from './peak.js';
import { median, ms, timed } from './statistics.js';
import { WarmWorker } from './warm-worker.js';

/** Measured calls. */
export const RUNS = 9;
/** Calls before the measured ones. */
export const WARM_UP = 15;

/** Work that both a warm worker and native qpdf do. */
export interface Comparison {
  readonly what: string;
  readonly target: number;
  /** Makes one call in the warm worker and returns its milliseconds. */
  readonly call: (worker: WarmWorker) => Promise<number>;
  readonly native: readonly string[];
  readonly worker?: 'operations' | 'functions';
}

/** Calls a warm worker, each call next to a run of native qpdf as a process, within the same minute. */
export async function compareWithQpdf({
  what,
  target,
  call,
  native,
  worker: kind,
}: Comparison): Promise<{ row: BenchRow; peak: number }> {
  const worker = await WarmWorker.start(kind);
  const out = join(benchFolder, 'out');
  try {
    const first = await call(worker);
    for (let i = 1; i < WARM_UP; i++) await call(worker);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let i = 0; i < RUNS; i++) {
      ours.push(await call(worker));
      await rm(out, { recursive: true, force: true });
      await mkdir(out, { recursive: true });
      theirs.push(await timed(() => runProgram('qpdf', native, out)));
    }
    const ratio = median(ours) / median(theirs);
    const peak = await peakOf(worker.pid);
    return {
      peak,
      row: {
        what,
        ours: `${ms(median(ours))} warm call in a worker, ${ms(first)} first`,
        native: `${ms(median(theirs))} (\`qpdf ${shown(native)}\`, whole process)`,
        ratio,
        target: `≤ ${target}`,
        met: ratio <= target,
      },
    };
  } finally {
    await worker.stop();
    await rm(out, { recursive: true, force: true });
  }
}

const shown = (args: readonly string[]): string =>
  args
    .filter((arg) => arg.startsWith('--'))
    .join(' ')
    .replace(/ --$/, '');
