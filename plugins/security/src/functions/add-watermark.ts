import type { PDFContext, PDFDocument, PDFRef } from 'pdf-lib';
import { LIGHT_GREY, PageOverlay, fillColour, formOf, linesOfText, matrixOperands, parseHexColour } from '@quire/document/draw';
import { TextFont, alphabetOf, shapeLine } from '@quire/document/fonts';
import { type PictureKind, embedPicture, placePicture, readPicture } from '@quire/document/images';
import type { OpenedPdf } from '@quire/document/open';
import { pageBox } from '@quire/document/pages';
import { type TileMatrix, type TileSpacing, imageTiles, textTiles } from './watermark-grid.js';

/** What both kinds of watermark take. Sizes are points. */
export interface WatermarkStyle extends TileSpacing {
  /** Text size, or height of the image. */
  readonly fontSize: number;
  /** 0 to 1; values outside are cut. */
  readonly opacity: number;
}

/** A watermark of text. */
export interface TextWatermark extends WatermarkStyle {
  /** Lines are split at the two characters backslash and n, and at line ends. */
  readonly text: string;
  /** An unknown alphabet acts as roman. */
  readonly alphabet: string;
  /** Hexadecimal; light grey when it cannot be read. */
  readonly colour: string;
}

/** A watermark of a picture. */
export interface ImageWatermark extends WatermarkStyle {
  readonly image: Uint8Array;
  readonly kind: PictureKind;
}

/**
 * Tiles a text over every page (`contract/security.yml`, add-watermark), in place; the text stays text.
 * Errors: INPUT_INVALID for characters that no built-in font has, INPUT_TOO_COMPLEX for too many tiles.
 */
export async function addTextWatermark(opened: OpenedPdf, mark: TextWatermark): Promise<void> {
  const { fontSize } = mark;
  const alphabet = alphabetOf(mark.alphabet);
  const lines = await Promise.all(mark.text.split(/\\n|\r\n?|\n/).map((line) => shapeLine(line, alphabet, 'watermarkText')));
  const widest = (Math.max(...lines.map((line) => line.width)) * fontSize) / 1000;
  watermark(opened, mark, (document) => {
    const font = new TextFont(document);
    const content = `${fillColour(parseHexColour(mark.colour) ?? LIGHT_GREY)}\n${linesOfText(font, lines, fontSize, fontSize)}`;
    font.embed();
    const height = lines.length * fontSize;
    const area = { left: -fontSize, bottom: -height - fontSize, width: widest + 2 * fontSize, height: height + 3 * fontSize };
    return { form: formOf(document.context, { content, area, resources: { Font: { F: font.ref } } }), tiles: (page) => textTiles(page, [widest, height], mark) };
  });
}

/**
 * Tiles a picture over every page (`contract/security.yml`, add-watermark), in place.
 * Errors: IMAGE_UNREADABLE and IMAGE_TOO_LARGE for the picture, INPUT_TOO_COMPLEX for too many tiles.
 */
export async function addImageWatermark(opened: OpenedPdf, mark: ImageWatermark): Promise<void> {
  const picture = await readPicture(mark.image, mark.kind, { field: 'watermarkImage' });
  const height = mark.fontSize;
  const width = (height * picture.width) / picture.height;
  watermark(opened, mark, ({ context }) => {
    const content = `${placePicture(picture, { x: 0, y: 0, width, height })}\n/I Do`;
    return {
      form: formOf(context, { content, area: { left: 0, bottom: 0, width, height }, resources: { XObject: { I: embedPicture(context, picture) } } }),
      tiles: (page) => imageTiles(page, [width, height], mark),
    };
  });
}

interface Tiling {
  readonly form: PDFRef;
  readonly tiles: (page: readonly [number, number]) => TileMatrix[];
}

/** One tile, one graphics state, and one form per page size are written; each page only names the form. */
function watermark({ document, pages }: OpenedPdf, style: WatermarkStyle, prepare: (document: PDFDocument) => Tiling): void {
  const { context } = document;
  const { form, tiles } = prepare(document);
  const alpha = Math.min(1, Math.max(0, style.opacity));
  const state = context.register(context.obj({ Type: 'ExtGState', ca: alpha, CA: alpha }));
  const overlay = new PageOverlay(context);
  const grids = new Map<string, PDFRef>();
  const done = new Set<PDFRef>();
  for (const page of pages) {
    if (done.has(page.ref)) continue;
    done.add(page.ref);
    const media = pageBox(context, page, 'MediaBox');
    const key = media.join(' ');
    const grid = grids.get(key) ?? gridForm(context, media, tiles([media[2] - media[0], media[3] - media[1]]), form, state);
    grids.set(key, grid);
    overlay.add(page, grid, { artifact: true });
  }
}

/** All tiles of a page of this media box, clipped to it. */
function gridForm(context: PDFContext, media: readonly [number, number, number, number], matrices: readonly TileMatrix[], tile: PDFRef, state: PDFRef): PDFRef {
  const [left, bottom] = media;
  const placed = matrices.map(([a, b, c, d, x, y]) => `q ${matrixOperands([a, b, c, d, x + left, y + bottom])} cm /T Do Q`);
  return context.register(context.flateStream(`/G gs\n${placed.join('\n')}`, {
    Type: 'XObject', Subtype: 'Form', BBox: [...media], Resources: { ExtGState: { G: state }, XObject: { T: tile } },
  }));
}
