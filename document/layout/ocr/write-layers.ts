import { readFile } from 'node:fs/promises';
import type { Bidi } from 'bidi-js';
import type { PDFContext, PDFDict, PDFRawStream, PDFRef } from 'pdf-lib';
import { removeImages } from '../../redaction/document-data/index.js';
import { besideContent, ContentEditor, type ContentReader, dropUnusedXObjects } from '../../content/index.js';
import { PageOverlay, turned } from '../../content/drawing/index.js';
import {
  ContentMover,
  identity,
  invert,
  type Matrix,
  matrixNumbers,
  multiply,
  scaling,
  translation,
  type UprightPage,
} from '../../structure/geometry/index.js';
import { asDict, catalogOf, dictOf, entry, setEntry } from '../../file/objects/index.js';
import { breathe, type PixelSize } from '../../engines/rendering/index.js';
import { readClaims, withdrawClaims } from '../../structure/metadata/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { joinBands } from './bands.js';
import { dropPageTags } from './drop-page-tags.js';
import { GlyphlessFont } from './glyphless-font.js';
import { type ReadPage, readHocr, textOfPage, wordsOf } from './hocr.js';
import type { PlannedPage } from './plan-pages.js';
import { ProgramLayers } from './program-layer.js';
import type { Recognized, RecognizeOptions } from './recognition.js';
import { layerMatrix, type Quarter } from './turned-pages.js';
import { wordLayer } from './word-layer.js';

/** Words of a page, or of a band of it. */
export interface WordsFile {
  readonly path: string;
  /** Rows from the top of the page's picture to the top of the picture that was read. */
  readonly shift: number;
  /** True where its text goes on from the band above. */
  readonly goesOn: boolean;
}

/** A page that was read. */
export interface ReadPageFiles {
  readonly plan: PlannedPage;
  /** Pixels of the picture that was read. */
  readonly size: PixelSize;
  /** Degrees by which its lines fell from left to right, which was put right. */
  readonly turn: number;
  /** Files of the page's text; undefined for an empty page. */
  readonly files: { readonly words: readonly WordsFile[]; readonly layer?: string } | undefined;
  /** The new content of the page. */
  readonly picture?: PDFRawStream;
}

/** A page whose text was read in another direction. */
export interface TurnedFiles {
  /** By how much its picture was turned clockwise. */
  readonly quarter: Quarter;
  readonly words: string;
}

/** A document that was read. */
export interface ReadDocument {
  readonly pages: readonly ReadPageFiles[];
  /** The text of pages that were left alone, by index. */
  readonly texts: Map<number, string>;
  /** Pages that were read in another direction, by index. */
  readonly turned: ReadonlyMap<number, TurnedFiles>;
  /** Pages (0-based) of which little was understood. */
  readonly unreadable: readonly number[];
  readonly reader: ContentReader;
}

/** Of a page whose content is replaced (ISO 32000-1, table 30): what belonged to that content. */
const CONTENT_KEYS = ['PieceInfo', 'Group', 'SeparationInfo', 'Thumb'] as const;

/** Lays what was read over the pages, in their order, and does to their content what was asked for. */
export async function writeLayers(
  opened: OpenedPdf,
  { pages, texts, turned: turnedPages, unreadable, reader }: ReadDocument,
  { removeImages: withoutImages, sidecar, signal }: Pick<RecognizeOptions, 'removeImages' | 'sidecar' | 'signal'>,
): Promise<Recognized> {
  const { context } = opened.document;
  const content = new PageContents(opened, reader);
  for (const page of pages) {
    await breathe(signal);
    content.change(page);
  }
  const imagesRemoved = content.finish(withoutImages);
  const font = new GlyphlessFont(context);
  const layers = new ProgramLayers(context);
  const overlay = new PageOverlay(context);
  const bidi: Bidi = (await import('bidi-js')).default();
  let [words, withText] = [0, 0];
  for (const { plan, size, files } of pages) {
    await breathe(signal);
    const again = turnedPages.get(plan.index);
    const read =
      files === undefined
        ? undefined
        : await readWordsFiles(again === undefined ? files.words : [{ path: again.words, shift: 0, goesOn: false }]);
    if (read === undefined || files === undefined) continue;
    if (sidecar) texts.set(plan.index, textOfPage(read));
    const found = wordsOf(read);
    const quarter = again?.quarter ?? 0;
    const [picture, seen] = [sidewaysSize(size, quarter), sidewaysSize(plan.seen, quarter)];
    const form =
      found === 0
        ? undefined
        : files.layer === undefined
          ? wordLayer(context, { ...read, ...picture }, seen.width / picture.width, font, bidi)
          : await layers.add(files.layer, seen.width, seen.height);
    if (form === undefined) continue;
    words += found;
    withText++;
    // Under what the page shows: its own content is not touched, and text that nobody sees is hidden by nothing.
    const page = invert(plan.seen.matrix) ?? identity;
    overlay.add(plan.page, form, { matrix: layerMatrix(quarter, plan.seen, page), under: true });
  }
  font.finish();
  if (withText > 0) withdrawUntagged(context);
  const text = sidecar
    ? opened.pages.map((_page, index) => texts.get(index)?.replace(/\r\n?/g, '\n').trimEnd() ?? '').join('\n\f')
    : '';
  return {
    pages: opened.pages.length,
    read: pages.length,
    withText,
    words,
    imagesRemoved,
    text: text === '' ? '' : `${text}\n`,
    pictures: pages.filter(({ picture }) => picture !== undefined).length,
    turned: pages.filter(({ turn }) => turn !== 0).length,
    readTurned: turnedPages.size,
    unreadable: unreadable.map((index) => index + 1),
  };
}

