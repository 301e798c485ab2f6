import type { PDFContext, PDFDict } from 'pdf-lib';
import { boxAround, type Box, type Quad } from '@quire/document/content';
import { BLACK, type Colour, decimal, fillColour, formOf, PageOverlay } from '@quire/document/content/drawing';
import { type FoundLine, type GlyphPlace, quadAlong } from '@quire/document/redaction/search';
import type { PageEntry } from '@quire/document/structure/pages';

/** A filled quadrilateral on a page, in default user space. */
export interface RedactionBox {
  readonly quad: Quad;
  readonly colour: Colour;
  /** True for an area of the page, which is not over a line of text. */
  readonly upright?: boolean;
}

/**
 * Height of letters above and below their line, as a share of the font's height: the measure of a match's height, and
 * of the space that must stay uncovered.
 */
const CAPITAL = 0.6;
const ASCENDER = 0.74;
const DESCENDER = 0.22;
/** Share of the match's height, above and below (`docs/interface/security.yml`, auto-redact). */
const PADDING = 0.6;
/** Share of the match's width. */
const WIDTH = 0.9;

/**
 * The box over one line of a match (`docs/interface/security.yml`, auto-redact): 0.6 of the match's height above and
 * below, nine tenths of its width. The box ends where letters of remaining lines start; `padding` points are added
 * above and below regardless.
 */
export function boxOfLine(line: FoundLine, staying: readonly GlyphPlace[], padding: number): Quad {
  const height = CAPITAL * line.em;
  let low = line.line - PADDING * height;
  let high = line.line + height + PADDING * height;
  for (const { angle, from, to, line: at, em } of staying) {
    if (angle !== line.angle || to <= line.from || from >= line.to) continue;
    if (at > line.line + em / 4) high = Math.min(high, Math.max(line.line + ASCENDER * line.em, at - DESCENDER * em));
    else if (at < line.line - em / 4)
      low = Math.max(low, Math.min(line.line - DESCENDER * line.em, at + ASCENDER * em));
  }
  const inset = ((line.to - line.from) * (1 - WIDTH)) / 2;
  return quadAlong(line, line.from + inset, line.to - inset, low - padding, high + padding);
}

/** Draws boxes over pages, one form per page; a page that occurs twice in the page tree gets them once. */
export class BoxDrawing {
  readonly #overlay: PageOverlay;

  constructor(private readonly context: PDFContext) {
    this.#overlay = new PageOverlay(context);
  }

  draw(pages: readonly PageEntry[], boxes: ReadonlyMap<PDFDict, readonly RedactionBox[]>): void {
    const done = new Set<PDFDict>();
    for (const page of pages) {
      const own = boxes.get(page.dict);
      if (own === undefined || own.length === 0 || done.has(page.dict)) continue;
      done.add(page.dict);
      const [left, bottom, right, top] = own
        .map(({ quad }) => boxAround(quad))
        .reduce((a, b) => [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]);
      const form = formOf(this.context, {
        content: own.map(drawn).join('\n'),
        area: { left, bottom, width: right - left, height: top - bottom },
        resources: {},
      });
      this.#overlay.add(page, form, { artifact: true });
    }
  }
}

function drawn({ quad: [x0, y0, x1, y1, x2, y2, x3, y3], colour }: RedactionBox): string {
  const at = (x: number, y: number): string => `${decimal(x)} ${decimal(y)}`;
  return `${fillColour(colour)} ${at(x0, y0)} m ${at(x1, y1)} l ${at(x2, y2)} l ${at(x3, y3)} l h f`;
}

/** The quad of an upright box. */
export function quadOfBox([left, bottom, right, top]: Box): Quad {
  return [left, bottom, right, bottom, right, top, left, top];
}

/**
 * Parses a colour as existing clients send it (`docs/interface/security.yml`, redact): hexadecimal with or without #,
 * read as one number, so three digits are a dark blue and not short for six; anything else is black.
 */
export function redactionColour(text: string | undefined): Colour {
  const digits = /^#?([0-9a-f]{1,6})$/i.exec(text?.trim() ?? '')?.[1];
  if (digits === undefined) return BLACK;
  const value = parseInt(digits, 16);
  return { red: (value >> 16) / 255, green: ((value >> 8) & 0xff) / 255, blue: (value & 0xff) / 255 };
}
