import { createHash, type Hash } from 'node:crypto';
import { PDFArray, type PDFContext, PDFDict, type PDFObject, PDFRawStream, PDFRef, PDFStream } from 'pdf-lib';
import { asDict, isString, nameText, resolve } from '../../file/objects/index.js';

/** Values of one font dictionary that are compared; fonts that differ only beyond them count as the same. */
const MAX_VALUES = 20_000;
/** Entries that say nothing of the font. */
const SKIPPED: ReadonlySet<string> = new Set(['Length', 'Name', 'Parent', 'P', 'Metadata']);

/**
 * Names for fonts that are the same in every copy of a document, however it is written: the digest of what a font is
 * made of. So an editor can go on with what it read before the document was changed.
 */
export class FontIds {
  readonly #ids = new Map<PDFDict, string>();
  readonly #given = new Map<string, string>();

  constructor(private readonly context: PDFContext) {}

  /** The name of a font; `none` where the content sets no font. */
  idOf(font: PDFDict | undefined): string {
    if (font === undefined) return 'none';
    const known = this.#ids.get(font);
    if (known !== undefined) return known;
    const print = this.#print(font);
    const id = this.#given.get(print) ?? print;
    this.#ids.set(font, id);
    return id;
  }

  /** Has a font go by a name that somebody else gave it. */
  give(font: PDFObject, id: string): void {
    const dict = asDict(this.context, font);
    if (dict === undefined) return;
    this.#given.set(this.#print(dict), id);
    this.#ids.set(dict, id);
  }

  #print(font: PDFDict): string {
    const hash = createHash('sha256');
    const seen = new Set<PDFObject>();
    let values = 0;
    const add = (value: PDFObject, depth: number): void => {
      if (++values > MAX_VALUES || depth > 40) return;
      const object = resolve(this.context, value);
      if (object === undefined) return void hash.update('0');
      if (value instanceof PDFRef || object instanceof PDFDict) {
        if (seen.has(object)) return void hash.update('@');
        seen.add(object);
      }
      if (object instanceof PDFStream) {
        hash.update('s').update(object instanceof PDFRawStream ? object.contents : object.getContents());
        addEntries(object.dict, depth);
      } else if (object instanceof PDFDict) addEntries(object, depth);
      else if (object instanceof PDFArray) {
        hash.update('[');
        for (const item of object.asArray()) add(item, depth + 1);
        hash.update(']');
      } else addPlain(hash, object);
    };
    const addEntries = (dict: PDFDict, depth: number): void => {
      hash.update('{');
      const entries = dict
        .entries()
        .map(([key, value]) => [nameText(key), value] as const)
        .filter(([key, value]) => !SKIPPED.has(key) && resolve(this.context, value) !== undefined);
      for (const [key, value] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
        hash.update(`/${key} `);
        add(value, depth + 1);
      }
      hash.update('}');
    };
    add(font, 0);
    return `F${hash.digest('hex').slice(0, 12)}`;
  }
}

function addPlain(hash: Hash, object: PDFObject): void {
  if (isString(object)) hash.update('(').update(object.asBytes());
  else hash.update(' ').update(object.toString());
}
