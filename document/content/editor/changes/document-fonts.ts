import { type PDFDict, type PDFDocument, PDFName, type PDFObject, StandardFonts } from 'pdf-lib';
import type { ContentReader } from '../../index.js';
import { standardName } from '../../../fonts/pdf-fonts/index.js';
import { TextFont } from '../../../fonts/index.js';
import { asDict, dictOf, entry } from '../../../file/objects/index.js';
import { pageAttribute, type PageEntry } from '../../../structure/pages/index.js';
import type { EditFont, EditFonts } from './edit-texts.js';
import type { FontIds } from '../font-ids.js';
import type { JsonFont } from '../model.js';
import type { RawReader } from '../raw-reader.js';

/** Fonts in resources that are looked through for one that no page read so far uses. */
const MAX_LOOKED = 20_000;

/** The fonts of a document that is edited: those of the JSON, and those of its own pages. */
export class DocumentFonts implements EditFonts {
  readonly #byName = new Map<string, JsonFont>();
  readonly #made = new Map<string, PDFObject | undefined>();
  #fallback: TextFont | undefined;
  #own: Map<string, PDFObject> | undefined;

  constructor(
    private readonly document: PDFDocument,
    private readonly reader: ContentReader,
    private readonly ids: FontIds,
    fonts: readonly JsonFont[],
    private readonly raw: RawReader,
    private readonly pages: readonly PageEntry[],
    private readonly ownFont: string | undefined,
  ) {
    for (const font of fonts) {
      for (const name of [
        font.pageNumber === undefined ? undefined : `${font.pageNumber}:${font.id ?? ''}`,
        font.uid,
        font.id,
      ])
        if (name !== undefined && !this.#byName.has(name)) this.#byName.set(name, font);
      if (font.cosDictionary !== undefined && font.id !== undefined) {
        const value = this.#restored(font);
        if (value !== undefined) ids.give(value, font.id);
      }
    }
  }

  get fallback(): TextFont {
    return (this.#fallback ??= new TextFont(this.document, this.ownFont));
  }

  /** Writes the font of ours, if it was used. */
  embed(): void {
    this.#fallback?.embed();
  }

  async font(id: string | undefined, pageNumber: number | undefined): Promise<EditFont | undefined> {
    if (id === undefined) return undefined;
    const json =
      (pageNumber === undefined ? undefined : this.#byName.get(`${pageNumber}:${id}`)) ?? this.#byName.get(id);
    const value = this.#ownFonts().get(id) ?? (json === undefined ? undefined : await this.#make(json));
    const dict = asDict(this.document.context, value);
    return value === undefined || dict === undefined ? undefined : { font: this.reader.fonts.font(dict), dict, value };
  }

  /** Fonts of the resources of the document's pages, by the names that its texts have them under. */
  #ownFonts(): ReadonlyMap<string, PDFObject> {
    if (this.#own !== undefined) return this.#own;
    const own = new Map<string, PDFObject>();
    const { context } = this.document;
    const seen = new Set<PDFObject>();
    for (const page of this.pages) {
      const resources = asDict(context, pageAttribute(page, 'Resources'));
      const fonts = resources === undefined ? undefined : asDict(context, entry(resources, 'Font'));
      if (fonts === undefined || seen.has(fonts) || seen.size > MAX_LOOKED) continue;
      seen.add(fonts);
      for (const [, value] of fonts.entries()) {
        const dict = asDict(context, value);
        if (dict === undefined || seen.has(dict)) continue;
        seen.add(dict);
        const id = this.ids.idOf(dict);
        if (!own.has(id)) own.set(id, value);
      }
    }
    this.#own = own;
    return own;
  }

  async #make(font: JsonFont): Promise<PDFObject | undefined> {
    const key = font.uid ?? `${font.pageNumber ?? ''}:${font.id ?? ''}`;
    if (!this.#made.has(key))
      this.#made.set(key, this.#restored(font) ?? (await this.#embedded(font)) ?? this.#standard(font));
    return this.#made.get(key);
  }

  #restored({ cosDictionary, uid, pageNumber, id }: JsonFont): PDFObject | undefined {
    if (cosDictionary === undefined) return undefined;
    const key = uid ?? `${pageNumber ?? ''}:${id ?? ''}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = this.raw.value(cosDictionary);
    this.raw.settle();
    const dict = asDict(this.document.context, made);
    if (dict === undefined) return undefined;
    const value = made === dict ? this.document.context.register(dict) : made;
    this.#made.set(key, value);
    return value;
  }

  /** A font of a program alone: TrueType or OpenType, every glyph of it. */
  async #embedded({ program, programFormat = '', webProgram }: JsonFont): Promise<PDFObject | undefined> {
    const data = /^(ttf|otf|truetype|opentype)$/i.test(programFormat) ? program : webProgram;
    if (data === undefined) return undefined;
    try {
      const { default: fontkit } = await import('@pdf-lib/fontkit');
      this.document.registerFontkit(fontkit);
      const made = await this.document.embedFont(Buffer.from(data, 'base64'), { subset: false });
      await made.embed();
      return made.ref;
    } catch {
      // A built-in font replaces an unreadable font program.
      return undefined;
    }
  }

  /** One of the fourteen that every viewer has (ISO 32000-1, 9.6.2.2). */
  #standard({ standard14Name, baseName }: JsonFont): PDFObject | undefined {
    const name = standardName((standard14Name ?? baseName ?? '').replace(/^[A-Z]{6}\+/, ''));
    if (name === undefined) return undefined;
    const symbolic = name === StandardFonts.Symbol || name === StandardFonts.ZapfDingbats;
    const dict: PDFDict = dictOf(this.document.context, {
      Type: PDFName.of('Font'),
      Subtype: PDFName.of('Type1'),
      BaseFont: PDFName.of(name),
      ...(symbolic ? {} : { Encoding: PDFName.of('WinAnsiEncoding') }),
    });
    return this.document.context.register(dict);
  }
}
