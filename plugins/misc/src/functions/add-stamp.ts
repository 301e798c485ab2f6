import type { PDFRef } from 'pdf-lib';
import {
  type Area,
  type GridPlace,
  LIGHT_GREY,
  type Matrix,
  type PageFrame,
  PageOverlay,
  after,
  boundsAfter,
  cornerAt,
  fillColour,
  formOf,
  gridPlace,
  isWithin,
  linesOfText,
  marginFactor,
  movedInto,
  pageFrame,
  parseHexColour,
  turned,
} from '@quire/document/content/drawing';
import {
  DESCENT,
  type Ink,
  LINE_HEIGHT,
  type ShapedLine,
  TextFont,
  alphabetOf,
  drawableText,
  inkOf,
  shapeLine,
} from '@quire/document/fonts';
import { type PictureKind, embedPicture, placePicture, readPicture } from '@quire/document/images';
import type { OpenedPdf } from '@quire/document/file/open';
import { type StampFacts, type StampPiece, differsByPage, stampLines } from './stamp-text.js';

export { readStampFacts } from './stamp-text.js';

/** Options that all stamps share. Lengths are points of the page as shown. */
export interface StampStyle {
  /** Font size, or height of the image. */
  readonly fontSize: number;
  /** Degrees, counter-clockwise. */
  readonly rotation: number;
  /** 0 to 1. */
  readonly opacity: number;
  /** 1 to 9, from the top left in reading direction. */
  readonly position: number;
  /** From the left and the bottom of the media box; replaces the position if both are 0 or more. */
  readonly overrideX: number;
  readonly overrideY: number;
  /** small, medium, large or x-large; any other name means medium. */
  readonly customMargin: string;
  /** 0-based indexes of the pages to stamp. */
  readonly pages: readonly number[];
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

export interface TextStamp extends StampStyle {
  /** With the placeholders of `stampLines`. */
  readonly text: string;
  readonly alphabet: string;
  /** Hexadecimal; an unreadable value means light grey. */
  readonly colour: string;
}

export interface ImageStamp extends StampStyle {
  readonly image: Uint8Array;
  readonly kind: PictureKind;
}

/**
 * Writes a text on top of pages (`docs/interface/misc.yml`, add-stamp), in place. The text is upright on rotated pages,
 * and within the crop box if its position in the media box would not be visible. Throws INPUT_INVALID for characters
 * that no built-in font has.
 */
export async function addTextStamp(opened: OpenedPdf, stamp: TextStamp, facts: StampFacts): Promise<void> {
  const {
    document: { context },
  } = opened;
  const font = new TextFont(opened.document);
  const colour = fillColour(parseHexColour(stamp.colour) ?? LIGHT_GREY);
  const shaped = new Map<string, Promise<TextBlock>>();
  const forms = new Map<string, PDFRef>();
  const same = !differsByPage(stamp.text);
  await onPages(opened, stamp, async (frame, page) => {
    const lines = await Promise.all(
      stampLines(stamp.text, facts, page + 1).map((pieces) => lineText(pieces, stamp.alphabet)),
    );
    const key = lines.join('\n');
    const known = shaped.get(key) ?? shapeBlock(lines, stamp);
    // Text that differs by page is not cached: a long document would fill the memory.
    if (same) shaped.set(key, known);
    const block = await known;
    if (block.lines.every(({ glyphs }) => glyphs.length === 0)) return undefined;
    const form =
      forms.get(key) ??
      formOf(context, {
        content: `${colour}\n${linesOfText(font, block.lines, stamp.fontSize, block.lineHeight)}`,
        area: grown(block.ink, 1),
        resources: { Font: { F: font.ref } },
        opacity: stamp.opacity,
      });
    if (same) forms.set(key, form);
    return { form, matrix: textMatrix(frame, block, stamp) };
  });
  font.embed();
}

/**
 * Draws an image on top of pages (`docs/interface/misc.yml`, add-stamp), in place, upright for the reader and within
 * the page. Throws IMAGE_UNREADABLE and IMAGE_TOO_LARGE for the image.
 */
export async function addImageStamp(opened: OpenedPdf, stamp: ImageStamp): Promise<void> {
  const {
    document: { context },
  } = opened;
  const picture = await readPicture(stamp.image, stamp.kind, { field: 'stampImage' });
  const area: Area = {
    left: 0,
    bottom: 0,
    width: (stamp.fontSize * picture.width) / picture.height,
    height: stamp.fontSize,
  };
  const content = `${placePicture(picture, { x: 0, y: 0, width: area.width, height: area.height })} /I Do`;
  const form = formOf(context, {
    content,
    area,
    resources: { XObject: { I: embedPicture(context, picture) } },
    opacity: stamp.opacity,
  });
  await onPages(opened, stamp, async (frame) => ({ form, matrix: imageMatrix(frame, area, stamp) }));
}

/** A form and its position in a page's frame. */
interface Placed {
  readonly form: PDFRef;
  readonly matrix: Matrix;
}

/** Paints the result of `draw` on each chosen page; a page that occurs twice in the page tree is stamped once. */
async function onPages(
  { document, pages }: OpenedPdf,
  { pages: chosen, signal, progress }: StampStyle,
  draw: (frame: PageFrame, index: number) => Promise<Placed | undefined>,
): Promise<void> {
  const overlay = new PageOverlay(document.context);
  const done = new Set<PDFRef>();
  for (const [at, index] of chosen.entries()) {
    signal?.throwIfAborted();
    progress?.(at, chosen.length);
    const page = pages[index];
    if (page === undefined || done.has(page.ref)) continue;
    done.add(page.ref);
    const frame = pageFrame(document.context, page);
    const placed = await draw(frame, index);
    if (placed !== undefined)
      overlay.add(page, placed.form, { matrix: after(placed.matrix, frame.matrix), artifact: true });
  }
}

/** Lines with their sizes in points; the origin is on the first baseline. */
interface TextBlock {
  readonly lines: readonly ShapedLine[];
  readonly lineHeight: number;
  /** By the font's metrics; used for positioning. */
  readonly area: Area;
  /** The area that the outlines cover. */
  readonly ink: Area;
}

async function lineText(pieces: readonly StampPiece[], alphabet: string): Promise<string> {
  const texts = await Promise.all(
    pieces.map(({ text, filled }) => (filled ? drawableText(text, alphabetOf(alphabet)) : text)),
  );
  return texts.join('');
}

async function shapeBlock(texts: readonly string[], { alphabet, fontSize }: TextStamp): Promise<TextBlock> {
  const lines = await Promise.all(texts.map((text) => shapeLine(text, alphabetOf(alphabet), 'stampText')));
  const em = fontSize / 1000;
  const lineHeight = LINE_HEIGHT * em;
  const height = lineHeight * lines.length;
  const inks: Ink[] = lines.map(inkOf);
  const [left, right] = [Math.min(...inks.map((ink) => ink.left)) * em, Math.max(...inks.map((ink) => ink.right)) * em];
  const top = Math.max(...inks.map((ink, i) => ink.top * em - i * lineHeight));
  const bottom = Math.min(...inks.map((ink, i) => ink.bottom * em - i * lineHeight));
  return {
    lines,
    lineHeight,
    area: {
      left: 0,
      bottom: LINE_HEIGHT * em + DESCENT * em - height,
      width: Math.max(...lines.map(({ width }) => width)) * em,
      height,
    },
    ink: { left, bottom, width: right - left, height: top - bottom },
  };
}

/**
 * Maps the block to the frame: at the given point, or at the position in the media box, or in the crop box if the text
 * would be cut off otherwise.
 */
function textMatrix(frame: PageFrame, block: TextBlock, stamp: TextStamp): Matrix {
  if (isGiven(stamp))
    return turned(stamp.rotation, frame.media.left + stamp.overrideX, frame.media.bottom + stamp.overrideY);
  const inMedia = textMatrixIn(frame.media, block, stamp);
  return isWithin(boundsAfter(block.ink, inMedia), frame.shown) ? inMedia : textMatrixIn(frame.shown, block, stamp);
}

function textMatrixIn(area: Area, block: TextBlock, { position, rotation, customMargin }: TextStamp): Matrix {
  const place = gridPlace(position);
  const margin = marginOf(area, customMargin);
  const bounds = boundsAfter(block.area, turned(rotation, 0, 0));
  const corner = cornerAt(place, area, bounds, margin);
  const matrix = turned(rotation, corner.x - bounds.left, corner.y - bounds.bottom);
  if (place.row !== 'top' || rotation % 360 !== 0) return matrix;
  // The first baseline is placed at the margin, but no outline may leave the page.
  const top = area.bottom + area.height;
  return turned(rotation, matrix[4], Math.min(top - margin.y, top - (block.ink.bottom + block.ink.height)));
}

/** The image is placed at its position, rotated about its lower left corner, and moved back into the page. */
function imageMatrix(frame: PageFrame, block: Area, stamp: ImageStamp): Matrix {
  const within = (matrix: Matrix, area: Area): Matrix => {
    const { dx, dy } = movedInto(boundsAfter(block, matrix), area);
    return turned(stamp.rotation, matrix[4] + dx, matrix[5] + dy);
  };
  if (isGiven(stamp))
    return within(
      turned(stamp.rotation, frame.media.left + stamp.overrideX, frame.media.bottom + stamp.overrideY),
      frame.media,
    );
  const at = (area: Area, place: GridPlace): Matrix => {
    const { x, y } = cornerAt(place, area, block, marginOf(area, stamp.customMargin));
    return within(turned(stamp.rotation, x, y), area);
  };
  const place = gridPlace(stamp.position);
  const inMedia = at(frame.media, place);
  return isWithin(boundsAfter(block, inMedia), frame.shown) ? inMedia : at(frame.shown, place);
}

function isGiven({ overrideX, overrideY }: StampStyle): boolean {
  return overrideX >= 0 && overrideY >= 0;
}

function marginOf({ width, height }: Area, name: string): { x: number; y: number } {
  const margin = (marginFactor(name) * (width + height)) / 2;
  return { x: margin, y: margin };
}

function grown({ left, bottom, width, height }: Area, by: number): Area {
  return { left: left - by, bottom: bottom - by, width: width + 2 * by, height: height + 2 * by };
}
