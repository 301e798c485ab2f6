import type { XmlElement } from '../../syntaxes/index.js';
import type { Sentence, Severity } from '../violation.js';
import type { PathTree } from './path-table.js';
import { all } from './select.js';

/** A rule about elements, in words of the syntax. */
export interface Statement {
  readonly rule: string;
  readonly severity: Severity;
  readonly terms: readonly string[];
  readonly holds: (context: XmlElement) => boolean;
  readonly message: Sentence;
}

/** The rules of one kind of element. Of all contexts of a syntax, only the first that fits an element counts. */
export interface Context {
  /**
   * Which elements: `/a/b` from the root, `a/b` at any place, alternatives by ` | `. `prefix:*ID` means every name with
   * that ending.
   */
  readonly on: string;
  readonly where?: (element: XmlElement) => boolean;
  readonly unused?: PathTree;
  /** What must not be anywhere in the element. */
  readonly unusedAnywhere?: PathTree;
  readonly statements?: readonly Statement[];
}

type Terms = string;

const listOf = (terms: Terms): readonly string[] => (terms === '' ? [] : terms.split(' '));

/** The elements at a path occur at most `limit` times. */
export function atMost(
  rule: string,
  path: string,
  terms: Terms = '',
  severity: Severity = 'fatal',
  limit = 1,
): Statement {
  return {
    rule,
    severity,
    terms: listOf(terms),
    holds: (context) => all(context, path).length <= limit,
    message: tooMany(path, limit),
  };
}

/** Exactly one element is at the path. */
export function exactlyOne(rule: string, path: string, terms: Terms = '', severity: Severity = 'fatal'): Statement {
  return {
    rule,
    severity,
    terms: listOf(terms),
    holds: (context) => all(context, path).length === 1,
    message: {
      en: `"${path}" must occur exactly once here.`,
      de: `„${path}“ muss hier genau einmal vorkommen.`,
    },
  };
}

export function tooMany(path: string, limit = 1): Sentence {
  const times = limit === 1 ? { en: 'once', de: 'einmal' } : { en: `${limit} times`, de: `${limit}-mal` };
  return {
    en: `"${path}" may occur at most ${times.en} here.`,
    de: `„${path}“ darf hier höchstens ${times.de} vorkommen.`,
  };
}

/** Any other condition, with its own sentence. */
export function condition(
  rule: string,
  terms: Terms,
  holds: (context: XmlElement) => boolean,
  message: Sentence,
  severity: Severity = 'fatal',
): Statement {
  return { rule, severity, terms: listOf(terms), holds, message };
}

export function notUsed(name: string): Sentence {
  const attribute = name.startsWith('@');
  return attribute
    ? {
        en: `The attribute "${name.slice(1)}" is not used in invoices of EN 16931 at this place; leave it out.`,
        de: `Das Attribut „${name.slice(1)}“ ist an dieser Stelle in Rechnungen nach EN 16931 nicht vorgesehen.`,
      }
    : {
        en: `The element "${name}" is not used in invoices of EN 16931 at this place; leave it out.`,
        de: `Das Element „${name}“ ist an dieser Stelle in Rechnungen nach EN 16931 nicht vorgesehen.`,
      };
}
