import { PDFContext, type PDFDict, PDFName } from 'pdf-lib';
import { DocumentError } from '../../errors.js';
import { withDocument } from '../../engines/pdfium/index.js';
import { ObjectCopier } from '../../file/objects/index.js';
import { contextBytes } from '../../file/open/index.js';
import { type PdfiumPageText, withPdfiumText } from '../search/pdfium-text.js';
import { readingText, type TextPiece } from '../search/reading.js';
import type { PlainFont, PlainGlyph } from '../../content/plain/index.js';

/** Fonts whose programs are in memory at the same time, and lines on one page. */
const FONTS_AT_ONCE = 32;
const LINES = 250;
/** Sizes of a probe, in points. */
const [SIZE, LEADING, MARGIN] = [10, 20, 50] as const;
/** Letters before and behind each glyph, in Helvetica, and the width of the first in points. */
const [BEFORE, AFTER, BEFORE_WIDTH] = ['x', 'n', 5] as const;
/** Greatest difference between two widths in points: half a percent of the size. */
const TOLERANCE = 0.05;
/** Letters that are higher for PDFium, as a share of the size, may be on one line with those of the next. */
const MOST_HEIGHT = 1.9;

/** Glyphs of one font on one page of a probe. */
interface Probe {
  readonly font: PDFDict;
  readonly glyphs: readonly PlainGlyph[];
}

/**
 * Lets PDFium read every used code of fonts, each on a line of its own between two letters of another font, and returns
 * the fonts of which it gives all codes the same text and width as Quire does. None agree that it cannot read.
 */
export async function agreedFonts(
  context: PDFContext,
  fonts: ReadonlyMap<PDFDict, PlainFont>,
  signal: AbortSignal,
): Promise<Set<PDFDict>> {
  const agreed = new Set(fonts.keys());
  const all = [...fonts];
  for (let first = 0; first < all.length; first += FONTS_AT_ONCE) {
    signal.throwIfAborted();
    const some = all.slice(first, first + FONTS_AT_ONCE);
    const probes = some.flatMap(([font, plain]) => probesOf(font, plain.used));
    try {
      await withDocument(probeDocument(context, new Map(some), probes), {}, (document) => {
        for (const [index, { font, glyphs }] of probes.entries())
          if (withPdfiumText(document, index, (text) => readsAs(text, glyphs)) !== true) agreed.delete(font);
      });
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      for (const [font] of some) agreed.delete(font);
    }
  }
  return agreed;
}

function probesOf(font: PDFDict, glyphs: readonly PlainGlyph[]): Probe[] {
  const probes: Probe[] = [];
  for (let first = 0; first < glyphs.length; first += LINES)
    probes.push({ font, glyphs: glyphs.slice(first, first + LINES) });
  return probes;
}

/** A document with one page for each probe. */
function probeDocument(
  source: PDFContext,
  fonts: ReadonlyMap<PDFDict, PlainFont>,
  probes: readonly Probe[],
): Uint8Array {
  const target = PDFContext.create();
  const copier = new ObjectCopier(source, target);
  const copies = new Map([...fonts.keys()].map((font) => [font, target.register(copier.copyDict(font))] as const));
  copier.drain();
  const marker = target.register(target.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' }));
  const tree = target.nextRef();
  const pages = probes.map(({ font, glyphs }) =>
    target.register(
      target.obj({
        Type: 'Page',
        Parent: tree,
        MediaBox: [0, 0, 500, glyphs.length * LEADING + 2 * MARGIN],
        Resources: { Font: { M: marker, F: copies.get(font)! } },
        Contents: target.register(target.stream(contentOf(glyphs, fonts.get(font)!))),
      }),
    ),
  );
  target.assign(tree, target.obj({ Type: 'Pages', Kids: pages, Count: pages.length }));
  target.trailerInfo.Root = target.register(target.obj({ Type: PDFName.of('Catalog'), Pages: tree }));
  return contextBytes(target, { stamp: false });
}

function contentOf(glyphs: readonly PlainGlyph[], { codeLength }: PlainFont): string {
  const lines = glyphs.map(({ code }, i) => {
    const y = MARGIN + (glyphs.length - i) * LEADING;
    const hex = code.toString(16).padStart(codeLength * 2, '0');
    return [
      `/M ${SIZE} Tf 1 0 0 1 ${MARGIN} ${y} Tm (${BEFORE}) Tj`,
      `/F ${SIZE} Tf <${hex}> Tj`,
      `/M ${SIZE} Tf (${AFTER}) Tj`,
    ].join('\n');
  });
  return `BT\n${lines.join('\n')}\nET`;
}

function readsAs(text: PdfiumPageText, glyphs: readonly PlainGlyph[]): boolean {
  const lines = linesOf(text.pieces);
  return (
    lines.length === glyphs.length &&
    glyphs.every((glyph, i) => {
      const line = lines[i]!;
      if (readingText(line.map((piece) => piece.text).join('')) !== readingText(`${BEFORE}${glyph.text}${AFTER}`))
        return false;
      const places = line.map((piece) => (piece.glyph === undefined ? undefined : text.place(piece.glyph)));
      const place = places.at(-1);
      const expected = MARGIN + BEFORE_WIDTH + glyph.width * SIZE;
      return (
        place !== undefined &&
        Math.abs(place.origin[0] - expected) <= TOLERANCE &&
        places.every((one) => one === undefined || one.em <= MOST_HEIGHT * SIZE)
      );
    })
  );
}

function linesOf(pieces: readonly TextPiece[]): TextPiece[][] {
  const lines: TextPiece[][] = [[]];
  for (const piece of pieces) {
    if (piece.text === '\n') {
      if (lines.at(-1)!.length > 0) lines.push([]);
    } else if (piece.text !== '') lines.at(-1)!.push(piece);
  }
  return lines.filter((line) => line.length > 0);
}
