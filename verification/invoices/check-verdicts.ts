// npm run check:invoice-verdicts -- [--report docs/reports/invoices.md]
//
// Compares our verdicts with those of the suites in ../shared/einvoice, file by file and rule by rule, and writes the
// report. Fails if a deviation is not explained in deviations.ts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deviations, withoutPdfA } from './deviations.js';
import { corpusInvoices, facturXInvoices } from './corpus.js';
import { facturXSection } from './factur-x-report.js';
import { compareFacturX } from './factur-x.js';
import { hasSuites, readManifest } from './suites.js';
import { areValidatorsInstalled, Phive } from './validators.js';
import { judgeSuites, pathOf, type RuleCase, type Verdicts, verifyPdfA } from './verdicts.js';

const { values } = parseArgs({ options: { report: { type: 'string', default: 'docs/reports/invoices.md' } } });
if (!hasSuites()) throw new Error('../shared/einvoice is missing');

const pdfs = (await readManifest()).filter(({ kind }) => kind === 'pdf-hybrid').map(({ file }) => pathOf(file));
const pdfa = verifyPdfA(pdfs);
const verdicts = await judgeSuites(pdfa);
const explained = { ...deviations, ...(pdfa === undefined ? withoutPdfA : {}) };
const facturX = areValidatorsInstalled() ? await compareProfiles() : undefined;
writeFileSync(values.report, report(verdicts));

const wrongRules = verdicts.rules.filter(({ agrees }) => !agrees);
const wrongFiles = verdicts.files.filter(({ file, expected, found }) => expected !== found && !(file in explained));
for (const { rule, name } of wrongRules) console.error(`${rule}: ${name}`);
for (const { file, found } of wrongFiles) console.error(`${file}: ${found}`);
console.log(`${values.report} written`);
if (wrongRules.length + wrongFiles.length > 0) process.exitCode = 1;

async function compareProfiles() {
  const corpus = '../shared/einvoice';
  const scratch = mkdtempSync(join(tmpdir(), 'quire-invoices-'));
  const phive = new Phive('.cache/invoice-answers.jsonl');
  try {
    const invoices = await facturXInvoices(corpus, scratch, corpusInvoices(corpus, scratch));
    return { tallies: await compareFacturX(invoices, phive, { scratch, mutations: 0, seed: 1 }) };
  } finally {
    phive.stop();
    rmSync(scratch, { recursive: true });
  }
}

function report({ rules, files, unknown }: Verdicts): string {
  const agreeing = files.filter(({ expected, found }) => expected === found).length;
  const agreeingRules = rules.filter(({ agrees }) => agrees).length;
  return [
    '# Verdicts on invoices',
    '',
    '<!-- Written by npm run check:invoice-verdicts -->',
    '',
    'How far `invoice/validate` agrees with the suites that publish invoices with verdicts: ConnectingEurope/eInvoicing-EN16931,',
    'KoSIT’s XRechnung test suite and validator configuration, and ZUGFeRD/corpus. PDFs were also checked by veraPDF' +
      `${pdfa === undefined ? ', which was not installed for this run' : ''}.`,
    '',
    `- Files: ${agreeing} of ${files.length} verdicts agree. ${unknown.length} files have no verdict and were only read and checked.`,
    `- Rules: ${agreeingRules} of ${rules.length} expectations of single rules agree (unit tests, and files that decide one rule).`,
    '',
    '## Files',
    '',
    ...table(
      ['Kind', 'Expected', 'Files', 'Agree'],
      groups(files, ({ kind, expected }) => `${kind}|${expected}`).map(([key, group]) => [
        ...key.split('|'),
        String(group.length),
        String(group.filter(({ expected, found }) => expected === found).length),
      ]),
    ),
    '',
    '## Deviations',
    '',
    ...table(
      ['File', 'Suite', 'We', 'Reason'],
      files
        .filter(({ expected, found }) => expected !== found)
        .map(({ file, expected, found }) => [
          file.replace('zugferd-corpus/', ''),
          expected,
          found,
          explained[file] ?? '',
        ]),
    ),
    '',
    ...facturXSection(facturX?.tallies),
    '## Rules without an entry',
    '',
    '`BR-CO-05` to `BR-CO-08` demand that the text and the code of a reason mean the same. Whether they do cannot be',
    'decided by a program, the published tests are always true, and there is no entry for them.',
    '',
    '## Rules',
    '',
    ...table(['Rule', 'Must pass', 'Must fail', 'Agree'], groups(rules, ({ rule }) => rule).map(ruleRow)),
    '',
  ].join('\n');
}

function ruleRow([rule, cases]: readonly [string, readonly RuleCase[]]): string[] {
  const count = (expected: RuleCase['expected']): string =>
    String(cases.filter((each) => each.expected === expected).length);
  return [rule, count('passes'), count('fails'), `${cases.filter(({ agrees }) => agrees).length}/${cases.length}`];
}

function groups<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  return [...Map.groupBy(items, keyOf)].toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}
