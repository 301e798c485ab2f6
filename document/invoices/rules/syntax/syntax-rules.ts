import type { XmlElement } from '../../syntaxes/index.js';
import type { Facts, Family } from '../facts.js';
import type { Rule } from '../rule.js';
import { type Broken, findBroken } from './check-syntax.js';
import { CII_CONTEXTS } from './cii.js';
import { rulesIn } from './path-table.js';
import { type Context, notUsed } from './statement.js';
import { UBL_CONTEXTS } from './ubl.js';

/**
 * The syntax rules of EN 16931 (UBL-SR, UBL-CR, UBL-DT, CII-SR, CII-DT): which elements and attributes of UBL and CII
 * an invoice uses, and how often. All of them are checked by one walk over the invoice, whichever is asked for first.
 */
export const syntaxRules: readonly Rule[] = [...rulesOf('cii', CII_CONTEXTS), ...rulesOf('ubl', UBL_CONTEXTS)];

type Declared = Pick<Rule, 'id' | 'severity' | 'terms' | 'message'>;

function rulesOf(family: Family, contexts: readonly Context[]): Rule[] {
  const rules = new Map(contexts.flatMap(declaredBy).map((rule) => [rule.id, rule]));
  const walked = new WeakMap<XmlElement, Broken>();
  const broken = ({ read: { root } }: Facts): Broken => {
    const known = walked.get(root) ?? findBroken(root, contexts);
    walked.set(root, known);
    return known;
  };
  return [...rules.values()].map((rule) => ({
    ...rule,
    set: 'syntax',
    family,
    check: (facts, report) => {
      for (const at of broken(facts).get(rule.id) ?? []) report({ at, value: at.text === '' ? undefined : at.text });
    },
  }));
}

function declaredBy({ unused, unusedAnywhere, statements = [] }: Context): Declared[] {
  const tables = [unused, unusedAnywhere].flatMap((tree) => (tree === undefined ? [] : rulesIn(tree)));
  return [
    ...tables.map(({ rule, fatal, name }): Declared => {
      return { id: rule, severity: fatal ? 'fatal' : 'warning', terms: [], message: notUsed(name) };
    }),
    ...statements.map(({ rule, severity, terms, message }) => ({ id: rule, severity, terms, message })),
  ];
}
