import { expect } from 'chai';
import type { Violation } from '../../document/invoices/rules/index.js';
import { Random } from '../fuzz/random.js';
import { disagreements, gaveUp, Tally, xrechnungFaults } from './compare.js';
import { collectPool, mutate } from './mutate.js';
import type { PhiveFault } from './validators.js';
import { readTree, writeTree } from './xml-tree.js';

const cbc = 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2';
const xml =
  `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:c="${cbc}">` +
  '<c:ID>A &amp; B</c:ID><c:IssueDate>2026-01-31</c:IssueDate><c:DueDate>2026-02-28</c:DueDate></Invoice>';

const ours = (rule: string, severity: Violation['severity'] = 'fatal'): Violation => {
  return { rule, severity, terms: [], location: undefined, value: undefined, message: { en: '.', de: '.' } };
};
const theirs = (rule: string | null, level: PhiveFault['level'] = 'fatal_error', artefact = 'EN.xslt'): PhiveFault => {
  return { artefact, rule, level, place: null, line: -1, message: '' };
};

describe('the comparison of invoice rules', () => {
  it('compares rules and severities, however often a rule is broken', () => {
    expect(disagreements([ours('BR-01')], [theirs('BR-01'), theirs('BR-01', 'error')])).to.deep.equal([]);
    const found = disagreements(
      [ours('BR-02'), ours('BR-03', 'warning'), ours('BR-CO-10-strict'), ours('QUIRE-PROFILE-01')],
      [theirs('BR-01'), theirs('BR-03')],
    );
    expect(found).to.deep.equal([
      { rule: 'BR-01', ours: undefined, theirs: 'fatal' },
      { rule: 'BR-02', ours: 'fatal', theirs: undefined },
      { rule: 'BR-03', ours: 'warning', theirs: 'fatal' },
    ]);
  });

  it('counts what is explained apart', () => {
    const tally = new Tally();
    tally.add('a', [ours('UBL-CR-646')], [theirs('UBL-CR-646', 'warn')]);
    tally.add('b', [], [theirs('BR-01')]);
    const [wrong, explained] = [tally.rules.get('BR-01'), tally.rules.get('UBL-CR-646')];
    expect([wrong?.missing, wrong?.explained, explained?.otherSeverity, explained?.explained]).to.deep.equal([
      ['b'],
      0,
      [],
      1,
    ]);
  });

  it('notices a schematron that stopped, and not a schema that was broken', () => {
    expect(gaveUp([theirs(null, 'error', 'schema.xsd'), theirs('BR-01')])).to.equal(false);
    expect(gaveUp([theirs(null, 'error')])).to.equal(true);
  });

  it('takes rules of EN 16931 from their newest version, with the levels of XRechnung', () => {
    const faults = xrechnungFaults(
      [theirs('BR-CL-23'), theirs('BR-01')],
      [theirs('BR-CL-23', 'warn'), theirs('BR-OLD'), theirs('BR-DE-1', 'error', 'XRechnung.xslt')],
    );
    expect(faults.map(({ rule, level }) => [rule, level])).to.deep.equal([
      ['BR-CL-23', 'warn'],
      ['BR-01', 'fatal_error'],
      ['BR-DE-1', 'error'],
    ]);
  });
});

describe('mutations of invoices', () => {
  const tree = readTree(Buffer.from(xml));
  const pool = collectPool([tree]);

  it('are the same for the same seed, change something, and leave the original alone', () => {
    const before = writeTree(tree);
    const made = (seed: number): string[] => {
      const random = new Random(seed);
      return Array.from({ length: 50 }, () => writeTree(mutate(tree, pool, random).tree));
    };
    expect(made(1)).to.deep.equal(made(1));
    expect(made(1)).not.to.deep.equal(made(2));
    expect(made(1).filter((mutant) => mutant !== before).length).to.be.greaterThan(40);
    expect(writeTree(tree)).to.equal(before);
  });

  it('are written as XML that reads as the same tree', () => {
    expect(readTree(Buffer.from(writeTree(tree)))).to.deep.equal(tree);
  });
});
