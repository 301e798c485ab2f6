// npm run check:signatures -- <corpus> [--match name] [--page docs/reports/signatures.md]
//
// Compares the results of validate-signature for the corpus's signed files with its manifest, pdfsig and pyHanko. With
// --page the table is written to that page.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pyhankoPython, verifyWithPyhanko } from '../../test/pki/pyhanko.js';
import { parseCsv } from '../corpus/corpus-files.js';
import { compareFile, type Comparison, signedFiles, wordOf } from './compare.js';
import { exceptions } from './exceptions.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { match: { type: 'string' }, page: { type: 'string' } },
});
const [corpus] = positionals;
if (corpus === undefined) throw new Error('no folder given: npm run check:signatures -- <corpus>');
const folder = resolve(corpus);
const files = signedFiles(parseCsv(readFileSync(join(folder, 'manifest.csv'), 'utf8')), folder).filter(
  ({ name }) => values.match === undefined || name.includes(values.match),
);

const started = performance.now();
const compared: Comparison[] = [];
for (const file of files) compared.push(await compareFile(file));
const seconds = ((performance.now() - started) / 1000).toFixed(1);

const poppler = files.map(({ path }) => pdfsig(path));
const pyhanko: string[] = [];
for (const { path } of pyhankoPython() === undefined ? [] : files) pyhanko.push(await byPyhanko(path));
const rows = compared.map(({ file, reviews, faults }, i) => {
  const reason = exceptions[file.name];
  const verdict = faults.length === 0 ? 'agrees' : reason === undefined ? `DIFFERS: ${faults.join('; ')}` : reason;
  return (
    `| ${file.name} | ${file.expected} | ${reviews.map(wordOf).join(', ')} | ${poppler[i] ?? ''} | ` +
    `${pyhanko[i] ?? ''} | ${verdict} |`
  );
});
const unexplained = compared.filter(({ file, faults }) => faults.length > 0 && exceptions[file.name] === undefined);
const needless = Object.keys(exceptions).filter(
  (name) =>
    values.match === undefined && compared.some(({ file, faults }) => file.name === name && faults.length === 0),
);
const summary =
  `${files.length} files, ${compared.reduce((sum, { reviews }) => sum + reviews.length, 0)} signatures, ` +
  `${compared.filter(({ faults }) => faults.length === 0).length} agree, ` +
  `${files.length - compared.filter(({ faults }) => faults.length === 0).length - unexplained.length} exceptions ` +
  `explained, ${unexplained.length} unexplained; ${seconds} s.`;
const table = ['| File | Manifest | Ours | pdfsig | pyHanko | |', '|---|---|---|---|---|---|', ...rows].join('\n');
if (values.page === undefined) process.stdout.write(`${table}\n`);
else
  writeFileSync(
    values.page,
    readFileSync(values.page, 'utf8').replace(
      /(<!-- table -->\n)[^]*(<!-- end -->)/,
      (_, begin: string, end: string) => `${begin}${summary}\n\n${table}\n${end}`,
    ),
  );
process.stdout.write(`${summary}\n${needless.map((name) => `exception no longer needed: ${name}\n`).join('')}`);
process.exitCode = unexplained.length + needless.length > 0 ? 1 : 0;

/** Returns pyHanko's verdicts, ordered by revision. Trust is not checked. */
async function byPyhanko(path: string): Promise<string> {
  const found = await verifyWithPyhanko(resolve('plugins/signing/fixtures/signer.pem'), [path]).catch(() => undefined);
  return (
    found
      ?.flat()
      .map(({ kind, summary }) =>
        kind === 'error'
          ? 'error'
          : `${(summary.split(':')[0] ?? '').toLowerCase()}` +
            `${/ILLEGAL|SUSPICIOUS|UNACCEPTABLE/.test(summary) ? ', changed' : ''}`,
      )
      .join('; ') ?? 'error'
  );
}

/** Returns pdfsig's verdict on each signature, shortened. */
function pdfsig(path: string): string {
  try {
    const said = execFileSync('pdfsig', ['-nocert', path], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 20_000,
    });
    const short: Readonly<Record<string, string>> = {
      'Signature is Valid.': 'valid',
      'Digest Mismatch.': 'digest bad',
      'Signature has not yet been verified.': 'not checked',
    };
    return [...said.matchAll(/Signature Validation: (.*)/g)]
      .map(([, words = '']) => short[words] ?? 'failed')
      .join(', ');
  } catch {
    return 'error';
  }
}
