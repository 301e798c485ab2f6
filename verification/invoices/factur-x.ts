import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Profile, profileOf } from '../../document/invoices/profiles/index.js';
import { checkRules, type Violation } from '../../document/invoices/rules/index.js';
import { readInvoice } from '../../document/invoices/syntaxes/index.js';
import { checkSchema } from '../../plugins/invoice/src/functions/schema.js';
import { Random } from '../fuzz/random.js';
import { isFatal, Tally } from './compare.js';
import { type CorpusInvoice, facturXSet } from './corpus.js';
import { collectPool, mutate } from './mutate.js';
import type { Phive, PhiveFault } from './validators.js';
import { readTree, writeTree } from './xml-tree.js';

/** A day on which Factur-X 1.0.8 counts, whose artefacts are the judge. */
export const FACTUR_X_DAY = '2026-06-01';

/** What a schema refuses, and tests without a number: "is marked as not used in the given context". */
const STRUCTURE = 'structure';
const NOT_USED = /marked as not used in the given context/;

/** Rules of EN 16931 that the artefacts of Factur-X leave out: they have schemas and code lists of their own. */
const ONLY_EN_16931 = /^(?:BR-CL-|CII-SR-(?!46[3-6])|CII-DT-(?!097))/;

export function facturXFaults(faults: readonly PhiveFault[]): PhiveFault[] {
  return faults.map((fault) => {
    const named = /^\s*\[([\w-]+)\]/.exec(fault.message)?.[1];
    return { ...fault, rule: isOfStructure(fault) ? STRUCTURE : named === 'SAX' ? STRUCTURE : (named ?? fault.rule) };
  });
}

const isOfStructure = ({ artefact, rule, message }: PhiveFault): boolean =>
  artefact.endsWith('.xsd') || (rule === null && NOT_USED.test(message));

/** The schematron stopped, for instance at an amount that is no number. */
export const stopped = (faults: readonly PhiveFault[]): boolean => faults.some(({ rule }) => rule === null);

/** Our violations by the rules that the artefacts have, with what has no place in the profile as one rule. */
export async function ourFacturX(bytes: Uint8Array, profile: Profile): Promise<Violation[]> {
  const violations = [
    ...(await checkSchema(bytes, 'cii', true)),
    ...checkRules(readInvoice(bytes), { profile, day: FACTUR_X_DAY, isFacturX: true }),
  ];
  return violations
    .filter(({ rule }) => !ONLY_EN_16931.test(rule))
    .map((violation) =>
      /^(?:XSD|QUIRE-PROFILE-07)$/.test(violation.rule) ? { ...violation, rule: STRUCTURE } : violation,
    );
}

/** Agreement on whole files: valid for us, valid for the artefacts. */
export interface FileVerdicts {
  files: number;
  readonly differing: string[];
}

export interface FacturXTallies {
  readonly corpus: Tally;
  readonly keeping: Tally;
  readonly breaking: Tally;
  readonly verdicts: FileVerdicts;
  /** Refused by the artefacts, valid for us without a day: issued before the present version. */
  readonly older: readonly { readonly name: string; readonly rules: readonly string[] }[];
}

/** Compares invoices of Factur-X, and mutations of them, with the artefacts of their profile. */
export async function compareFacturX(
  invoices: readonly CorpusInvoice[],
  phive: Phive,
  options: { readonly scratch: string; readonly mutations: number; readonly seed: number },
): Promise<FacturXTallies> {
  const tallies = {
    corpus: new Tally(),
    keeping: new Tally(),
    breaking: new Tally(),
    verdicts: { files: 0, differing: [] as string[] },
    older: [] as { name: string; rules: string[] }[],
  };
  for (const invoice of invoices) {
    const compared = await compareOne(invoice, phive);
    if (compared === undefined) tallies.corpus.notJudged += 1;
    else {
      tallies.corpus.add(invoice.name, compared.ours, compared.theirs);
      tallies.verdicts.files += 1;
      if (compared.theirs.some(isFatal) !== compared.ours.some(({ severity }) => severity === 'fatal'))
        tallies.verdicts.differing.push(invoice.name);
      const rules = compared.theirs.filter(isFatal).map(({ rule }) => rule ?? '');
      if (rules.length > 0 && isValidToday(invoice))
        tallies.older.push({ name: invoice.name, rules: [...new Set(rules)].toSorted() });
    }
  }
  for (const mutant of mutants(invoices, options)) {
    const compared = await compareOne(mutant, phive);
    const tally = compared?.theirs.some(({ rule }) => rule === STRUCTURE) === true ? tallies.breaking : tallies.keeping;
    if (compared === undefined) tally.notJudged += 1;
    else tally.add(mutant.name, compared.ours, compared.theirs);
  }
  return tallies;
}

/** By the rules that count for the day on which the invoice was issued. */
function isValidToday({ path }: CorpusInvoice): boolean {
  const violations = checkRules(readInvoice(readFileSync(path)), { isFacturX: true });
  return !violations.some(({ severity }) => severity === 'fatal');
}

interface Compared {
  readonly ours: readonly Violation[];
  readonly theirs: readonly PhiveFault[];
}

async function compareOne({ path, specification }: CorpusInvoice, phive: Phive): Promise<Compared | undefined> {
  const profile = profileOf(specification);
  const set = facturXSet(profile?.id);
  if (profile === undefined || set === undefined) return undefined;
  const theirs = facturXFaults((await phive.judge(set, path)).faults);
  return stopped(theirs) ? undefined : { ours: await ourFacturX(readFileSync(path), profile), theirs };
}

function* mutants(
  invoices: readonly CorpusInvoice[],
  { scratch, mutations, seed }: { readonly scratch: string; readonly mutations: number; readonly seed: number },
): Generator<CorpusInvoice> {
  const trees = new Map(invoices.map((invoice) => [invoice, readTree(readFileSync(invoice.path))]));
  const pool = collectPool([...trees.values()]);
  // Each profile has its turn, however few invoices of it there are.
  const groups = [...Map.groupBy(invoices, ({ specification }) => profileOf(specification)?.id).values()];
  const random = new Random(seed, 8);
  for (let i = 0; i < mutations; i++) {
    const base = random.pick(groups[i % groups.length] ?? []);
    const tree = trees.get(base);
    if (tree === undefined) continue;
    const mutant = mutate(tree, pool, random);
    const path = join(scratch, `factur-x-${i}.xml`);
    writeFileSync(path, writeTree(mutant.tree));
    yield { ...base, name: `factur-x-${i} (${base.name}: ${mutant.done})`, path };
  }
}
