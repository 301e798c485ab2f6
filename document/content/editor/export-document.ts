import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { type PDFDict, type PDFObject, PDFRef } from 'pdf-lib';
import { ContentReader } from '../index.js';
import { asDict, asNumber, catalogOf, elements, entry } from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { contentStreams, pageAttribute, pageBox, type PageEntry, userUnit } from '../../structure/pages/index.js';
import { acroFormOf } from '../../forms/fields/index.js';
import { readNamedDestinations } from '../../structure/names/index.js';
import { FontIds } from './font-ids.js';
import type { ImageElement, JsonFont, JsonPage, PageDimension } from './model.js';
import { pageSpace, rounded } from './page-space.js';
import { RawWriter, refText } from './raw-writer.js';
import { AnnotationTeller } from './reading/read-annotations.js';
import { dropUndefined, tellFont, type UsedFont } from './reading/read-fonts.js';
import { fieldRefs, tellFields } from './reading/read-form-fields.js';
import { digestOf, PictureTeller, type ReadImage } from './reading/read-images.js';
import { tellMetadata, tellXmp } from './reading/read-metadata.js';
import { PageReader, type ReadPage } from './reading/read-page.js';

export interface ExportOptions {
  /**
   * Leaves out pictures, font programs, form fields, resources, streams and trees: what an editor needs to show where
   * text is.
   */
  readonly lightweight?: boolean;
  readonly signal?: AbortSignal;
  readonly onPage?: (done: number, total: number) => void;
}

/** Most characters of image data exported from one document; further images are exported without data. */
const MAX_PICTURES = 768 * 1024 * 1024;
/** Resources that are looked through for fonts. */
const MAX_RESOURCES = 100_000;
/** Entries of the form that are exported with the fields, or that belong to signatures. */
const FORM_OMITTED: ReadonlySet<string> = new Set(['Fields', 'XFA', 'SigFlags', 'CO']);

/** Catalog entries that are exported elsewhere, or that belong to signatures. */
const CATALOG_OMITTED: ReadonlySet<string> = new Set([
  'Type',
  'Pages',
  'AcroForm',
  'Metadata',
  'Perms',
  'DSS',
  'Legal',
  'Extensions',
]);

/** Which parts of a document are exported. */
export interface TellerDetail {
  /**
   * Resources and content of pages, and the trees of all the rest; `alone` trees of annotations and fonts, each for
   * itself.
   */
  readonly trees: boolean | 'alone';
  /** The data of images. */
  readonly pictures: boolean;
}

/** Reads one document for editors: pages, fonts, and what else there is. */
export class DocumentTeller {
  readonly #raw: RawWriter;
  readonly #pages: PageReader;
  readonly #pictures: PictureTeller;
  readonly #annotations: AnnotationTeller;
  readonly #fonts = new Map<string, UsedFont>();
  #pictureLength = 0;

