import { PDFArray, PDFDict, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import { asName, entry, nameText } from '../file/objects/index.js';
import type { DocMdpLevel } from './fields/index.js';
import { dictAt, objectAt, type RevisionPair } from './revisions.js';

/**
 * A place that holds a value: an indirect object (0 for the trailer) and the key in it under which the value lies,
 * however deep.
 */
export interface Holding {
  readonly holder: number;
  readonly key: string;
}

/** Changes that a signature allows after it (ISO 32000-2, 12.8.2.2 and 12.8.2.4). */
export interface ChangeRules {
  /**
   * The level of its certification or lock; absent for an approval signature, after which forms may be filled in and
   * signed.
   */
  readonly level?: DocMdpLevel;
  /** True for fields that it locks. */
  readonly locks: (field: string) => boolean;
  /** Signature dictionaries, of the document as it is now, whose value holds. */
  readonly holding: ReadonlySet<PDFDict>;
}

/** Keys of a trailer that only say how the file is written, or where a writer looks for what is its own. */
const TRAILER_OWN: ReadonlySet<string> = new Set([
  'Prev',
  'Size',
  'XRefStm',
  'ID',
  'Type',
  'W',
  'Index',
  'Length',
  'Filter',
  'DecodeParms',
  'DocChecksum',
  'AdditionalStreams',
]);

/** How many references may lead from an allowed object to an explained one: a form's appearance, the lists of a DSS. */
const MAX_STEPS = 6;
/** Objects that are looked into for a change; an appearance or a font has some ten. */
const MAX_WITHIN = 1000;

/**
 * Collects what of the differences between two revisions is allowed and why. A difference counts as allowed only if
 * every way to the changed object leads through a place that may change: an appearance that page content uses, too, is
 * not an appearance alone.
 */
export class Judgement {
  /** Objects whose own differences were judged key by key, regardless of what refers to them. */
  readonly judged = new Set<number>();
  readonly #explained = new Set<string>();
  /** Objects that lie between an allowed place and what changed. */
  readonly #between = new Set<number>();
  readonly #refused = new Set<string>();
  readonly #allowed = new Set<string>();

  constructor(
    readonly pair: RevisionPair,
    readonly rules: ChangeRules,
  ) {}

  /** Says that something changed which must not; a noun phrase with a verb, without its full stop. */
  refuse(what: string): void {
    this.#refused.add(what);
  }

  /** Says what changed and may. */
  allow(what: string): void {
    this.#allowed.add(what);
  }

  get refused(): readonly string[] {
    return [...this.#refused];
  }

  get allowed(): readonly string[] {
    return [...this.#allowed];
  }

  isChanged(value: PDFObject | undefined): boolean {
    return value instanceof PDFRef && this.pair.changed.has(value.objectNumber);
  }

  /** True when an object that a value of the signed revision leads to, not through streams, is another now. */
  hasChangedWithin(value: PDFObject | undefined, seen = new Set<number>()): boolean {
    if (value instanceof PDFRef) {
      if (seen.has(value.objectNumber)) return false;
      if (seen.size > MAX_WITHIN) return true;
      seen.add(value.objectNumber);
      return this.isChanged(value) || this.hasChangedWithin(objectAt(this.pair.then, value.objectNumber)?.object, seen);
    }
    if (value instanceof PDFArray) return value.asArray().some((each) => this.hasChangedWithin(each, seen));
    return value instanceof PDFDict && value.values().some((each) => this.hasChangedWithin(each, seen));
  }

  /**
   * Allows that what a value of the signed revision leads to has changed: strings, arrays, dictionaries and streams,
   * not what streams refer to.
   */
  explain(value: PDFObject | undefined, at: Holding): void {
    this.#follow(value, at, 0, new Set());
  }

  /** Allows that the object that a reference names has changed, and nothing below it. */
  explainOne(ref: PDFRef, at: Holding): void {
    this.#explained.add(edge(at, ref.objectNumber));
  }

  /** Gives true when something changed lies here or below. */
  #follow(value: PDFObject | undefined, at: Holding, steps: number, seen: Set<number>): boolean {
    if (value instanceof PDFRef) {
      const number = value.objectNumber;
      if (steps > MAX_STEPS) return false;
      this.#explained.add(edge(at, number));
      if (seen.has(number)) return false;
      seen.add(number);
      const object = objectAt(this.pair.then, number)?.object;
      const below =
        object instanceof PDFRawStream ? false : this.#follow(object, { holder: number, key: '' }, steps + 1, seen);
      if (below) this.#between.add(number);
      return below || this.pair.changed.has(number) || this.pair.added.has(number);
    }
    if (value instanceof PDFArray)
      return value
        .asArray()
        .map((each) => this.#follow(each, at, steps, seen))
        .includes(true);
    if (!(value instanceof PDFDict)) return false;
    // The keys of an object's own dictionary tell its places apart.
    return value
      .entries()
      .map(([name, each]) => this.#follow(each, at.key === '' ? { ...at, key: nameText(name) } : at, steps, seen))
      .includes(true);
  }

  /**
   * Looks at every way to what changed, and refuses what no rule explains. Reads the signed revision whole; gives how
   * many objects that were.
   */
  finish(): number {
    const { changed, added, then } = this.pair;
    const sought = new Set([...changed, ...added, ...this.#between]);
    const { ways: found, read } = waysTo(this.pair, sought);
    for (const number of sought) {
      if (this.judged.has(number) && !this.#between.has(number)) continue;
      const ways = found.get(number) ?? new Map<string, Holding>();
      const unexplained = [...ways].find(([way]) => !this.#explained.has(way));
      const dict = changed.has(number) ? dictAt(then, number) : undefined;
      if (dict !== undefined && asName(then.context, entry(dict, 'Type')) === 'ObjStm')
        this.refuse('an object stream was replaced');
      if (unexplained !== undefined) this.refuse(describe(this.pair, number, unexplained[1]));
    }
    return read;
  }
}

/** Every way by which the signed revision's trailer leads to some objects, as edges. Objects are read and not kept. */
function waysTo(
  { then }: RevisionPair,
  sought: ReadonlySet<number>,
): { readonly ways: ReadonlyMap<number, ReadonlyMap<string, Holding>>; readonly read: number } {
  const ways = new Map<number, Map<string, Holding>>();
  const seen = new Set<number>();
  const open: number[] = [];
  const visit = (value: PDFObject | undefined, at: Holding): void => {
    if (value instanceof PDFRef) {
      const number = value.objectNumber;
      if (sought.has(number))
        ways.set(number, (ways.get(number) ?? new Map<string, Holding>()).set(edge(at, number), at));
      if (!seen.has(number)) open.push(number);
      seen.add(number);
    } else if (value instanceof PDFArray) for (const each of value.asArray()) visit(each, at);
    else if (value instanceof PDFDict)
      for (const [name, each] of value.entries()) visit(each, at.key === '' ? { ...at, key: nameText(name) } : at);
    else if (value instanceof PDFRawStream) visit(value.dict, at);
  };
  for (const [name, value] of then.trailer.entries())
    if (!TRAILER_OWN.has(nameText(name))) visit(value, { holder: 0, key: nameText(name) });
  for (let number = open.pop(); number !== undefined; number = open.pop())
    visit(objectAt(then, number)?.object, { holder: number, key: '' });
  return { ways, read: seen.size };
}

function edge({ holder, key }: Holding, target: number): string {
  return `${holder}/${key}>${target}`;
}

const KINDS: Readonly<Record<string, string>> = {
  Page: 'a page',
  Pages: 'the page tree',
  Catalog: 'the document catalog',
  Font: 'a font',
  FontDescriptor: 'a font',
  Annot: 'an annotation',
  OCG: 'a layer',
  Action: 'an action',
  Sig: 'a signature',
};
const PLACES: Readonly<Record<string, string>> = {
  Contents: 'the content of a page',
  AP: 'an appearance',
  Annots: 'the annotations of a page',
  Names: 'the names of the document',
  Outlines: 'the bookmarks',
  FontFile: 'a font',
  FontFile2: 'a font',
  FontFile3: 'a font',
};

/** Says in words what an object is that changed. */
function describe({ then, now, added }: RevisionPair, number: number, { key, holder }: Holding): string {
  const dict = dictAt(then, number) ?? dictAt(now, number);
  const type = dict === undefined ? undefined : asName(then.context, entry(dict, 'Type'));
  const subtype = dict === undefined ? undefined : asName(then.context, entry(dict, 'Subtype'));
  const picture =
    subtype === 'Image'
      ? 'a picture'
      : subtype === 'Form'
        ? key === 'AP'
          ? 'an appearance'
          : 'a part of page content'
        : undefined;
  const what =
    KINDS[type ?? ''] ??
    picture ??
    PLACES[key] ??
    (holder === 0 ? `what the trailer names (/${key})` : `an object under /${key === '' ? 'an array' : key}`);
  return `${what} ${added.has(number) ? 'was put where there was none' : 'was changed'} (object ${number})`;
}
