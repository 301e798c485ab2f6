// npm run check:invoices -- [--corpus ../shared/einvoice] [--mutations 2000] [--seed 1] [--report <file>]
//
// Compares what our rules say with what the published artefacts say, run by phive: for every XML invoice of the corpus,
// the cases of unit tests, and mutations of its invoices. Writes a table by rule, and fails if a rule disagrees.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { profileOf } from '../../document/invoices/profiles/index.js';
import { checkRules, type Violation } from '../../document/invoices/rules/index.js';
import { readInvoice } from '../../document/invoices/syntaxes/index.js';
import { Random } from '../fuzz/random.js';
import { gaveUp, Tally, xrechnungFaults } from './compare.js';
import { type CorpusInvoice, corpusInvoices, enSet, xrechnungSet } from './corpus.js';
import { collectPool, mutate } from './mutate.js';
import { areValidatorsInstalled, Phive, type PhiveFault } from './validators.js';
import { readTree, writeTree } from './xml-tree.js';

const { values } = parseArgs({
  options: {
    corpus: { type: 'string', default: '../shared/einvoice' },
    mutations: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    report: { type: 'string' },
    keep: { type: 'string' },
  },
});
if (!areValidatorsInstalled())
  throw new Error('install the validators first: sudo sh deploy/install-programs.sh --with-invoice-validators');

const scratch = values.keep ?? mkdtempSync(join(tmpdir(), 'quire-invoices-'));
const phive = new Phive('.cache/invoice-answers.jsonl');
const invoices = corpusInvoices(resolve(values.corpus), scratch);
const tallies = { 'Corpus, EN 16931': new Tally(), 'Corpus, XRechnung': new Tally(), Mutations: new Tally() };

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

async function compare(tally: Tally, invoice: CorpusInvoice, set?: string): Promise<void> {
  const faults = await theirFaults(invoice.syntax, invoice.path, set);
  if (gaveUp(faults)) tally.notJudged += 1;
  else tally.add(invoice.name, ourViolations(invoice, set !== undefined), faults);
}

for (const invoice of invoices) {
  await compare(tallies['Corpus, EN 16931'], invoice);
  const set = xrechnungSet(invoice);
  if (set !== undefined) await compare(tallies['Corpus, XRechnung'], invoice, set);
}
await compareMutations();
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
      await compare(tallies.Mutations, invoice, xrechnungSet(base));
    }
  }
}

function report(): void {
  const text = Object.entries(tallies).map(([title, tally]) =>
    [
      `## ${title}: ${tally.files} files, ${tally.notJudged} not judged`,
      '',
      '| Rule | Agreed broken | Missing | Extra | Other severity | Examples |',
      '|---|---|---|---|---|---|',
      ...tally.rows(),
      '',
    ].join('\n'),
  );
  if (values.report === undefined) process.stdout.write(text.join('\n'));
  else writeFileSync(values.report, text.join('\n'));
  const rows = Object.values(tallies).flatMap((tally) => [...tally.rules.values()]);
  const wrong = rows.reduce((sum, row) => sum + row.missing.length + row.extra.length + row.otherSeverity.length, 0);
  process.stderr.write(`${wrong} disagreements\n`);
  if (wrong > 0) process.exitCode = 1;
}
