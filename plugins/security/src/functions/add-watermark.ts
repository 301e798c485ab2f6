import type { PDFContext, PDFRef } from 'pdf-lib';
import { DocumentError } from '@quire/document';
import {
  type Area,
  LIGHT_GREY,
  type Matrix,
  PageOverlay,
  boundsAfter,
  decimal,
  fillColour,
  formOf,
  linesOfText,
  matrixOperands,
  parseHexColour,
} from '@quire/document/content/drawing';
import { type Ink, TextFont, alphabetOf, inkOf, shapeLine } from '@quire/document/fonts';
import type { Box } from '@quire/document/structure/geometry';
import { type PictureKind, embedPicture, placePicture, readPicture } from '@quire/document/images';
import type { OpenedPdf } from '@quire/document/file/open';
import { pageBox } from '@quire/document/structure/pages';
import { readClaims, withdrawClaims } from '@quire/document/structure/metadata';
import { type TileGrid, type TileSpacing, imageTiles, textTiles } from './watermark-grid.js';

/** Options that text and image watermarks share. Sizes are points. */
export interface WatermarkStyle extends TileSpacing {
  /** Font size, or height of the image. */
  readonly fontSize: number;
  /** 0 to 1; values outside are limited to that range. */
  readonly opacity: number;
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

export interface TextWatermark extends WatermarkStyle {
  /** Split into lines at the two characters backslash and n, and at line ends. */
  readonly text: string;
  /** An unknown alphabet means roman. */
  readonly alphabet: string;
  /** Hexadecimal; an unreadable value means light grey. */
  readonly colour: string;
}

export interface ImageWatermark extends WatermarkStyle {
  readonly image: Uint8Array;
  readonly kind: PictureKind;
}

/**
 * A one-megabyte PNG can hold five times as many, which takes a minute to decode and is not visible in a tile a few
 * points high.
 */
const MAX_PIXELS = 50_000_000;

export interface Watermarked {
  /** Number of pages, each counted once, and of those that are too small for a tile. */
  readonly pages: number;
  readonly unmarked: number;
}

/**
 * Tiles a text over every page (`docs/interface/security.yml`, add-watermark), in place; the text stays text. Throws
 * INPUT_INVALID for characters that no built-in font has and for text without visible characters, INPUT_TOO_COMPLEX for
 * too many tiles.
 */
export async function addTextWatermark(opened: OpenedPdf, mark: TextWatermark): Promise<Watermarked> {
  const { fontSize } = mark;
  const alphabet = alphabetOf(mark.alphabet);
  const lines = await Promise.all(
    mark.text.split(/\\n|\r\n?|\n/).map((line) => shapeLine(line, alphabet, 'watermarkText')),
  );
  const area = inkArea(lines.map(inkOf), fontSize);
  if (area === undefined)
    throw invalid('watermarkText', 'has no visible characters, so the watermark could not be seen');
  const widest = (Math.max(...lines.map((line) => line.width)) * fontSize) / 1000;
  const font = new TextFont(opened.document);
  const colour = fillColour(parseHexColour(mark.colour) ?? LIGHT_GREY);
  const content = `${colour}\n${linesOfText(font, lines, fontSize, fontSize)}`;
  font.embed();
  const form = formOf(opened.document.context, {
    content,
    area,
    resources: { Font: { F: font.ref } },
    opacity: alphaOf(mark),
  });
  return watermark(opened, mark, {
    area,
    form,
    transparent: alphaOf(mark) < 1,
    grid: (page) => textTiles(page, [widest, lines.length * fontSize], mark),
  });
}

/**
 * Tiles an image over every page (`docs/interface/security.yml`, add-watermark), in place; pages that are smaller than
 * the image get none. Throws IMAGE_UNREADABLE and IMAGE_TOO_LARGE for the image, INPUT_INVALID if no page is large
 * enough for it, INPUT_TOO_COMPLEX for too many tiles.
 */
export async function addImageWatermark(opened: OpenedPdf, mark: ImageWatermark): Promise<Watermarked> {
  const { context } = opened.document;
  const picture = await readPicture(mark.image, mark.kind, { field: 'watermarkImage', maxPixels: MAX_PIXELS });
  const area: Area = {
    left: 0,
    bottom: 0,
    width: (mark.fontSize * picture.width) / picture.height,
    height: mark.fontSize,
  };
  const content = `${placePicture(picture, { x: 0, y: 0, width: area.width, height: area.height })}\n/I Do`;
  const form = formOf(context, {
    content,
    area,
    resources: { XObject: { I: embedPicture(context, picture) } },
    opacity: alphaOf(mark),
  });
  const transparent = alphaOf(mark) < 1 || ('alpha' in picture.content && picture.content.alpha !== undefined);
  const done = watermark(opened, mark, {
    area,
    form,
    transparent,
    grid: (page) => imageTiles(page, [area.width, area.height], mark),
  });
  if (done.unmarked === done.pages)
    throw invalid(
      'fontSize',
      `makes the image ${decimal(area.width)} x ${decimal(area.height)} points, which is larger than every ` +
        'page, so it would not appear anywhere',
    );
  return done;
}

/** Opacity of a tile as a whole: touching letters and overlapping lines do not show through each other. */
function alphaOf({ opacity }: WatermarkStyle): number {
  return Math.min(1, Math.max(0, opacity));
}

/** The area that lines of text cover, each one font size below the one before; undefined if nothing is visible. */
function inkArea(inks: readonly Ink[], fontSize: number): Area | undefined {
  const em = fontSize / 1000;
  if (inks.every(({ bottom, top }) => bottom === top)) return undefined;
  const [left, right] = [Math.min(...inks.map((ink) => ink.left)) * em, Math.max(...inks.map((ink) => ink.right)) * em];
  const bottom = Math.min(...inks.map((ink, i) => ink.bottom * em - i * fontSize));
  const top = Math.max(...inks.map((ink, i) => ink.top * em - i * fontSize));
  // Renderers may paint hairlines and smooth edges beyond an outline.
  return { left: left - EDGE, bottom: bottom - EDGE, width: right - left + 2 * EDGE, height: top - bottom + 2 * EDGE };
}

const EDGE = 1;

function invalid(field: string, detail: string): DocumentError {
  return new DocumentError('INPUT_INVALID', { detail: `"${field}" ${detail}` }, [{ pointer: `/${field}`, detail }]);
}

interface Tile {
  readonly form: PDFRef;
  /** The area that it paints. */
  readonly area: Area;
  /** True if the content below shows through. */
  readonly transparent: boolean;
  /** Its positions on a page of this width and height. */
  readonly grid: (page: readonly [number, number]) => TileGrid;
}

/**
 * Each page only refers to a form that it shares with pages of its size. A document that becomes transparent is no
 * longer PDF/A-1, so that declaration is removed.
 */
function watermark({ document, pages }: OpenedPdf, { signal, progress }: WatermarkStyle, tile: Tile): Watermarked {
  const { context } = document;
  const forms = new GridForms(context, tile);
  // ISO 19005-1, 6.4: PDF/A-1 forbids transparency; later parts allow it.
  if (tile.transparent && readClaims(context).get('PDF/A')?.startsWith('1') === true)
    withdrawClaims(context, ['PDF/A']);
  const overlay = new PageOverlay(context);
  const done = new Set<PDFRef>();
  let unmarked = 0;
  for (const [i, page] of pages.entries()) {
    signal?.throwIfAborted();
    progress?.(i, pages.length);
    if (done.has(page.ref)) continue;
    done.add(page.ref);
    const form = forms.over(pageBox(context, page, 'MediaBox'));
    if (form === undefined) unmarked++;
    else overlay.add(page, form, { artifact: 'Watermark' });
  }
  return { pages: done.size, unmarked };
}

/**
 * Maximum number of rows, and tiles in rows, for all page sizes together; a document whose pages all differ would fill
 * the memory.
 */
const MAX_PLACES = 1_000_000;

/** Writes one form for each row length, and one for each media box that stacks rows. */
class GridForms {
  readonly #rows = new Map<number, PDFRef>();
  readonly #grids = new Map<string, PDFRef | undefined>();
  #places = 0;