/** The size of a page that was turned to be read. */
function sidewaysSize({ width, height }: PixelSize, quarter: Quarter): PixelSize {
  return quarter % 180 === 0 ? { width, height } : { width: height, height: width };
}

async function readWordsFiles(files: readonly WordsFile[]): Promise<ReadPage> {
  const bands = await Promise.all(
    files.map(async (file) => ({ ...file, read: readHocr(await readFile(file.path, 'utf8')) })),
  );
  return joinBands(bands);
}

/** Changes what pages show. */
class PageContents {
  readonly #editor: ContentEditor;
  readonly #mover: ContentMover;
  readonly #pictured = new Map<PDFDict, PDFRef>();
  #edited = false;

  constructor(
    private readonly opened: OpenedPdf,
    reader: ContentReader,
  ) {
    this.#editor = new ContentEditor(reader, { prune: true });
    this.#mover = new ContentMover(opened.document.context);
  }

  change({ plan, turn, picture }: ReadPageFiles): void {
    const { context } = this.opened.document;
    const { page, seen } = plan;
    if (picture !== undefined) {
      this.#pictured.set(page.dict, page.ref);
      showPicture(context, page.dict, picture, seen);
      return;
    }
    if (plan.frame !== undefined && plan.stale.length > 0) {
      for (const { frame, start, end } of plan.stale) frame.replace({ start, end }, '');
      this.#edited = this.#editor.commit(page, plan.frame) || this.#edited;
    }
    if (turn !== 0) this.#mover.move(page, straightening(seen, turn), seen.box);
  }

  /** Drops what nothing shows any more; gives how many images went, where all shall go. */
  finish(withoutImages: boolean): number {
    const { opened } = this;
    const { context } = opened.document;
    if (this.#edited) {
      const beside = (): ReturnType<typeof besideContent> => besideContent(context, opened.pages);
      this.#editor.finish(opened.pages, beside);
      dropUnusedXObjects(context, opened.pages, beside());
    }
    dropPageTags(context, this.#pictured);
    if (this.#pictured.size > 0) withdrawClaims(context, ['PDF/UA', 'PDF/X', 'PDF/E', 'PDF/VT', 'WTPDF']);
    return withoutImages ? removeImages(opened) : 0;
  }
}

/** The picture becomes all that the page shows; annotations and fields stay over it. */
function showPicture(
  context: PDFContext,
  page: PDFDict,
  picture: PDFRawStream,
  { matrix, width, height }: UprightPage,
): void {
  const place = multiply(scaling(width, height), invert(matrix) ?? identity);
  for (const key of CONTENT_KEYS) setEntry(page, key, undefined);
  setEntry(page, 'Resources', dictOf(context, { XObject: dictOf(context, { P: context.register(picture) }) }));
  setEntry(
    page,
    'Contents',
    context.register(context.stream(`q ${matrixNumbers(context, place).asArray().join(' ')} cm /P Do Q`)),
  );
}

/** Turns what a page shows counter-clockwise about its middle, as a matrix of its user space. */
function straightening({ matrix, width, height }: UprightPage, degrees: number): Matrix {
  const about = multiply(
    multiply(translation(-width / 2, -height / 2), turned(degrees, 0, 0)),
    translation(width / 2, height / 2),
  );
  return multiply(multiply(matrix, about), invert(matrix) ?? identity);
}

/** Text without tags has come into a document: where it says that all of its text is tagged, it says so no longer. */
function withdrawUntagged(context: PDFContext): void {
  const catalog = catalogOf(context);
  if (catalog === undefined || asDict(context, entry(catalog, 'StructTreeRoot')) === undefined) return;
  const isLevelA = /\|A/i.test(readClaims(context).get('PDF/A') ?? '');
  withdrawClaims(context, ['PDF/UA', 'WTPDF', ...(isLevelA ? ['PDF/A' as const] : [])]);
}
