import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, PDFHexString, type PDFString } from 'pdf-lib';
import {
  asDict,
  byteString,
  catalogOf,
  dictOfHolder,
  entry,
  everyObject,
  isString,
  nameText,
  readNameTree,
  resolve,
  setEntry,
  writeNameTree,
} from '../../file/objects/index.js';
import { isFound, lookAhead, type TextFinder } from './text-finder.js';
import { readString } from './text-string.js';

/** Prefixes of new names, followed by a number; the first is used that does not itself contain found text. */
const WORDS = ['redacted-', 'x', '_', '\u2588'] as const;

/**
 * Creates new names for named objects (destinations, files, pages, elements, fields). Equal old names get equal new
 * names, so that references remain valid.
 */
export class NewNames {
  readonly #names = new Map<string, string>();
  /** New texts of names, or undefined, by their bytes: the same few names occur again and again. */
  readonly #known = new Map<string, string | undefined>();
  readonly #taken: Set<string>;
  readonly #word: string;

  constructor(
    private readonly find: TextFinder,
    taken: Iterable<string>,
  ) {
    this.#taken = new Set(taken);
    this.#word = WORDS.find((word) => !isFound(`${word}1`, find)) ?? WORDS[3];
  }

  /** Number of changed names. */
  get size(): number {
    return this.#names.size;
  }

  /** Returns the new name for a text that contains found text, else undefined. `keep` (an extension) is appended. */
  of(text: string, keep = ''): string | undefined {
    return isFound(text, this.find) ? this.#newName(text, keep) : undefined;
  }

  #newName(text: string, keep: string): string {
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

  /** Does the same for a string object. */
  ofString(object: PDFObject | undefined, keep = ''): PDFHexString | undefined {
    if (!isString(object)) return undefined;
    const name = this.of(readString(object).text, keep);
    return name === undefined ? undefined : PDFHexString.fromText(name);
  }

  /** Does the same for a name object. */
  ofName(name: PDFName): PDFName | undefined {
    const text = this.ofNameText(nameText(name));
    return text === undefined ? undefined : PDFName.of(text);
  }

  /**
   * Does the same for the text of a name, one character per byte. Names have no blanks: `JaneRoe` and `jane_roe`
   * contain the words Jane Roe too.
   */
  ofNameText(bytes: string): string | undefined {
    if (!this.#known.has(bytes)) this.#known.set(bytes, this.#judged(bytes));
    return this.#known.get(bytes);
  }

  /** Searches many names at once, before `ofNameText` is asked for each. */
  lookAhead(names: Iterable<string>): void {
    lookAhead([...names].flatMap(readingsOf), this.find);
  }

  #judged(bytes: string): string | undefined {
    const readings = readingsOf(bytes);
    return readings.some((reading) => isFound(reading, this.find)) ? this.#newName(readings[0]!, '') : undefined;
  }
}

/** The texts that a name may stand for, the likeliest first. */
function readingsOf(bytes: string): string[] {
  const plain = bytes.replaceAll(/#([\da-f]{2})/gi, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const text = Buffer.from(plain, 'latin1').toString('utf8');
  return [text, plain, text.replaceAll(/[-_.,+:]+|(?<=\p{Ll})(?=\p{Lu})/gu, ' ')];
}

/** Returns all keys of a document's name trees and destinations, and all names that look like new ones. */
export function calledNames(context: PDFContext): string[] {
  const found = [...treesOf(context)].flatMap(([, , entries]) => entries.map(([key]) => textOf(key)));
  const catalog = catalogOf(context);
  const old = catalog === undefined ? undefined : asDict(context, entry(catalog, 'Dests'));
  return [...found, ...(old?.keys().map(nameText) ?? []), ...likeNewNames(context)];
}

/** Names of an earlier redaction. */
function likeNewNames(context: PDFContext): Set<string> {
  const found = new Set<string>();
  for (const holder of everyObject(context)) {
    if (holder instanceof PDFArray) continue;
    for (const key of dictOfHolder(holder).keys()) {
      const text = nameText(key);
      if (WORDS.some((word) => text.startsWith(word)) && /\d$/.test(text)) found.add(text);
    }
  }
  return found;
}

/** Renames the keys of name trees and destinations, in place. */
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

/** Returns a file name's extension with its period, if it is a common one. */
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
