// npm run check:pipelines -- <corpus> [--files 200] [--damaged 20] [--seed 1] [--match name] [--keep folder]
//
// Sends files of the corpus, and damaged copies of some, through pipelines of two to five steps, and through the same
// calls one after another. Both must be refused with the same error, or have the same warnings and the same result:
// features, text, and pages as PDFium draws them. --keep: both results of what differs are
// written there. Ends with exit code 1 if anything differs.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BuiltServer } from '../corpus/built-server.js';
import { spread } from '../corpus/calls.js';
import { corpusFiles } from '../corpus/corpus-files.js';
import { chosenFiles, damagedCopies } from '../damage/choose-files.js';
import { differences } from './compare-outcomes.js';
import { inOneCall, oneByOne, possibleSteps } from './send.js';
import { allSteps, chainOf, type Step } from './steps.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: 'string', default: '200' },
    damaged: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    match: { type: 'string' },
    keep: { type: 'string' },
  },
});
const [corpus] = positionals;
if (corpus === undefined) throw new Error('no folder given: npm run check:pipelines -- <corpus>');

/** In bytes; larger files take longer and show nothing else. */
const MAX_BYTES = 2_000_000;
const seed = Number(values.seed);
const all = (await corpusFiles(resolve(corpus))).filter(({ size }) => (size ?? 0) <= MAX_BYTES);
const read = <T extends { name: string; path: string }>({ name, path }: T): { name: string; bytes: Buffer } => ({
  name,
  bytes: readFileSync(path),
});
const inputs = [
  ...spread(all, Number(values.files)).map(read),
  ...damagedCopies(spread(chosenFiles(all), Number(values.damaged)).map(read), seed),
];

const say = (steps: readonly Step[]): string =>
  steps.map(({ path, params }) => `${path} ${JSON.stringify(params)}`).join(' → ');
/** Writes files of a difference into the folder of `--keep`. */
function keep(index: number, files: Readonly<Record<string, Uint8Array>>): void {
  if (values.keep === undefined) return;
  mkdirSync(values.keep, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(values.keep, `${index}-${name}.pdf`), bytes);
}

const server = await BuiltServer.start({ base: join(tmpdir(), `quire-pipelines-${process.pid}`) });
const started = performance.now();
const waiting = [...inputs.entries()].filter(
  ([, { name }]) => values.match === undefined || name.includes(values.match),
);
let [differ, refused] = [0, 0];
try {
  const steps = await possibleSteps(server.url, allSteps);
  // One after another: comparing blocks this process, and the server ends calls whose head comes too slowly.
  for (const [index, { name, bytes }] of waiting) {
    const chain = chainOf(steps, seed, index);
    const [pipeline, calls] = [await inOneCall(server.url, bytes, chain), await oneByOne(server.url, bytes, chain)];
    if (calls.status !== 200) refused++;
    const found = await differences(pipeline, calls);
    if (found.length === 0) continue;
    differ++;
    keep(index, { input: bytes, pipeline: pipeline.bytes, calls: calls.bytes });
    process.stdout.write(`  ${name}: ${say(chain)}\n${found.map((line) => `      ${line}\n`).join('')}`);
  }
} finally {
  await server.stop();
}
const seconds = ((performance.now() - started) / 1000).toFixed(0);
process.stdout.write(
  `${waiting.length} files, ${refused} refused by a call, ${differ} with a different pipeline; ${seconds} s\n`,
);
process.exitCode = differ > 0 ? 1 : 0;