  constructor(
    private readonly opened: OpenedPdf,
    private readonly detail: TellerDetail,
  ) {
    const {
      document: { context },
      pages,
    } = opened;
    const refs = pages.map(({ ref }) => ref);
    const apart = new Set<PDFRef>([...refs, ...fieldRefs(context, pages)]);
    for (const { dict } of pages)
      for (const value of elements(context, entry(dict, 'Annots'))) if (value instanceof PDFRef) apart.add(value);
    this.#raw = new RawWriter(context, apart, detail.trees === 'alone');
    this.#pages = new PageReader(new ContentReader(context), new FontIds(context));
    this.#pictures = new PictureTeller(context);
    this.#annotations = new AnnotationTeller(
      context,
      readNamedDestinations(context),
      refs,
      detail.trees === false ? undefined : this.#raw,
    );
  }

  /** A page, by its index. Errors: those of `PageReader`. */
  async page(index: number): Promise<JsonPage> {
    const {
      document: { context },
      pages,
    } = this.opened;
    const page = pages[index]!;
    const read = this.#pages.read(page);
    this.#note(read, index + 1);
    const {
      space: { width, height, rotation },
    } = read;
    return dropUndefined<JsonPage>({
      pageNumber: index + 1,
      width,
      height,
      rotation: rotation === 0 ? undefined : rotation,
      textElements: read.texts.map(({ element }) => element),
      imageElements: await this.#images(read.images),
      annotations: this.#annotations.tell(page.dict, read.space).map(({ element }) => element),
      ...(this.detail.trees === true ? this.#trees(page) : {}),
      ...(this.detail.trees === true
        ? {
            mediaBox: pageBox(context, page, 'MediaBox').map((side) => rounded(side, 6)),
            cropBox: pageBox(context, page).map((side) => rounded(side, 6)),
          }
        : {}),
      ...(this.detail.trees === true && userUnit(context, page) !== 1 ? { userUnit: userUnit(context, page) } : {}),
    });
  }

  /** Sizes of all pages. */
  dimensions(): PageDimension[] {
    const {
      document: { context },
      pages,
    } = this.opened;
    return pages.map((page, index) => {
      const { width, height, rotation } = pageSpace(context, page);
      return { pageNumber: index + 1, width, height, ...(rotation === 0 ? {} : { rotation }) };
    });
  }

  /** Finds the fonts of a page's texts without telling of it. */
  look(index: number): void {
    this.#note(this.#pages.read(this.opened.pages[index]!), index + 1);
  }

  /**
   * Finds the fonts of all pages by their resources, and those of the forms in them, whether they are used or not: no
   * content is read.
   */
  lookAtAll(): void {
    const {
      document: { context },
      pages,
    } = this.opened;
    const seen = new Set<PDFObject>();
    for (const [index, page] of pages.entries()) {
      const waiting = [asDict(context, pageAttribute(page, 'Resources'))];
      for (let resources = waiting.pop(); resources !== undefined || waiting.length > 0; resources = waiting.pop()) {
        if (resources === undefined || seen.has(resources)) continue;
        seen.add(resources);
        for (const [, value] of asDict(context, entry(resources, 'Font'))?.entries() ?? [])
          this.#noteFont(asDict(context, value), index + 1);
        for (const [, value] of asDict(context, entry(resources, 'XObject'))?.entries() ?? []) {
          const form = asDict(context, value);
          if (form !== undefined && seen.size < MAX_RESOURCES) waiting.push(asDict(context, entry(form, 'Resources')));
        }
      }
    }
  }

  /** The fonts of the pages that were read, by `uid`. */
  *fonts(programs: boolean): Generator<JsonFont> {
    const {
      document: { context },
    } = this.opened;
    for (const used of [...this.#fonts.values()].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      yield tellFont(context, used, this.#pages.reader.fonts.font(used.dict), {
        programs,
        tree: (font) => this.#raw.tree(font),
      });
    }
  }

  /** Members beside the pages, in order. */
  *others(): Generator<readonly [string, unknown]> {
    const {
      document: { context },
      pages,
    } = this.opened;
    yield ['metadata', tellMetadata(context, pages.length)];
    yield ['xmpMetadata', tellXmp(context)];
    if (this.detail.trees !== true) return;
    yield ['formFields', [...tellFields(context, pages, this.#raw)]];
    const form = acroFormOf(context);
    const catalog = catalogOf(context);
    yield ['acroForm', form === undefined ? undefined : this.#raw.tree(form, FORM_OMITTED)];
    yield ['documentCatalog', catalog === undefined ? undefined : this.#raw.tree(catalog, CATALOG_OMITTED)];
  }

  /** Objects that were referenced and not exported yet. */
  shared(): Generator<readonly [string, unknown]> {
    return this.#raw.shared();
  }

  #note({ fonts }: ReadPage, pageNumber: number): void {
    for (const dict of fonts) this.#noteFont(dict, pageNumber);
  }

  #noteFont(dict: PDFDict | undefined, pageNumber: number): void {
    if (dict === undefined) return;
    const id = this.#pages.fonts.idOf(dict);
    if (!this.#fonts.has(id)) this.#fonts.set(id, { dict, id, pageNumber });
  }

  #trees(page: PageEntry): Partial<JsonPage> {
    const {
      document: { context },
    } = this.opened;
    const resources = asDict(context, pageAttribute(page, 'Resources'));
    const group = entry(page.dict, 'Group');
    return {
      ref: refText(page.ref),
      structParents: asNumber(context, entry(page.dict, 'StructParents')),
      resources: resources === undefined ? undefined : this.#raw.tree(resources),
      group: this.#raw.tree(group),
      contentStreams: contentStreams(context, entry(page.dict, 'Contents')).map((stream) => this.#raw.stream(stream)),
    } as Partial<JsonPage>;
  }

  async #images(images: readonly ReadImage[]): Promise<ImageElement[]> {
    if (!this.detail.pictures) return images.map(({ element }) => element);
    const told: ImageElement[] = [];
    for (const image of images) {
      const data = this.#pictureLength < MAX_PICTURES ? await this.#pictures.picture(image) : undefined;
      this.#pictureLength += data?.imageData.length ?? 0;
      told.push(
        data === undefined
          ? image.element
          : { ...image.element, id: `${image.element.id}-${digestOf(data.imageData)}`, ...data },
      );
    }
    return told;
  }
}

/**
 * Writes a document as JSON into a new file (`docs/interface/convert.yml`, pdf/text-editor), page by page. Errors:
 * those of `PageReader`.
 */
export async function exportDocument(
  opened: OpenedPdf,
  target: string,
  { lightweight = false, signal, onPage }: ExportOptions = {},
): Promise<void> {
  const teller = new DocumentTeller(opened, { trees: !lightweight, pictures: !lightweight });
  const out = createWriteStream(target, { flags: 'wx', mode: 0o600 });
  const written = finished(out);
  // Awaited at the end; a run that ends before must not leave a rejection behind.
  written.catch(() => undefined);
  const write = async (text: string): Promise<void> => {
    if (out.errored !== null) throw out.errored;
    if (!out.write(text)) await Promise.race([once(out, 'drain', signal === undefined ? {} : { signal }), written]);
  };
  const list = async (name: string, items: Iterable<unknown> | AsyncIterable<unknown>): Promise<void> => {
    let first = true;
    for await (const item of items) {
      await write(`${first ? `,\n"${name}":[` : ','}\n${JSON.stringify(item)}`);
      first = false;
    }
    if (!first) await write(']');
  };
  try {
    let separator = '{\n';
    for (const [name, value] of teller.others()) {
      if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
      await write(`${separator}"${name}":${JSON.stringify(value)}`);
      separator = ',\n';
    }
    if (lightweight) await write(',\n"lazyImages":true');
    await list('pages', pagesOf(opened, teller, signal, onPage));
    await list('fonts', teller.fonts(!lightweight));
    separator = ',\n"sharedObjects":{\n';
    for (const [name, raw] of lightweight ? [] : teller.shared()) {
      signal?.throwIfAborted();
      await write(`${separator}${JSON.stringify(name)}:${JSON.stringify(raw)}`);
      separator = ',\n';
    }
    await write(separator === ',\n' ? '}}\n' : '}\n');
    out.end();
    await written;
  } catch (error) {
    out.destroy();
    throw error;
  }
}

async function* pagesOf(
  { pages }: OpenedPdf,
  teller: DocumentTeller,
  signal: AbortSignal | undefined,
  onPage: ExportOptions['onPage'],
): AsyncGenerator<JsonPage> {
  for (let index = 0; index < pages.length; index++) {
    signal?.throwIfAborted();
    yield await teller.page(index);
    onPage?.(index + 1, pages.length);
  }
}
