import { PDFDict, type PDFContext, type PDFObject, PDFRawStream, PDFStream } from 'pdf-lib';
import { DocumentError } from '../../errors.js';
import { asDict, asName, entry, nameText, resolve } from '../../file/objects/index.js';
import { type PageEntry, pageAttribute } from '../pages/index.js';
import { type FontFacts, fontFacts } from './font-facts.js';
import { type ImageFacts, imageFacts } from './image-facts.js';

/** Resources of a page. */
export interface ResourceFacts {
  /** Fonts with the number of their names in the resources. */
  readonly fonts: readonly { readonly font: FontFacts; readonly count: number }[];
  /** Images with their first name in the resources. */
  readonly images: readonly { readonly name: string; readonly image: ImageFacts }[];
  /** Number of XObjects by type (ISO 32000-1, 8.8). */
  readonly xobjects: { readonly image: number; readonly form: number; readonly other: number };
}

/** Most resource entries that are read in one document; shared resources are read only once. */
const MAX_ENTRIES = 2_000_000;
/**
 * Most fonts and images that are reported for all pages together: a resource dictionary that thousands of pages share
 * is reported for each of them.
 */
const MAX_REPORTED = 250_000;

/**
 * Lists the fonts, images and XObjects in the resources of pages, including those of nested forms and tiling patterns,
 * each object once per page, whether or not they are drawn. Shared fonts, images and resource dictionaries are read
 * only once.
 */
export class PageResources {
  readonly #fonts = new Map<PDFDict, FontFacts>();
  readonly #images = new Map<PDFStream, ImageFacts>();
  readonly #known = new Map<PDFDict, ResourceFacts>();
  #entries = 0;
  #reported = 0;

  constructor(private readonly context: PDFContext) {}

  /** Returns undefined for a page without resources. Throws INPUT_TOO_COMPLEX if the document exceeds the limits. */
  of(page: PageEntry): ResourceFacts | undefined {
    const resources = asDict(this.context, pageAttribute(page, 'Resources'));
    if (resources === undefined) return undefined;
    const known = this.#known.get(resources) ?? this.#read(resources);
    this.#known.set(resources, known);
    this.#reported += known.fonts.length + known.images.length;
    if (this.#reported > MAX_REPORTED)
      throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'fonts and images', limit: MAX_REPORTED });
    return known;
  }

  #read(first: PDFDict): ResourceFacts {
    const fonts = new Map<FontFacts, number>();
    const images: { name: string; image: ImageFacts }[] = [];
    const xobjects = { image: 0, form: 0, other: 0 };
    const streams = new Set<PDFStream>();
    const seen = new Set<PDFDict>();
    // Iterative instead of recursive; visited objects are skipped, so cycles are harmless.
    const waiting: (PDFObject | undefined)[] = [first];
    for (let at = 0; at < waiting.length; at++) {
      const resources = asDict(this.context, waiting[at]);
      if (resources === undefined || seen.has(resources)) continue;
      seen.add(resources);
      for (const [, font] of this.#entriesOf(resources, 'Font')) {
        if (!(font instanceof PDFDict)) continue;
        const facts = this.#font(font);
        fonts.set(facts, (fonts.get(facts) ?? 0) + 1);
      }
      for (const [name, stream] of this.#entriesOf(resources, 'XObject')) {
        if (!(stream instanceof PDFStream) || streams.has(stream)) continue;
        streams.add(stream);
        const subtype = asName(this.context, entry(stream.dict, 'Subtype'));
        xobjects[subtype === 'Image' ? 'image' : subtype === 'Form' ? 'form' : 'other']++;
        if (subtype === 'Image' && stream instanceof PDFRawStream) images.push({ name, image: this.#image(stream) });
        else if (subtype === 'Form') waiting.push(entry(stream.dict, 'Resources'));
      }
      for (const [, pattern] of this.#entriesOf(resources, 'Pattern'))
        if (pattern instanceof PDFStream) waiting.push(entry(pattern.dict, 'Resources'));
    }
    return { fonts: [...fonts].map(([font, count]) => ({ font, count })), images, xobjects };
  }

  *#entriesOf(resources: PDFDict, kind: string): Generator<[string, PDFObject | undefined]> {
    for (const [name, value] of asDict(this.context, entry(resources, kind))?.entries() ?? []) {
      if (++this.#entries > MAX_ENTRIES)
        throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'entries of resources', limit: MAX_ENTRIES });
      yield [nameText(name), resolve(this.context, value)];
    }
  }

  #font(dict: PDFDict): FontFacts {
    const facts = this.#fonts.get(dict) ?? fontFacts(this.context, dict);
    this.#fonts.set(dict, facts);
    return facts;
  }

  #image(stream: PDFRawStream): ImageFacts {
    const facts = this.#images.get(stream) ?? imageFacts(this.context, stream);
    this.#images.set(stream, facts);
    return facts;
  }
}
