import { availableParallelism } from 'node:os';
import { type OpenPages, readOutline, withPages } from '@quire/document/layout';
import { breathe } from '@quire/document/engines/rendering';
import { xmlCharacters } from '@quire/document/file/xml';
import { writeZip, type ZipMember } from '@quire/document/file/zip';
import { isScan, pagePictures } from './page-pictures.js';
import { Presentation } from './presentation.js';
import { textBoxes } from './text-boxes.js';

/** How a run goes. */
export interface SlidesOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

/** EMU of a point and of an inch; sides of slides lie between one inch and 56 (ECMA-376 part 1, 19.7.20). */
const POINT = 12_700;
const INCH = 914_400;
const [MIN_SIDE, MAX_SIDE] = [INCH, 56 * INCH];
/** Slides made at once: while one is drawn, the images of others are compressed on other cores. */
const AT_ONCE = Math.min(4, availableParallelism());
/** Boxes of one slide; a page of more becomes a picture. */
const MAX_BOXES = 4000;

/**
 * Writes a presentation (PPTX) to the new file `target`: one slide for each page with the size of the first page,
 * others scaled and centred. Text becomes text boxes at its position; everything else becomes images behind it. Throws
 * the codes of opening, and the signal's reason.
 */
export async function pdfToPptx(path: string, target: string, { signal, progress }: SlidesOptions): Promise<void> {
  await withPages({ path }, async (open) => {
    const { document, pageCount, title } = open;
    const sheet = slideSize(document.pageGeometry(0));
    const presentation = new Presentation({ slides: pageCount, ...sheet, title: xmlCharacters(title ?? '') });
    const titles = titlesOf(open);
    // A generator, so that only a few slides are in memory.
    async function* members(): AsyncGenerator<ZipMember> {
      yield* presentation.start();
      const slides = inOrder(pageCount, AT_ONCE, async (index) => {
        await breathe(signal);
        return slideOf(open, index, sheet, titles.get(index + 1));
      });
      let done = 0;
      for await (const slide of slides) {
        yield* presentation.slide(slide);
        progress?.(++done, pageCount);
      }
    }
    await writeZip(members(), target, signal);
  });
}

/** Yields the results of `work` for 0 up to `count` in order, with at most `atOnce` of them begun and not yet taken. */
async function* inOrder<T>(count: number, atOnce: number, work: (index: number) => Promise<T>): AsyncGenerator<T> {
  const begun: Promise<T>[] = [];
  try {
    for (let index = 0; index < count || begun.length > 0;) {
      while (index < count && begun.length < atOnce) {
        const next = work(index++);
        // Awaited below, unless an earlier one fails.
        next.catch(() => undefined);
        begun.push(next);
      }
      yield await begun.shift()!;
    }
  } finally {
    // They use the document, which is closed after this.
    await Promise.allSettled(begun);
  }
}

/** A size in EMU. */
interface SheetSize {
  readonly width: number;
  readonly height: number;
}

/** Size of the slides: that of the page, as far as programs take it. */
function slideSize({ width, height }: { readonly width: number; readonly height: number }): SheetSize {
  const scale = Math.min(POINT, MAX_SIDE / Math.max(1, width, height));
  return {
    width: Math.max(MIN_SIDE, Math.round(width * scale)),
    height: Math.max(MIN_SIDE, Math.round(height * scale)),
  };
}

/** The first title that the outline has for a page. */
function titlesOf({ document }: OpenPages): Map<number, string> {
  const titles = new Map<number, string>();
  for (const { title, page } of readOutline(document))
    if (page !== undefined && comparable(title) !== '' && !titles.has(page)) titles.set(page, comparable(title));
  return titles;
}

function comparable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

async function slideOf(
  { document, reader, pageCount }: OpenPages,
  index: number,
  sheet: SheetSize,
  title: string | undefined,
) {
  const page = reader.read(index);
  const found = textBoxes(page);
  // Too many for a slide: then the picture shows the text, too.
  const boxes = found.length > MAX_BOXES ? [] : found;
  const scale = Math.min(sheet.width / Math.max(1, page.width), sheet.height / Math.max(1, page.height));
  return {
    pictures: await pagePictures(document, index, page, found.length > MAX_BOXES),
    boxes,
    slides: pageCount,
    scale,
    x: (sheet.width - page.width * scale) / 2,
    y: (sheet.height - page.height * scale) / 2,
    // The outline may leave out a heading's number.
    title:
      title === undefined
        ? undefined
        : boxes.find(({ lines }) =>
            comparable(
              lines
                .flat()
                .map(({ text }) => text)
                .join(''),
            ).endsWith(title),
          ),
    hidden: boxes.length > 0 && isScan(document, index),
  };
}
