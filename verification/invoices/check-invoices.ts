// npm run check:invoices -- [--corpus ../shared/einvoice] [--mutations 2000] [--seed 1] [--report <file>] [--written]
//   [--keep <folder>]
//
// Compares what our rules say with what the published artefacts say, run by phive: for every XML invoice of the corpus,
// the cases of unit tests, and mutations of its invoices. Writes a table by rule, and fails if a rule disagrees. With
// --written, phive, Mustang and veraPDF also judge what we convert, create and embed (minutes; needs veraPDF).
// --keep keeps mutants and results in a folder.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { profileOf } from '../../document/invoices/profiles/index.js';
import { checkRules, type Violation } from '../../document/invoices/rules/index.js';
import { readInvoice } from '../../document/invoices/syntaxes/index.js';
import { BuiltServer } from '../corpus/built-server.js';
import { Random } from '../fuzz/random.js';
import { gaveUp, Tally, xrechnungFaults } from './compare.js';
import { type Rejected, rejectedConversions } from './converted.js';
import { checkCreated } from './created.js';
import { type CorpusInvoice, corpusInvoices, enSet, facturXInvoices, xrechnungSet } from './corpus.js';
import { compareFacturX } from './factur-x.js';
import { collectPool, mutate } from './mutate.js';
import { areValidatorsInstalled, Mustang, Phive, type PhiveFault } from './validators.js';
import { readTree, writeTree } from './xml-tree.js';

const { values } = parseArgs({
  options: {
    corpus: { type: 'string', default: '../shared/einvoice' },
    mutations: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    report: { type: 'string' },
    keep: { type: 'string' },
    written: { type: 'boolean', default: false },
  },
});
if (!areValidatorsInstalled())
  throw new Error('install the validators first: sudo sh deploy/install-programs.sh --with-invoice-validators');

const scratch = values.keep ?? mkdtempSync(join(tmpdir(), 'quire-invoices-'));
const phive = new Phive('.cache/invoice-answers.jsonl');
const invoices = corpusInvoices(resolve(values.corpus), scratch);
const tallies = {
  'Corpus, EN 16931': new Tally(),
  'Corpus, XRechnung': new Tally(),
  'Mutations that keep to the schema': new Tally(),
  'Mutations that break the schema': new Tally(),
};

/** Each of them is made in every profile and judged by three validators. */
const CREATED_FROM = 300;
const EN_16931 = 'urn:cen.eu:en16931:2017';

/** With the profile of the invoice before it was mutated, as the artefacts get it too. */
function ourViolations({ path, specification }: CorpusInvoice, asXrechnung: boolean): Violation[] {
  const profile = profileOf(asXrechnung ? specification : EN_16931);
  return checkRules(readInvoice(readFileSync(path)), profile === undefined ? {} : { profile });
}

async function theirFaults(syntax: CorpusInvoice['syntax'], path: string, set?: string): Promise<PhiveFault[]> {
  const { faults } = await phive.judge(enSet(syntax), path);
  return set === undefined ? [...faults] : xrechnungFaults(faults, (await phive.judge(set, path)).faults);
}

async function compareMutant(invoice: CorpusInvoice, set?: string): Promise<void> {
  const { faults } = await phive.judge(enSet(invoice.syntax), invoice.path);
  const keeps = faults.every(({ rule }) => rule !== null);
  await compare(`Mutations that ${keeps ? 'keep to' : 'break'} the schema`, invoice, set);
}

async function compare(title: keyof typeof tallies, invoice: CorpusInvoice, set?: string): Promise<void> {
  const tally = tallies[title];
  const faults = await theirFaults(invoice.syntax, invoice.path, set);
  if (gaveUp(faults)) tally.notJudged += 1;
  else tally.add(invoice.name, ourViolations(invoice, set !== undefined), faults);
}

