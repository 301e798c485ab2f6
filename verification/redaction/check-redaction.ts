// npm run check:redaction -- <corpus> [--files n] [--skip n] [--match name]
//
// Redacts the most frequent word of each file, and the middle of its first page. Then searches the results with
// pdftotext and qpdf for what should be gone, and compares the rendering of the pages.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import Joi from 'joi';
import { type AnyOperation, isQuireError } from '@quire/registry';
import { fakeContext, fakeFile } from '@quire/plugin-kit';
import { corpusFiles } from '../corpus/corpus-files.js';
import { loadWorkspacePlugins } from '../../tools/load-workspace-plugins.js';
import { middleOf, renderingDifference } from './middle.js';
import { commonWord, leftOf, secondReading } from './searched-bytes.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { files: { type: 'string' }, skip: { type: 'string', default: '0' }, match: { type: 'string' } },
});
const [corpus] = positionals;
if (corpus === undefined) throw new Error('no folder given: npm run check:redaction -- <corpus>');
const operations = (await loadWorkspacePlugins()).flatMap(({ plugin }) => plugin.operations);
const files = (await corpusFiles(resolve(corpus)))
  .filter(({ fileClass, name }) => fileClass !== 'bad' && (values.match === undefined || name.includes(values.match)))
  .slice(Number(values.skip))
  .slice(0, values.files === undefined ? undefined : Number(values.files));
const counts = { words: 0, areas: 0, refused: 0, faulty: 0 };
const started = performance.now();
for (const { name, path } of files) {
  const faults: string[] = [];
  const before = secondReading(path);
  const word = before === undefined ? undefined : commonWord(before.text);
  if (word !== undefined) {
    counts.words++;
    const result = await run('security/auto-redact', path, { listOfText: word });
    if (typeof result === 'string') note(result, `word "${word}"`);
    else
      await result.look((file) => {
        const after = secondReading(file);
        if (after === undefined) faults.push('the result cannot be read');
        else faults.push(...leftOf(word, after).map((where) => `"${word}" is still in ${where}`));
      });
  }
  const area = await middleOf(path).catch(() => undefined);
  if (area !== undefined) {
    counts.areas++;
    const result = await run('security/redact', path, { redactions: JSON.stringify([area.redaction]) });
    if (typeof result === 'string') note(result, 'area');
    else
      await result.look(async (file) => {
        const differs = await renderingDifference(path, file, area);
        if (differs !== undefined) faults.push(`area: ${differs}`);
      });
  }
  if (faults.length > 0) {
    counts.faulty++;
    process.stdout.write(`  ${name}\n${faults.map((fault) => `      ${fault}\n`).join('')}`);
  }

  function note(refusal: string, what: string): void {
    counts.refused++;
    if (refusal.startsWith('threw')) faults.push(`${what}: ${refusal}`);
    else process.stdout.write(`  ${name}: ${what}: ${refusal}\n`);
  }
}
process.stdout.write(
  `${files.length} files: ${counts.words} words and ${counts.areas} areas redacted, ${counts.refused} refused, ` +
    `${counts.faulty} files with faults, ${((performance.now() - started) / 1000).toFixed(0)} s\n`,
);
process.exitCode = counts.faulty > 0 ? 1 : 0;

/** Runs an operation. Returns access to the result's file, or the error code or stack when it fails. */
async function run(
  operationPath: string,
  path: string,
  params: Record<string, unknown>,
): Promise<string | { look(see: (file: string) => void | Promise<void>): Promise<void> }> {
  const operation: AnyOperation | undefined = operations.find((each) => each.path === operationPath);
  if (operation === undefined) throw new Error(`unknown operation ${operationPath}`);
  const { value } = operation.params(Joi).validate(params) as { value: Record<string, unknown> };
  const context = await fakeContext({ writing: 'rewrite' });
  try {
    const result = await operation.run(
      fakeFile('document.pdf', new Uint8Array(readFileSync(path))) as never,
      value,
      context,
    );
    const [output] = 'json' in result ? [] : result;
    if (output === undefined) throw new Error('no result');
    return {
      look: async (see) => {
        try {
          await see(output.path);
        } finally {
          await context.cleanup();
        }
      },
    };
  } catch (error) {
    await context.cleanup();
    if (isQuireError(error)) return error.code;
    return (
      'threw ' +
      `${error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 4).join(' ') : join('', String(error))}`
    );
  }
}
