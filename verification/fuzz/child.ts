// Worker process of the fuzzer: reads a task per line from stdin and answers each with a line on stdout.
import { readFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { mutated } from './mutate.js';
import { Random } from './random.js';
import type { Answer, Task } from './protocol.js';
import { targetOf } from './targets/index.js';

const [, , name = 'document', seed = '1', folder = ''] = process.argv;
const target = targetOf(name);
const seeds = await target.seeds(folder);

async function run(bytes: Buffer): Promise<Pick<Answer, 'outcome' | 'fault' | 'stack'>> {
  try {
    return { outcome: await target.exercise(bytes) };
  } catch (error) {
    return {
      fault: String(error).slice(0, 300),
      stack: error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 14).join('\n') : '',
    };
  }
}

// Written synchronously: a queued answer would be lost when the next input hangs.
const answer = (message: Answer): void => void writeSync(1, `${JSON.stringify(message)}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const task = JSON.parse(line) as Task;
  for (let i = task.from; i < task.to; i++) {
    const started = performance.now();
    const bytes = task.file === undefined ? mutated(seeds, new Random(Number(seed), i)) : readFileSync(task.file);
    const preparation = performance.now() - started;
    // CPU time, so that a busy machine does not distort the measurement.
    const before = process.cpuUsage();
    const result = await run(bytes);
    const { user, system } = process.cpuUsage(before);
    answer({
      input: i,
      size: bytes.length,
      milliseconds: (user + system) / 1000,
      preparation,
      peakMb: process.resourceUsage().maxRSS / 1024,
      ...result,
    });
  }
}