for (const invoice of invoices) {
  await compare('Corpus, EN 16931', invoice);
  const set = xrechnungSet(invoice);
  if (set !== undefined) await compare('Corpus, XRechnung', invoice, set);
}
await compareMutations();
const facturX = await compareFacturX(await facturXInvoices(resolve(values.corpus), scratch, invoices), phive, {
  scratch,
  mutations: Number(values.mutations),
  seed: Number(values.seed),
});
Object.assign(tallies, {
  'Factur-X 1.0.8, corpus': facturX.corpus,
  'Factur-X 1.0.8, mutations that keep to the schema': facturX.keeping,
  'Factur-X 1.0.8, mutations that break the schema': facturX.breaking,
});
const rejected = values.written ? await judgeWritten() : [];
phive.stop();
report();
if (values.keep === undefined) rmSync(scratch, { recursive: true });

async function compareMutations(): Promise<void> {
  const whole = invoices.filter(({ isFragment }) => !isFragment);
  const trees = new Map(whole.map((invoice) => [invoice, readTree(readFileSync(invoice.path))]));
  const pools = Map.groupBy(trees.keys(), ({ syntax }) => syntax);
  for (const [syntax, members] of pools) {
    const pool = collectPool(members.flatMap((member) => trees.get(member) ?? []));
    const random = new Random(Number(values.seed), syntax.length);
    const wanted = Math.ceil((Number(values.mutations) * members.length) / whole.length);
    for (let i = 0; i < wanted; i++) {
      const base = random.pick(members);
      const tree = trees.get(base);
      if (tree === undefined) continue;
      const mutant = mutate(tree, pool, random);
      const path = join(scratch, `${syntax}-${i}.xml`);
      writeFileSync(path, writeTree(mutant.tree));
      const invoice = { ...base, name: `${syntax}-${i} (${base.name}: ${mutant.done})`, path };
      await compareMutant(invoice, xrechnungSet(base));
    }
  }
}

async function judgeWritten(): Promise<readonly Rejected[]> {
  const converted = await rejectedConversions(invoices, phive, scratch);
  for (const [reason, count] of converted.excused) process.stderr.write(`${count} × ${reason}\n`);
  const mustang = new Mustang();
  const server = await BuiltServer.start({ base: join(scratch, 'server') });
  try {
    const created = await checkCreated(server.url, invoices.slice(0, CREATED_FROM), { phive, mustang }, scratch);
    process.stderr.write(
      `${converted.written} converted, ${created.made} created or embedded, ${created.refused.length} refused\n`,
    );
    return [...converted.rejected, ...created.rejected];
  } finally {
    await server.stop();
    mustang.stop();
  }
}

function report(): void {
  const text = Object.entries(tallies).map(([title, tally]) =>
    [
      `## ${title}: ${tally.files} files, ${tally.notJudged} not judged`,
      '',
      '| Rule | Agreed broken | Missing | Extra | Other severity | Explained | Examples |',
      '|---|---|---|---|---|---|---|',
      ...tally.rows(),
      '',
    ].join('\n'),
  );
  if (values.report === undefined) process.stdout.write(text.join('\n'));
  else writeFileSync(values.report, text.join('\n'));
  // Where the schema is broken the verdict is clear without the rules, and they may differ in what they look at.
  const rows = Object.entries(tallies)
    .filter(([title]) => !title.includes('break the schema'))
    .flatMap(([, tally]) => [...tally.rules.values()]);
  const wrong = rows.reduce((sum, row) => sum + row.missing.length + row.extra.length + row.otherSeverity.length, 0);
  for (const { name, set, faults } of rejected) process.stderr.write(`${name}, ${set}: ${faults.join('; ')}\n`);
  const { files, differing } = facturX.verdicts;
  for (const name of differing) process.stderr.write(`another verdict on ${name}\n`);
  process.stderr.write(`${files - differing.length} of ${files} verdicts of Factur-X agree\n`);
  process.stderr.write(`${wrong} disagreements, ${rejected.length} of our documents rejected\n`);
  if (wrong + rejected.length > 0) process.exitCode = 1;
}
