import type { XmlElement } from '../../syntaxes/index.js';
import { facturXLists } from './code-lists.js';
import type { NodeRestriction, ProfileNode } from './profile-tree.js';
import type { Currencies } from './restrictions.js';
import type { Sentence } from '../violation.js';

/** A place where an invoice does not keep to its profile. */
export interface Deviation {
  /** The number of the published rule; undefined where the schema or a test without a number says it. */
  readonly rule: string | undefined;
  readonly at: XmlElement;
  readonly value: string | undefined;
  readonly message: Sentence;
}

/** Compares the elements, attributes and codes of an invoice with its profile, in one walk. */
export function checkProfile(root: XmlElement, tree: ProfileNode, currencies: Currencies): readonly Deviation[] {
  const check = new ProfileCheck(currencies);
  check.element(root, tree);
  return check.found;
}

class ProfileCheck {
  readonly found: Deviation[] = [];

  constructor(private readonly currencies: Currencies) {}

  element(element: XmlElement, node: ProfileNode): void {
    this.#attributes(element, node);
    this.#occurrences(element, node);
    const done = new Set<string>();
    for (const restriction of node.restrictions) {
      const { name, rule, demand } = restriction;
      const key = `${rule ?? ''} ${name} ${demand.kind}`;
      if (!this.#applies(restriction, element) || (restriction.variant === undefined && done.has(key))) continue;
      done.add(key);
      this.#restriction(restriction, element);
    }
    for (const child of element.children) {
      const allowed = node.children.get(child.qname);
      if (allowed === undefined) this.#add(undefined, child, noPlace(child.qname));
      else this.element(child, allowed.node);
    }
  }

  #attributes(element: XmlElement, { attributes, requiredAttributes }: ProfileNode): void {
    for (const name of element.attributes.keys())
      if (!name.includes(':') && !attributes.includes(name)) this.#add(undefined, element, noPlace(`@${name}`));
    for (const name of requiredAttributes)
      if (!element.attributes.has(name)) this.#add(undefined, element, missing(`@${name}`));
  }

  #occurrences(element: XmlElement, { children }: ProfileNode): void {
    for (const [qname, { occurs }] of children) {
      const count = countOf(element, qname);
      if (count === 0 ? occurs === '1' || occurs === '+' : count > (MOST[occurs] ?? Infinity))
        this.#add(undefined, element, count === 0 ? missing(qname) : tooMany(qname, MOST[occurs] ?? 1));
    }
  }

  #applies({ where }: NodeRestriction, element: XmlElement): boolean {
    return where.every(([levels, variant]) => {
      let at: XmlElement | undefined = element;
      for (let level = 0; level < levels; level++) at = at?.parent;
      return at !== undefined && variant(at, this.currencies);
    });
  }

  #restriction({ name, variant, demand, rule }: NodeRestriction, element: XmlElement): void {
    if (demand.kind === 'code') return this.#code(name, demand.list, rule, element);
    if (name.startsWith('@')) {
      const has = element.attributes.has(name.slice(1));
      if (demand.kind === 'unused' ? has : !has)
        this.#add(rule, element, demand.kind === 'unused' ? noPlace(name) : missing(name));
      return;
    }
    const found = element.children.filter(
      (child) => child.qname === name && (variant === undefined || variant(child, this.currencies)),
    );
    if (demand.kind === 'unused') for (const child of found) this.#add(rule, child, noPlace(name));
    else if (found.length === 0 && demand.kind !== '?') this.#add(rule, element, missing(name));
    else if (found.length > 1 && demand.kind !== '+') this.#add(rule, element, tooMany(name, 1));
  }

  #code(name: string, list: string, rule: string | undefined, element: XmlElement): void {
    const code = name === '.' ? element.text : (element.attributes.get(name.slice(1)) ?? '');
    if (code !== '' && facturXLists[list]?.has(code) !== true)
      this.#add(rule, element, notAllowed(name === '.' ? element.qname : name, code), code);
  }

  #add(rule: string | undefined, at: XmlElement, message: Sentence, value = at.text): void {
    this.found.push({ rule, at, value: value === '' ? undefined : value, message });
  }
}

const MOST: Readonly<Record<string, number>> = { '1': 1, '?': 1, '2': 2 };

function countOf(element: XmlElement, qname: string): number {
  let count = 0;
  for (const child of element.children) if (child.qname === qname) count += 1;
  return count;
}

const nameOf = (name: string): Sentence =>
  name.startsWith('@')
    ? { en: `The attribute "${name.slice(1)}"`, de: `Das Attribut „${name.slice(1)}“` }
    : { en: `The element "${name}"`, de: `Das Element „${name}“` };

function say(name: string, en: string, de: string): Sentence {
  const subject = nameOf(name);
  return { en: `${subject.en} ${en}`, de: `${subject.de} ${de}` };
}

const noPlace = (name: string): Sentence =>
  say(
    name,
    'has no place here in this profile of Factur-X; leave it out.',
    'ist hier in diesem Profil von Factur-X nicht vorgesehen.',
  );
const missing = (name: string): Sentence =>
  say(
    name,
    'is missing: this profile of Factur-X demands it here.',
    'fehlt: Dieses Profil von Factur-X verlangt es hier.',
  );
const tooMany = (name: string, limit: number): Sentence =>
  limit === 1
    ? say(name, 'may occur once only here.', 'darf hier nur einmal vorkommen.')
    : say(name, `may occur at most ${limit} times here.`, `darf hier höchstens ${limit}-mal vorkommen.`);

function notAllowed(name: string, code: string): Sentence {
  const shown = code.length > 60 ? `${code.slice(0, 60)}…` : code;
  return say(
    name,
    `has the value "${shown}", which the code list of Factur-X for this place does not have.`,
    `hat den Wert „${shown}“, den die Codeliste von Factur-X für diese Stelle nicht enthält.`,
  );
}
