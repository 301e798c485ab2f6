import { codeMeaning, labelOf, type Language, schemeName } from '@quire/document/invoices/labels';
import type { BinaryObject, Group, SchemedIdentifier, Term } from '@quire/document/invoices/model';
import type { Fact } from '@quire/document/composition';
import { formatAccount, formatDate, formatNumber, formatPercentage, formatSize } from './format.js';

/** The terms of a group as the invoice holds them: their keys are those of the model. */
type Holder = Readonly<Record<string, unknown>>;

const ACCOUNTS: ReadonlySet<string> = new Set(['BT-84', 'BT-91']);

/** The value of a term in words, as one text. */
export function formatValue(term: Term, value: unknown, language: Language): string {
  if (term.type === 'schemed') return schemed(value as SchemedIdentifier);
  if (term.type === 'binary') return binary(value as BinaryObject, language);
  const text = String(value);
  switch (term.type) {
    case 'date':
      return formatDate(text, language);
    case 'amount':
    case 'price':
    case 'quantity':
      return formatNumber(text, language);
    case 'percentage':
      return formatPercentage(text, language);
    case 'code': {
      const meaning = codeMeaning(term.id, text, language);
      return meaning === undefined || meaning === text ? text : `${meaning} (${text})`;
    }
    default:
      return ACCOUNTS.has(term.id) ? formatAccount(text) : text;
  }
}

function schemed({ value, scheme, schemeVersion }: SchemedIdentifier): string {
  return [
    value,
    ...(scheme === undefined || scheme === '' ? [] : [schemeName(scheme)]),
    ...(schemeVersion === undefined || schemeVersion === '' ? [] : [schemeVersion]),
  ].join(' · ');
}

function binary({ content, mimeCode, filename }: BinaryObject, language: Language): string {
  return [filename, mimeCode, formatSize(content, language)]
    .filter((text) => text !== undefined && text !== '')
    .join(' · ');
}

/**
 * One group of an invoice while it is laid out. What is taken from it is remembered, so that `rest` holds everything
 * that the layout has no place of its own for: no value of the invoice is lost.
 */
export class Part {
  readonly language: Language;
  readonly #group: Group;
  readonly #holder: Holder;
  readonly #taken = new Set<string>();

  constructor(group: Group, holder: object, language: Language) {
    this.#group = group;
    this.#holder = holder as Holder;
    this.language = language;
  }

  /** The name of the group. */
  get label(): string {
    return labelOf(this.#group.id, this.language);
  }

  /** The label of a term or group in it. */
  labelOf(key: string): string {
    return labelOf(this.#node(key).id, this.language);
  }

  /** The value of a term as it is in the invoice, without taking it. */
  raw(key: string): string | undefined {
    const value = this.#holder[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  /** Takes all values of a term, in words. */
  texts(key: string): string[] {
    this.#taken.add(key);
    const node = this.#node(key);
    if (node.node === 'group') throw new RangeError(`${key} is a group`);
    return this.#values(key)
      .map((value) => formatValue(node, value, this.language))
      .filter((text) => text !== '');
  }

  /** Takes a term, in words; undefined without a value. */
  text(key: string): string | undefined {
    const texts = this.texts(key);
    return texts.length === 0 ? undefined : texts.join('\n');
  }

  /** Takes a code as it is: where another part of the page says what it means. */
  code(key: string): string | undefined {
    this.#taken.add(key);
    return this.raw(key);
  }

  /** Takes terms with their labels; those without a value are left out. */
  facts(...keys: readonly string[]): Fact[] {
    return keys.flatMap((key) => this.texts(key).map((value) => ({ label: this.labelOf(key), value })));
  }

  /** Whether the model has a term or group of this key here. */
  has(key: string): boolean {
    return Object.hasOwn(this.#group.terms, key);
  }

  /** Takes a group that occurs once. */
  part(key: string): Part | undefined {
    return this.parts(key)[0];
  }

  /** Takes all occurrences of a group. */
  parts(key: string): Part[] {
    this.#taken.add(key);
    const node = this.#node(key);
    if (node.node === 'term') throw new RangeError(`${key} is a term`);
    return this.#values(key).map((holder) => new Part(node, holder as object, this.language));
  }

  /** Takes everything that was not taken yet, in the order of the model, groups within it included. */
  rest(): Fact[] {
    return Object.entries(this.#group.terms).flatMap(([key, node]) => {
      if (this.#taken.has(key)) return [];
      if (node.node === 'term') return this.facts(key);
      return this.parts(key).flatMap((part) => part.rest());
    });
  }

  #values(key: string): readonly unknown[] {
    const value = this.#holder[key];
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? value : [value];
  }

  #node(key: string): Term | Group {
    const node = this.#group.terms[key];
    if (node === undefined) throw new RangeError(`${this.#group.id} has no ${key}`);
    return node;
  }
}
