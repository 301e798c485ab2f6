import type { RecognizeOptions, Recognized } from './recognition.js';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ContentReader } from '../../content/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import type { PdfiumDocument } from '../../engines/pdfium/index.js';
import {
  breathe,
  guardPixels,
  PictureStore,
  pixelSize,
  renderPage,
  withDrawable,
} from '../../engines/rendering/index.js';
import { listImages } from '../../images/index.js';
import { bandPicture, bandsOf } from './bands.js';
import { cleanPicture } from './clean-picture.js';
import { readHocr } from './hocr.js';
import { greyOf, greySamples, isEmptyPage, samplesOf, type Samples, turnedSamples, writePgm } from './grey-picture.js';
import { measureSkew } from './measure-skew.js';
import { pagePicture, pictureBytes } from './page-pictures.js';
import { type PlannedPage, planPages } from './plan-pages.js';
import { findQuarter, isPoor, legibilityOf, quarterTurned } from './turned-pages.js';
import { type ReadDocument, type TurnedFiles, writeLayers } from './write-layers.js';

/**
 * Reads the text of a document's pages and lays it over them, invisible, in place. Pages that only get a layer keep
 * their content, and all pages their boxes, rotation, links, fields and annotations. Several pages are read at once
 * while the next ones are drawn; files hold what waits, so memory does not grow with the number of pages. Errors:
 * IMAGE_TOO_LARGE, PDF_DAMAGED for a page that cannot be drawn, INPUT_TOO_COMPLEX, what `read` rejects with.
 */
export async function recognizePages(opened: OpenedPdf, options: RecognizeOptions): Promise<Recognized> {
  const run = new Run(opened, options);
  await withDrawable(opened, { path: join(options.folder, 'drawn.pdf') }, (drawn) => run.readAll(drawn));
  return writeLayers(opened, run.result(), options);
}

/** A part of a page is a fifth at least: each starts its own process, which loads the language. */
const MOST_BANDS = 5;

class Run {
  readonly #reader: ContentReader;
  readonly #store: PictureStore;
  readonly #abort = new AbortController();
  readonly #signal: AbortSignal;
  readonly #running = new Set<Promise<void>>();
  readonly #pages: ReadDocument['pages'][number][] = [];
  readonly #texts = new Map<number, string>();
  readonly #turned = new Map<number, TurnedFiles>();
  readonly #unreadable: number[] = [];
  #failure: unknown;
  #done = 0;

  constructor(
    private readonly opened: OpenedPdf,
    private readonly options: RecognizeOptions,
  ) {
    this.#reader = new ContentReader(opened.document.context);
    this.#store = new PictureStore(join(options.folder, 'pictures'));
    this.#signal = AbortSignal.any([options.signal, this.#abort.signal]);
  }