  constructor(
    private readonly context: PDFContext,
    private readonly tile: Tile,
  ) {}

  /** All tiles of a page with this media box, clipped to it; undefined if it is too small for one. */
  over(media: Box): PDFRef | undefined {
    const key = media.join(' ');
    if (!this.#grids.has(key)) this.#grids.set(key, this.#gridOver(media));
    return this.#grids.get(key);
  }

  #gridOver(media: Box): PDFRef | undefined {
    const [left, bottom, right, top] = media;
    const grid = this.tile.grid([right - left, top - bottom]);
    if (grid.columns === 0 || grid.rows === 0) return undefined;
    const row = this.#rows.get(grid.columns) ?? this.#rowOf(grid);
    this.#rows.set(grid.columns, row);
    const content = this.#repeat('R', grid.rows, (i) => [1, 0, 0, 1, left, bottom + i * grid.step[1]]);
    return formOf(this.context, {
      content,
      area: { left, bottom, width: right - left, height: top - bottom },
      resources: { XObject: { R: row } },
    });
  }

  /** A row is the same on every page size; only the number of its tiles differs. */
  #rowOf({ first, step, columns }: TileGrid): PDFRef {
    const [a, b, c, d, x, y] = first;
    const content = this.#repeat('T', columns, (i) => [a, b, c, d, x + i * step[0], y]);
    const area = boundsAfter(this.tile.area, first);
    return formOf(this.context, {
      content,
      area: { ...area, width: area.width + (columns - 1) * step[0] },
      resources: { XObject: { T: this.tile.form } },
    });
  }

  #repeat(name: string, count: number, at: (i: number) => Matrix): string {
    this.#places += count;
    if (this.#places > MAX_PLACES)
      throw new DocumentError('INPUT_TOO_COMPLEX', {
        resource: 'watermark positions on pages of different sizes',
        limit: MAX_PLACES,
      });
    return Array.from({ length: count }, (_, i) => `q ${matrixOperands(at(i))} cm /${name} Do Q`).join('\n');
  }
}
