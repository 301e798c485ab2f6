import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, type PDFRawStream } from 'pdf-lib';
import type { ContentReader } from '../content-reader.js';
import { asDict, asName, catalogOf, entry, resolve } from '../../file/objects/index.js';
import { contentStreams, pageAttribute, pageBox, type PageEntry, pageRotation } from '../../structure/pages/index.js';
import { PlainFont } from './plain-font.js';
import { strictContent } from './strict-content.js';
import { type PlainNames, type PlainText, scanPlain } from './plain-scan.js';

/** A page whose text no reader can take differently, provided that its fonts are taken alike. */
export interface PlainPage extends PlainText {
  readonly fonts: ReadonlyMap<PDFDict, PlainFont>;
  /** Streams of its content, for telling whether it was changed. */
  readonly streams: readonly PDFRawStream[];
  /** Bytes of its content. */
  readonly size: number;
}

const SIMPLE_FONTS: ReadonlySet<string | undefined> = new Set(['Type1', 'TrueType', 'MMType1']);

/** Finds the plain pages of a document. Fonts are read once. */
export class PlainPages {
  readonly #fonts = new Map<PDFDict, PlainFont | undefined>();
  readonly #forms = new Map<PDFRawStream, boolean>();
  /** False if the document says that it is read from right to left: PDFium turns its lines. */
  readonly #fromLeft: boolean;

  constructor(private readonly reader: ContentReader) {
    const { context } = reader;
    const catalog = catalogOf(context);
    const view = catalog === undefined ? undefined : asDict(context, entry(catalog, 'ViewerPreferences'));
    const direction = view === undefined ? undefined : resolve(context, entry(view, 'Direction'));
    this.#fromLeft = direction === undefined || direction === PDFName.of('L2R');
  }

  /** Returns undefined for a page that needs a full reading. */
  page(page: PageEntry): PlainPage | undefined {
    const { context } = this.reader;
    if (!this.#fromLeft || pageRotation(context, page) !== 0 || entry(page.dict, 'UserUnit') !== undefined)
      return undefined;
    const contents = entry(page.dict, 'Contents');
    const streams = contentStreams(context, contents);
    // What is missing here may be found elsewhere by others.
    if (contents !== undefined && streams.length !== listed(context, contents)) return undefined;
    const bytes = strictContent(context, streams);
    if (bytes === undefined) return undefined;
    const resources = asDict(context, pageAttribute(page, 'Resources'));
    const fonts = new Map<PDFDict, PlainFont>();
    const found = scanPlain(
      bytes,
      this.#names(
        resources,
        (dict) => {
          const font = this.#font(dict);
          if (font !== undefined) fonts.set(dict, font);
          return font;
        },
        (form) => this.#isWithoutText(form),
      ),
      pageBox(context, page),
    );
    if (found === undefined) return undefined;
    return {
      // Not all readers need both.
      get texts() {
        return found.texts;
      },
      get lineText() {
        return found.lineText;
      },
      get counts() {
        return found.counts;
      },
      inOrder: found.inOrder,
      fonts,
      streams,
      size: bytes.length,
    };
  }

  /** What names mean in content with these resources. */
  #names(
    resources: PDFDict | undefined,
    font: (dict: PDFDict) => PlainFont | undefined,
    isWithoutText: (form: PDFRawStream) => boolean,
  ): PlainNames {
    const { context } = this.reader;
    const named = (kind: string, name: string): PDFObject | undefined => {
      const dict = resources === undefined ? undefined : asDict(context, entry(resources, kind));
      return dict === undefined ? undefined : resolve(context, entry(dict, name));
    };
    const known = new Map<string, PlainFont | undefined>();
    return {
      font: (name) => {
        if (!known.has(name)) {
          const dict = named('Font', name);
          known.set(name, dict instanceof PDFDict ? font(dict) : undefined);
        }
        return known.get(name);
      },
      showsNoText: (name) => {
        const known = this.reader.xobject(named('XObject', name));
        return known?.subtype === 'Image' || (known?.subtype === 'Form' && isWithoutText(known.stream));
      },
      isPlainState: (name) => {
        const dict = named('ExtGState', name);
        return dict instanceof PDFDict && entry(dict, 'Font') === undefined;
      },
    };
  }

  /** True for a form that draws lines, areas and images only. */
  #isWithoutText(form: PDFRawStream): boolean {
    const known = this.#forms.get(form);
    if (known !== undefined) return known;
    const { context } = this.reader;
    const bytes = strictContent(context, [form]);
    const names = this.#names(
      asDict(context, entry(form.dict, 'Resources')),
      () => undefined,
      () => false,
    );
    const isWithout = bytes !== undefined && scanPlain(bytes, names, [0, 0, 0, 0])?.texts.join('') === '';
    this.#forms.set(form, isWithout);
    return isWithout;
  }

  #font(dict: PDFDict): PlainFont | undefined {
    if (!this.#fonts.has(dict)) this.#fonts.set(dict, this.#readFont(dict));
    return this.#fonts.get(dict);
  }

  #readFont(dict: PDFDict): PlainFont | undefined {
    const { context, fonts } = this.reader;
    const type = asName(context, entry(dict, 'Subtype'));
    if (SIMPLE_FONTS.has(type)) return new PlainFont(fonts.font(dict), 1);
    const encoding = resolve(context, entry(dict, 'Encoding'));
    return type === 'Type0' && encoding instanceof PDFName && encoding.decodeText() === 'Identity-H'
      ? new PlainFont(fonts.font(dict), 2)
      : undefined;
  }
}

/** Number of streams that a page's content should have. */
function listed(context: PDFContext, contents: PDFObject): number {
  const value = resolve(context, contents);
  return value instanceof PDFArray ? value.size() : 1;
}
