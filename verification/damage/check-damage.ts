// npm run check:damage -- <corpus> [--files 100] [--operations 10] [--seed 1] [--out rows.csv] [--match name]
//
// Cuts files at ten places each, changes bytes in as many others, and sends all of them through ten operations. Every
// answer must be refused, announced or complete, and no result but the damaged file itself, announced, may be one in
// which `qpdf --check` reports an error.
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BuiltServer } from '../corpus/built-server.js';
import { corpusFiles, csvCell } from '../corpus/corpus-files.js';
import { spread } from '../corpus/calls.js';
import { chosenFiles, damagedCopies } from './choose-files.js';
import { callsFor, DamageJudge, type DamageRow, faults } from './judge-damage.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: 'string', default: '100' },
    operations: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    match: { type: 'string' },
    out: { type: 'string' },
  },
});
const [corpus] = positionals;
if (corpus === undefined) throw new Error('no folder given: npm run check:damage -- <corpus>');
const files = chosenFiles(await corpusFiles(resolve(corpus)));
const chosen = spread(files, 2 * Number(values.files)).map(({ name, path }) => ({ name, bytes: readFileSync(path) }));
const copies = damagedCopies(chosen, Number(values.seed)).filter(
  ({ name }) => values.match === undefined || name.includes(values.match),
);
const server = await BuiltServer.start({ base: join(tmpdir(), `quire-damage-${process.pid}`) });
const judge = new DamageJudge(server.url);
const rows: DamageRow[] = [];
const started = performance.now();
const waiting = [...copies.entries()];
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, file] = next;
      for (const call of callsFor(index, Number(values.operations))) {
        const row = await judge.judge(file, call);
        if (row === undefined) continue;
        rows.push(row);
        if (faults.has(row.verdict))
          process.stdout.write(`  ${row.verdict}: ${row.operation}: ${row.file}\n      ${row.note}\n`);
      }
    }
  }),
);
await server.stop();
const counts = new Map<string, number>();
for (const { verdict } of rows) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
const found = [...counts].map(([verdict, count]) => `${count} ${verdict}`).sort();
const seconds = ((performance.now() - started) / 1000).toFixed(0);
process.stdout.write(`${copies.length} damaged files, ${rows.length} calls: ${found.join(', ')}; ${seconds} s\n`);
if (values.out !== undefined)
  writeFileSync(
    values.out,
    rows.map((row) => [row.verdict, row.operation, row.file, row.note].map(csvCell).join(',')).join('\n'),
  );
process.exitCode = rows.some(({ verdict }) => faults.has(verdict)) ? 1 : 0;
