// npm run check:meaning -- <corpus> [--operations general/crop,misc/flatten] [--files n] [--match name]
//
// Runs every operation that turns one PDF into one PDF on the corpus files with the most features, and reports what a
// document lost that it should have kept.
import { resolve, join } from 'node:path';
import { parseArgs } from 'node:util';
import { qpdfComplaint } from '../../document/test/checks/check-pair.js';
import { richFiles } from '../../document/test/checks/choose.js';
import { loadWorkspacePlugins } from '../../tools/load-workspace-plugins.js';
import { checkOperation, type Sitter, sitterOf } from './check-operation.js';
import { expectations } from './expectations.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { operations: { type: 'string' }, files: { type: 'string', default: '100' }, match: { type: 'string' } },
});
const [corpus] = positionals;
if (corpus === undefined) throw new Error('no folder given: npm run check:meaning -- <corpus>');

const sitters: Sitter[] = [];
for (const { file, path } of richFiles(resolve(corpus), Number(values.files))) {
  if (values.match === undefined || file.includes(values.match)) sitters.push(await sitterOf(file, path));
}
const plugins = await loadWorkspacePlugins();
const wanted = values.operations?.split(',');
let faulty = 0;
for (const [path, expectation] of expectations) {
  const home = plugins.find(({ plugin }) => plugin.operations.some((operation) => operation.path === path));
  const operation = home?.plugin.operations.find((each) => each.path === path);
  if (home === undefined || operation === undefined || (wanted !== undefined && !wanted.includes(path))) continue;
  const started = performance.now();
  let [bad, refused] = [0, 0];
  for (const sitter of sitters) {
    const faults: string[] = [];
    try {
      const result = await checkOperation(operation, join(home.path, 'fixtures'), expectation, sitter);
      faults.push(...result.faults);
      if (result.refused !== undefined) {
        refused++;
        process.stdout.write(`  ${sitter.file}: ${result.refused}\n`);
      }
      const complaint = result.output === undefined ? undefined : qpdfComplaint(result.output);
      if (complaint !== undefined) faults.push(`qpdf: ${complaint}`);
    } catch (error) {
      faults.push(
        `threw ${error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 4).join(' ') : String(error)}`,
      );
    }
    if (faults.length > 0) {
      bad++;
      process.stdout.write(`  ${sitter.file}\n${faults.map((fault) => `      ${fault}\n`).join('')}`);
    }
  }
  faulty += bad;
  process.stdout.write(
    `${path} ${JSON.stringify(expectation.params)}: ${sitters.length} files, ${refused} refused, ${bad} with ` +
      `faults, ${((performance.now() - started) / 1000).toFixed(0)} s\n`,
  );
}
process.exitCode = faulty > 0 ? 1 : 0;
