/** Types of the semantic model (EN 16931-1, 6.5): how the value of a term is kept. */
export type TermType =
  | 'text'
  | 'code'
  /** An identifier without a scheme, or a reference to a document. */
  | 'identifier'
  /** An identifier that can name its scheme. */
  | 'schemed'
  /** `YYYY-MM-DD`; what is no date stays as it was read. */
  | 'date'
  /** An amount of money, two decimal places at most. */
  | 'amount'
  /** A unit price. */
  | 'price'
  | 'quantity'
  /** 19 is 19 %. */
  | 'percentage'
  | 'binary';

/** How often a term or group occurs in an invoice of EN 16931 (profile EN 16931). */
export type Occurs = '1' | '0..1' | '0..n' | '1..n';

/** An identifier with the code of its scheme, and the version of a scheme where there is one. */
export interface SchemedIdentifier {
  readonly value: string;
  readonly scheme?: string;
  readonly schemeVersion?: string;
}

/** An attached file: base64 as it is in the XML, without white space. */
export interface BinaryObject {
  readonly content: string;
  readonly mimeCode?: string;
  readonly filename?: string;
}

/** A business term. */
export interface Term<T extends TermType = TermType, O extends Occurs = Occurs> {
  readonly node: 'term';
  /** `BT-1`. */
  readonly id: string;
  /** The English name of the standard. */
  readonly name: string;
  readonly type: T;
  readonly occurs: O;
}

/** Terms and groups by the names of their JSON keys, in the order of the standard. */
export type Terms = Readonly<Record<string, Term | Group>>;

/** A group of business terms. */
export interface Group<O extends Occurs = Occurs, G extends Terms = Terms> {
  readonly node: 'group';
  /** `BG-4`. */
  readonly id: string;
  readonly name: string;
  readonly occurs: O;
  readonly terms: G;
}

/** The value of one occurrence of a term. Numbers are decimal texts as they were written, never floats. */
export type ValueOf<T extends TermType> = T extends 'schemed'
  ? SchemedIdentifier
  : T extends 'binary'
    ? BinaryObject
    : string;

type Occurring<O extends Occurs, V> = O extends '0..n' | '1..n' ? readonly V[] : V;

/**
 * The object that holds the terms. All are optional, because an invoice that is read can lack each of them; a group
 * whose element exists is an object, even an empty one.
 */
export type Holding<G extends Terms> = {
  readonly [K in keyof G]?: G[K] extends Term<infer T, infer O>
    ? Occurring<O, ValueOf<T>>
    : G[K] extends Group<infer O, infer H>
      ? Occurring<O, Holding<H>>
      : never;
};

export function term<T extends TermType, O extends Occurs>(id: string, name: string, type: T, occurs: O): Term<T, O> {
  return { node: 'term', id, name, type, occurs };
}

export function group<O extends Occurs, G extends Terms>(id: string, name: string, occurs: O, terms: G): Group<O, G> {
  return { node: 'group', id, name, occurs, terms };
}
