// npm run contract -- docs/interface [--page docs/reports/compatibility.md]
//
// Compares the interface that this code serves with the contract and prints every difference. Exits with 1 when a
// difference is not explained (verification/interface/explained.yml), or when an explanation matches nothing. With
// --page the explanations are written to that page.
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareContract } from './compare.js';
import { readContract } from './contract-calls.js';
import { explain, readExplanations } from './explanations.js';
import { withExplanations } from './page.js';
import { report } from './report.js';
import { type OpenApi, readServed } from './served-calls.js';
import { servedDocument } from '../walk/served-document.js';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { page: { type: 'string' } } });
const [folder] = positionals;
if (folder === undefined) throw new Error('no folder given: npm run contract -- <folder with contract yml>');
const contract = readContract(resolve(folder));
const comparison = compareContract(contract, readServed(JSON.parse(await servedDocument()) as OpenApi));
const explained = explain(
  comparison.differences,
  readExplanations(fileURLToPath(new URL('explained.yml', import.meta.url))),
);
process.stdout.write(report(contract, comparison, explained));
if (values.page !== undefined)
  await writeFile(values.page, withExplanations(await readFile(values.page, 'utf8'), comparison, explained));
process.exitCode =
  explained.idle.length > 0 || explained.rows.some(({ explanation }) => explanation === undefined) ? 1 : 0;