  result(): ReadDocument {
    const unreadable = this.#unreadable.sort((a, b) => a - b);
    return { pages: this.#pages, texts: this.#texts, turned: this.#turned, unreadable, reader: this.#reader };
  }

  async readAll(drawn: PdfiumDocument): Promise<void> {
    const { opened, options } = this;
    const { context } = opened.document;
    const budget =
      options.cleanFinal || options.choice === 'all'
        ? pictureBytes(listImages(context, opened.pages), opened.pages.length)
        : [];
    try {
      for (const plan of planPages(opened, drawn, {
        choice: options.choice,
        pictures: options.cleanFinal,
        maxDpi: options.maxDpi,
        reader: this.#reader,
      })) {
        await breathe(this.#signal);
        if (plan.treatment === 'skip' || this.#pages.length >= (options.mostPages ?? Infinity)) {
          if (options.sidecar) this.#texts.set(plan.index, drawn.pageText(plan.index));
          this.#tick();
        } else await this.#prepare(plan, drawn, budget[plan.index] ?? 0);
      }
    } catch (error) {
      this.#fail(error);
    }
    await Promise.all(this.#running);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Renders a page and starts its OCR; waits while enough pages are being read. */
  async #prepare(plan: PlannedPage, drawn: PdfiumDocument, most: number): Promise<void> {
    const { options, opened } = this;
    const { index, dpi, seen } = plan;
    const size = pixelSize(seen, dpi);
    guardPixels([size]);
    // Only pages that become pictures need their colours.
    const isPicture = plan.treatment === 'picture';
    const pixels = renderPage(drawn, index, { ...size, annotations: false, grey: !isPicture });
    const { grey, shown, turn } = this.#develop(
      plan,
      pixels,
      isPicture ? greyOf(pixels, size) : { ...size, channels: 1, data: pixels },
    );
    const picture = isPicture
      ? await pagePicture(opened.document.context, shown ?? samplesOf(pixels, size), most, this.#store)
      : undefined;
    const isEmpty = isEmptyPage(grey);
    const bands = isEmpty ? [] : bandsOf(grey, dpi, this.#parts(index));
    const parts = bands.map((band, part) => ({
      ...(bands.length === 1 ? { picture: grey, shift: 0 } : bandPicture(grey, band, dpi)),
      goesOn: band.goesOn,
      path: join(options.folder, `${index}-${part}.pgm`),
      words: join(options.folder, `${index}-${part}.hocr`),
    }));
    const layer = options.renderType === 'sandwich' ? { layer: join(options.folder, `${index}.pdf`) } : {};
    this.#pages.push({
      plan,
      size,
      turn,
      files: isEmpty
        ? undefined
        : { words: parts.map(({ words, shift, goesOn }) => ({ path: words, shift, goesOn })), ...layer },
      ...(picture === undefined ? {} : { picture }),
    });
    if (isEmpty) {
      this.#tick();
      return;
    }
    for (const part of parts) await writePgm(part.path, part.picture);
    // One more than can be read at once, so that no core waits for the next picture.
    while (this.#running.size > options.atOnce) await Promise.race(this.#running);
    this.#signal.throwIfAborted();
    const readPart = ({ path, words }: (typeof parts)[number]): Promise<void> =>
      options
        .read(path, { words, ...layer }, dpi, this.#signal)
        .catch((error: unknown) => this.#fail(error))
        .finally(() => rm(path, { force: true }));
    const task: Promise<void> = Promise.all(parts.map(readPart))
      .then(() => this.#readTurned({ index, dpi, grey, ...layer }, parts))
      .catch((error: unknown) => this.#fail(error))
      .then(() => this.#tick())
      .finally(() => this.#running.delete(task));
    this.#running.add(task);
  }

  /** Reads a page again in another direction, where little of it was understood and another one is better. */
  async #readTurned(
    {
      index,
      dpi,
      grey,
      layer,
    }: { readonly index: number; readonly dpi: number; readonly grey: Samples; readonly layer?: string },
    parts: readonly { readonly words: string }[],
  ): Promise<void> {
    if (this.#failure !== undefined) return;
    const { read, folder } = this.options;
    const legibility = async (files: readonly string[]): Promise<ReturnType<typeof legibilityOf>> =>
      legibilityOf(await Promise.all(files.map(async (file) => readHocr(await readFile(file, 'utf8')))));
    const first = await legibility(parts.map(({ words }) => words));
    if (!isPoor(first)) return;
    const path = join(folder, `${index}-turned`);
    const quarter = await findQuarter(grey, dpi, first, path, (picture, words, low) =>
      read(picture, { words }, low, this.#signal),
    );
    if (quarter === 0) {
      this.#unreadable.push(index);
      return;
    }
    const [picture, words] = [`${path}.pgm`, `${path}.hocr`];
    try {
      await writePgm(picture, quarterTurned(grey, quarter));
      if (layer !== undefined) await rm(layer, { force: true });
      await read(picture, { words, ...(layer === undefined ? {} : { layer }) }, dpi, this.#signal);
    } finally {
      await rm(picture, { force: true });
    }
    this.#turned.set(index, { quarter, words });
    if (isPoor(await legibility([words]))) this.#unreadable.push(index);
  }

  /** Into how many bands a page is divided, so that each core has one: the last pages would leave some idle. */
  #parts(index: number): number {
    const { opened, options } = this;
    if (options.renderType === 'sandwich') return 1;
    const pages = Math.min(opened.pages.length - index, (options.mostPages ?? Infinity) - this.#pages.length);
    return Math.min(MOST_BANDS, Math.floor(options.atOnce / (this.#running.size + pages)));
  }

  /** The picture that is read, and the one that is shown where that differs from what the page shows. */
  #develop(
    { treatment, dpi }: PlannedPage,
    pixels: Uint8Array,
    drawn: Samples,
  ): { readonly grey: Samples; readonly shown?: Samples; readonly turn: number } {
    const { clean, cleanFinal, deskew } = this.options;
    const turn = deskew ? measureSkew(drawn) : 0;
    const straight = (samples: Samples): Samples => (turn === 0 ? samples : turnedSamples(samples, -turn));
    const cleaned = (samples: Samples): Samples => cleanPicture(samples, dpi);
    if (treatment !== 'picture' || (turn === 0 && !cleanFinal))
      return { grey: clean ? cleaned(straight(drawn)) : straight(drawn), turn };
    const colours = straight(samplesOf(pixels, drawn));
    if (!cleanFinal) return { grey: clean ? cleaned(straight(drawn)) : greySamples(colours), turn, shown: colours };
    const shown = cleaned(colours);
    return { grey: greySamples(shown), turn, shown };
  }

  #tick(): void {
    this.options.progress?.(++this.#done, this.opened.pages.length);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#abort.abort(error);
  }
}
