// npm run fuzz -- <seconds> [--target document|cms|zip|mail|fonts|http] [--seed N] [--from N] [--inputs N]
//   [--corpus ../shared/corpus] [--out folder]
//
// Mutates valid inputs at random and treats them in a child process as the server does (targets/). The same seed
// produces the same inputs. Failing inputs are minimised and written, with their stack, to the folder, by default
// regressions/<target>, whose files fuzz.test.ts reads from then on. Exits with 1 when an input failed.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { minimised } from './minimise.js';
import { mutated } from './mutate.js';
import type { Answer } from './protocol.js';
import { Random } from './random.js';
import { DEADLINE, FuzzRunner } from './runner.js';
import { targetOf } from './targets/index.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    target: { type: 'string', default: 'document' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    inputs: { type: 'string' },
    corpus: { type: 'string', default: '../shared/corpus' },
    out: { type: 'string' },
  },
});
const seconds = Number(positionals[0] ?? 60);
if (!(seconds > 0)) throw new Error('no duration given: npm run fuzz -- <seconds>');
const target = targetOf(values.target);
const out = resolve(values.out ?? fileURLToPath(new URL(`regressions/${values.target}`, import.meta.url)));
const seed = Number(values.seed);
const folder = existsSync(join(values.corpus, 'manifest.csv')) ? resolve(values.corpus) : '';
/** The process is restarted after this many inputs, because pdf-lib keeps every name and reference that it has met. */
const BATCH = 2000;
const REPORT = 30_000;

const outcomes = new Map<string, number>();
const faults = new Map<
  string,
  { readonly input: number; readonly size: number; readonly fault: string; readonly stack: string; times: number }
>();
let [done, slowest, slowestInput, peak, working] = [0, 0, 0, 0, 0];

/** Identifies a fault by its error and the first line of our code in the stack. */
function signatureOf({ fault = '', stack = '' }: Pick<Answer, 'fault' | 'stack'>): string {
  const line = /at (?:.*[ (])?(?:file:\/\/)?\S*\/([\w.-]+\/[\w.-]+\.(?:[jt]s)):(\d+)/.exec(
    stack
      .split('\n')
      .filter((each) => /\/(?:document|core|plugins|verification)\//.test(each) && !each.includes('node_modules'))[0] ??
      '',
  );
  return `${fault.replaceAll(/\d+/g, 'N').slice(0, 60)} ${line?.[1] ?? ''} ${line?.[2] ?? ''}`
    .replaceAll(/[^\w.]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function note(answer: Answer): void {
  done++;
  working += answer.milliseconds;
  if (answer.milliseconds > slowest) [slowest, slowestInput] = [answer.milliseconds, answer.input];
  peak = Math.max(peak, answer.peakMb);
  const late =
    answer.fault === undefined && answer.milliseconds > DEADLINE
      ? `no answer within ${DEADLINE / 1000} seconds`
      : answer.fault;
  if (late === undefined) return void outcomes.set(answer.outcome ?? '', (outcomes.get(answer.outcome ?? '') ?? 0) + 1);
  const signature = signatureOf({ ...answer, fault: late });
  const known = faults.get(signature);
  if (known !== undefined) return void known.times++;
  faults.set(signature, { input: answer.input, size: answer.size, fault: late, stack: answer.stack ?? '', times: 1 });
  process.stdout.write(
    `  input ${answer.input}: ${late}\n${(answer.stack ?? '').split('\n').slice(1, 5).join('\n')}\n`,
  );
}

function summary(started: number): string {
  const counts = [...outcomes]
    .sort((a, b) => b[1] - a[1])
    .map(([code, count]) => `${code} ${count}`)
    .join(', ');
  const failed = [...faults.values()].reduce((sum, { times }) => sum + times, 0);
  return (
    `${done} inputs, ${(done / ((performance.now() - started) / 1000)).toFixed(0)}/s, ${failed} failures with ` +
    `${faults.size} different causes; slowest ${slowest.toFixed(0)} ms of CPU time (input ${slowestInput}), ` +
    `mean ${(working / Math.max(1, done)).toFixed(1)} ms, peak ${peak.toFixed(0)} MB\n  ${counts}\n`
  );
}

/** Minimises and saves each failing input; one that kills the process needs a new process for each attempt. */
async function keepFinds(): Promise<void> {
  await mkdir(out, { recursive: true });
  const seeds = await target.seeds(folder);
  const runner = new FuzzRunner(values.target, seed, '');
  for (const [signature, { input, fault, stack, times }] of faults) {
    const path = join(out, `${signature.slice(0, 100)}.${target.extension}`);
    const fails = async (candidate: Buffer): Promise<boolean> => {
      await writeFile(path, candidate);
      let same = false;
      await runner.run({ from: 0, to: 1, file: path }, (answer) => {
        same = answer.fault !== undefined && signatureOf(answer) === signature;
      });
      return same;
    };
    const whole = mutated(seeds, new Random(seed, input));
    const small = (await fails(whole)) ? await minimised(whole, fails) : whole;
    await writeFile(path, small);
    await writeFile(
      path.replace(/[a-z0-9]+$/, 'txt'),
      `seed ${seed}, input ${input}, ${times} times; ${whole.length} bytes, made ${small.length}\n${fault}\n${stack}\n`,
    );
  }
  runner.stop();
}

const runner = new FuzzRunner(values.target, seed, folder);
const started = performance.now();
const last = values.inputs === undefined ? Infinity : Number(values.from) + Number(values.inputs);
let reported = started;
for (let from = Number(values.from); from < last && performance.now() - started < seconds * 1000; from += BATCH) {
  // Small steps, so that the run ends within a second of the time limit.
  for (let at = from; at < Math.min(from + BATCH, last) && performance.now() - started < seconds * 1000; at += 50) {
    await runner.run({ from: at, to: Math.min(at + 50, from + BATCH, last) }, note);
  }
  runner.stop();
  if (performance.now() - reported < REPORT) continue;
  reported = performance.now();
  process.stdout.write(summary(started));
}
process.stdout.write(summary(started));
if (faults.size > 0) {
  await keepFinds();
  process.exitCode = 1;
}
