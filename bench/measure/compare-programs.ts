import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchRow } from './bench.js';
import { Client, multipart } from './client.js';
import { benchFolder } from './inputs.js';
import { runProgram } from './native.js';
import { median, ms, timed, times } from './statistics.js';
import { withServer } from './with-server.js';

/** A native program that does the same work, run in an empty folder. */
export interface Native {
  /** The command as shown in the table. */
  readonly command: string;
  readonly program: string;
  readonly args: readonly string[];
}

/** A call of an operation over HTTP. */
export interface MeasuredCall {
  readonly what: string;
  readonly path: string;
  readonly inputs: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
  /** Additional files by field. */
  readonly second?: Readonly<Record<string, string>>;
}

/** Numbers of warm-up calls and of measured calls. Fewer for calls that take many seconds. */
export interface Runs {
  readonly warming: number;
  readonly measured: number;
}

/**
 * Calls an operation over HTTP, first on a new server, then on a warm one, each warm call next to a run of every native
 * program.
 */
export async function compareWithPrograms(
  { what, path, inputs, fields, second }: MeasuredCall,
  natives: readonly Native[],
  { warming, measured }: Runs = { warming: 3, measured: 5 },
): Promise<BenchRow[]> {
  const body = await multipart(inputs, fields, second);
  const out = join(benchFolder, 'out');
  return withServer(async ({ url }) => {
    const client = new Client(url);
    const call = (): Promise<number> => client.post(`/api/v1/${path}`, body);
    const first = await timed(call);
    await times(warming, call);
    const ours: number[] = [];
    const theirs = new Map<Native, number[]>(natives.map((native) => [native, []]));
    for (let i = 0; i < measured; i++) {
      ours.push(await timed(call));
      for (const [native, found] of theirs) {
        await rm(out, { recursive: true, force: true });
        await mkdir(out, { recursive: true });
        found.push(await timed(() => runProgram(native.program, native.args, out)));
      }
    }
    client.close();
    await rm(out, { recursive: true, force: true });
    return [...theirs].map(([{ command }, found]) => ({
      what,
      ours: `${ms(median(ours))} warm, ${ms(first)} first call`,
      native: `${ms(median(found))} (\`${command}\`)`,
      ratio: median(ours) / median(found),
      target: '',
      met: undefined,
    }));
  });
}
