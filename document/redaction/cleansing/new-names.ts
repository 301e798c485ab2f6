import { type PDFContext, PDFDict, PDFName, type PDFObject, PDFHexString, type PDFString } from 'pdf-lib';
import {
  asDict,
  byteString,
  catalogOf,
  entry,
  isString,
  nameText,
  readNameTree,
  resolve,
  setEntry,
  writeNameTree,
} from '../../file/objects/index.js';
import { isFound, type TextFinder } from './text-finder.js';
import { readString } from './text-string.js';

/** What a new name is made of; the first that is not itself found. A number follows. */
const WORDS = ['redacted-', 'x', '_', '\u2588'] as const;

/**
 * New names for what a document calls by name (destinations, files, pages, elements, fields): the same one wherever the
 * old one stands, so that what calls it still finds it.
 */
export class NewNames {
  readonly #names = new Map<string, string>();
  readonly #taken: Set<string>;
  readonly #word: string;

  constructor(
    private readonly find: TextFinder,
    taken: Iterable<string>,
  ) {
    this.#taken = new Set(taken);
    this.#word = WORDS.find((word) => !isFound(`${word}1`, find)) ?? WORDS[3];
  }

  /** How many names changed. */
  get size(): number {
    return this.#names.size;
  }

  /** The new name of a text in which something is found, else undefined. `keep` is put behind it: an extension. */
  of(text: string, keep = ''): string | undefined {
    if (!isFound(text, this.find)) return undefined;
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    for (let n = 1; ; n++) {
      const name = `${this.#word}${n}${keep}`;
      if (this.#taken.has(name)) continue;
      this.#taken.add(name);
      this.#names.set(text, name);
      return name;
    }
  }

  /** The same of a string object. */
  ofString(object: PDFObject | undefined, keep = ''): PDFHexString | undefined {
    if (!isString(object)) return undefined;
    const name = this.of(readString(object).text, keep);
    return name === undefined ? undefined : PDFHexString.fromText(name);
  }

  /** The same of a name object. */
  ofName(name: PDFName): PDFName | undefined {
    const text = this.of(Buffer.from(nameText(name), 'latin1').toString('utf8'));
    return text === undefined ? undefined : PDFName.of(text);
  }
}

/** Gives every key by which a document's name trees and destinations call something, as text. */
export function calledNames(context: PDFContext): string[] {
  const found = [...treesOf(context)].flatMap(([, , entries]) => entries.map(([key]) => textOf(key)));
  const catalog = catalogOf(context);
  const old = catalog === undefined ? undefined : asDict(context, entry(catalog, 'Dests'));
  return [...found, ...(old?.keys().map(nameText) ?? [])];
}

/** Renames the keys of name trees and of destinations in place. */
export function renameKeys(context: PDFContext, names: NewNames): void {
  for (const [owner, key, entries] of treesOf(context)) {
    const renamed = entries.map(
      ([name, value]) =>
        [
          bytesOf(names.ofString(byteString(name), key === 'EmbeddedFiles' ? extensionOf(textOf(name)) : '')) ?? name,
          value,
        ] as const,
    );
    if (renamed.some(([name], i) => name !== entries[i]?.[0])) setEntry(owner, key, writeNameTree(context, renamed));
  }
  const catalog = catalogOf(context);
  const old = catalog === undefined ? undefined : asDict(context, entry(catalog, 'Dests'));
  for (const [key, value] of old?.entries() ?? []) {
    const name = names.ofName(key);
    if (old === undefined || name === undefined) continue;
    old.delete(key);
    old.set(name, value);
  }
}

/** A file name's extension with its point, when it is a usual one. */
export function extensionOf(name: string): string {
  return /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? '';
}

function* treesOf(
  context: PDFContext,
): Generator<readonly [owner: PDFDict, key: string, entries: [string, PDFObject][]]> {
  const catalog = catalogOf(context);
  const names = asDict(context, catalog === undefined ? undefined : entry(catalog, 'Names'));
  for (const key of names?.keys() ?? [])
    if (names !== undefined && resolve(context, names.get(key)) instanceof PDFDict)
      yield [names, nameText(key), readNameTree(context, names.get(key))];
  const structure = asDict(context, catalog === undefined ? undefined : entry(catalog, 'StructTreeRoot'));
  if (structure !== undefined && entry(structure, 'IDTree') !== undefined)
    yield [structure, 'IDTree', readNameTree(context, entry(structure, 'IDTree'))];
}

function textOf(bytes: string): string {
  return readString(byteString(bytes)).text;
}

function bytesOf(string: PDFString | PDFHexString | undefined): string | undefined {
  return string === undefined ? undefined : Buffer.from(string.asBytes()).toString('latin1');
}
