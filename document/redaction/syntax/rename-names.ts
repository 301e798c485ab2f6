import { PDFArray, type PDFContext, type PDFDict, PDFName, type PDFObject } from 'pdf-lib';
import { asDict, asName, dictOfHolder, entry, everyObject, nameText, resolve } from '../../file/objects/index.js';
import { standardName, textOfGlyphName } from '../../fonts/pdf-fonts/index.js';
import type { NewNames } from '../document-data/new-names.js';
import { isStandardName } from './standard-names.js';

/** Keys whose names select a character map; readers know those that end in its direction (ISO 32000-1, table 118). */
const MAPS: ReadonlySet<string> = new Set(['Encoding', 'UseCMap']);

/**
 * Gives new names to whatever a document names with found text, in place: resources, fonts, classes, roles, tags,
 * colours, glyphs of Type 3 fonts, private entries. Equal names stay equal, so references remain valid; names in
 * content are left to `cleanContentStreams`. Names of the standard stay, and what cannot be renamed is passed to
 * `onLeft`: fonts that only viewers have, and glyphs of embedded font programs.
 */
export function renameNames(context: PDFContext, names: NewNames, onLeft: (what: string) => void): void {
  names.lookAhead(namesIn(context));
  const renaming = new Renaming(context, names, onLeft);
  for (const holder of everyObject(context)) {
    if (holder instanceof PDFArray) renaming.array(holder);
    else renaming.dict(dictOfHolder(holder));
  }
}

/** Returns the new text of a name in content; undefined for one that stays. */
export function newNameText(names: NewNames, text: string): string | undefined {
  return staysAlways(text) ? undefined : names.ofNameText(text);
}

function staysAlways(text: string): boolean {
  return isStandardName(text) || standardName(text) !== undefined;
}

/** All names of a document that may have to change. */
function namesIn(context: PDFContext): Set<string> {
  const found = new Set<PDFName>();
  for (const holder of everyObject(context)) {
    if (!(holder instanceof PDFArray)) for (const key of dictOfHolder(holder).keys()) found.add(key);
    const values = holder instanceof PDFArray ? holder.asArray() : dictOfHolder(holder).values();
    for (const value of values) if (value instanceof PDFName) found.add(value);
  }
  return new Set([...found].map(nameText).filter((text) => !staysAlways(text)));
}

class Renaming {
  readonly #now = new Map<PDFName, PDFName | undefined>();
  /** Encodings of Type 3 fonts and their glyph procedures: the font itself gives these names. */
  readonly #own = new Set<PDFObject>();
  readonly #encodings = new Set<PDFObject>();

  constructor(
    private readonly context: PDFContext,
    private readonly names: NewNames,
    private readonly onLeft: (what: string) => void,
  ) {
    for (const holder of everyObject(context)) if (!(holder instanceof PDFArray)) this.#note(dictOfHolder(holder));
  }

  array(array: PDFArray): void {
    if (this.#encodings.has(array)) return this.#differences(array);
    for (const [i, value] of array.asArray().entries()) {
      const now = value instanceof PDFName ? this.#renamed(value) : undefined;
      if (now !== undefined) array.set(i, now);
    }
  }

  dict(dict: PDFDict): void {
    const hasGlyphs = this.#own.has(dict);
    for (const [key, value] of dict.entries()) {
      const isKnown = value instanceof PDFName && MAPS.has(nameText(key)) && /-[HV]$/.test(nameText(value));
      const newValue = value instanceof PDFName && !isKnown ? this.#renamed(value) : undefined;
      const newKey = hasGlyphs && textOfGlyphName(nameText(key)) !== undefined ? undefined : this.#renamed(key);
      if (newKey !== undefined) dict.delete(key);
      if (newKey !== undefined || newValue !== undefined) dict.set(newKey ?? key, newValue ?? value);
    }
  }

  #note(dict: PDFDict): void {
    const { context } = this;
    const procedures = asDict(context, entry(dict, 'CharProcs'));
    if (procedures !== undefined) {
      this.#own.add(procedures);
      const encoding = asDict(context, entry(dict, 'Encoding'));
      const own = resolve(context, encoding === undefined ? undefined : entry(encoding, 'Differences'));
      if (own !== undefined) this.#own.add(own);
    }
    const differences = resolve(context, entry(dict, 'Differences'));
    if (differences !== undefined) this.#encodings.add(differences);
    // Viewers choose a font by its name where the document contains none.
    const name = asName(context, entry(dict, 'BaseFont'));
    if (name !== undefined && standardName(name) !== undefined) this.#keeps(name, 'standard font');
  }

  #differences(array: PDFArray): void {
    for (const [i, value] of array.asArray().entries()) {
      if (!(value instanceof PDFName) || textOfGlyphName(nameText(value)) !== undefined) continue;
      if (this.#own.has(array)) {
        const now = this.#renamed(value);
        if (now !== undefined) array.set(i, now);
      } else this.#keeps(nameText(value), 'glyph name');
    }
  }

  #keeps(text: string, what: string): void {
    if (this.names.ofNameText(text) !== undefined) this.onLeft(`${what} ${text}`);
  }

  #renamed(name: PDFName): PDFName | undefined {
    if (this.#now.has(name)) return this.#now.get(name);
    const text = newNameText(this.names, nameText(name));
    const now = text === undefined ? undefined : PDFName.of(text);
    this.#now.set(name, now);
    return now;
  }
}
