import { PDFDocument } from 'pdf-lib';
import { type Box, fitting, multiply, type UprightPage, uprightPage } from '@quire/document/structure/geometry';
import { type ImposeOptions, imposeSheets, type Placement, type Sheet } from '@quire/document/structure/imposition';
import {
  guardDocument,
  openPdf,
  type OpenedPdf,
  withPdf,
  type WriteOptions,
  writePdf,
} from '@quire/document/file/open';
import { pageBox, userUnit } from '@quire/document/structure/pages';
import { extractToFile } from '@quire/document/structure/split';
import { bookletOrder, type BookletOrder, type BookletSide } from './booklet-order.js';
import { frameLines } from './page-layout.js';

export interface BookletOptions extends BookletOrder, ImposeOptions {
  /** Free space at the spine in points, half of it on each side. */
  readonly gutter: number;
  /** A black line around each half. */
  readonly border: boolean;
}

/** Width of the line around a half, in points (`docs/interface/general.yml`, booklet-imposition). */
const BORDER = 1.5;

/**
 * Writes a booklet of a file to `target`. With a single pass, the pages of the other pass are removed first, with their
 * bookmarks, links and form fields, into a file next to the target. Throws the errors of `openPdf` and `imposeSheets`.
 */
export async function imposeBooklet(
  source: string,
  target: string,
  options: BookletOptions,
  write: WriteOptions,
): Promise<void> {
  await withPdf({ path: source }, {}, (opened) =>
    guardDocument('fileInput', async () => {
      const size = bookletSheet(opened);
      const sides = bookletOrder(opened.pages.length, options);
      const used = sides
        .flat()
        .filter((page) => page !== undefined)
        .sort((a, b) => a - b);
      // The back of a single page: a blank sheet without anything from the document.
      if (used.length === 0)
        return writeBooklet(
          await blankPage(size),
          target,
          sides.map(() => [0, undefined]),
          size,
          options,
          write,
        );
      if (used.length === opened.pages.length) return writeBooklet(opened, target, sides, size, options, write);
      const part = `${target}.pages`;
      extractToFile(opened, used, part, { keepDocumentLevel: true });
      const places = new Map(used.map((page, index) => [page, index]));
      const renumbered = sides.map(([left, right]): BookletSide => [places.get(left ?? -1), places.get(right ?? -1)]);
      await withPdf({ path: part }, {}, (pages) => writeBooklet(pages, target, renumbered, size, options, write));
    }),
  );
}

async function writeBooklet(
  opened: OpenedPdf,
  target: string,
  sides: readonly BookletSide[],
  size: readonly [number, number],
  options: BookletOptions,
  write: WriteOptions,
): Promise<void> {
  await imposeSheets(
    opened,
    bookletSheets(
      opened.pages.map((page) => uprightPage(opened.document.context, page)),
      sides,
      size,
      options,
    ),
    options,
  );
  writePdf(opened, target, write);
}

async function blankPage([width, height]: readonly [number, number]): Promise<OpenedPdf> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage([width, height]);
  return openPdf(await document.save());
}

/**
 * A sheet has the size of the first page's crop box, in landscape, whatever the size and rotation of the other pages.
 */
function bookletSheet({ document: { context }, pages: [first] }: OpenedPdf): readonly [number, number] {
  if (first === undefined) throw new RangeError('a document has at least one page');
  const [left, bottom, right, top] = pageBox(context, first);
  const unit = userUnit(context, first);
  return [(top - bottom) * unit, (right - left) * unit];
}

/** Returns the sheets for the given sides; `size` is the size of a whole sheet. */
export function bookletSheets(
  pages: readonly UprightPage[],
  sides: readonly BookletSide[],
  size: readonly [number, number],
  { gutter, border }: Pick<BookletOptions, 'gutter' | 'border'>,
): Sheet[] {
  const [width, height] = size;
  const spine = Math.max(0, gutter < width / 2 ? gutter : width / 2 - 1) / 2;
  const halves: readonly Box[] = [
    [0, 0, width / 2 - spine, height],
    [width / 2 + spine, 0, width, height],
  ];
  // The line is drawn inside its half, so that the sheet's edge does not cut it off.
  const frames = halves.map(([left, bottom, right, top]): Box => [
    left + BORDER / 2,
    bottom + BORDER / 2,
    right - BORDER / 2,
    top - BORDER / 2,
  ]);
  return sides.map((side): Sheet => ({
    size,
    placements: side.flatMap((index, half): Placement[] => {
      const page = index === undefined ? undefined : pages[index];
      const area = halves[half];
      return index === undefined || page === undefined || area === undefined
        ? []
        : [{ page: index, matrix: multiply(page.matrix, fitting([0, 0, page.width, page.height], area)) }];
    }),
    ...(border ? { decoration: frameLines(frames, BORDER) } : {}),
  }));
}
