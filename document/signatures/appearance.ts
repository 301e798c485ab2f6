import { type PDFContext, type PDFDocument, PDFName, PDFNumber, type PDFObject, type PDFRef } from 'pdf-lib';
import { type Area, boundsAfter, decimal, formOf, type Matrix, pageFrame } from '../content/drawing/index.js';
import { ASCENT, alphabetOfText, DESCENT, drawableText, LINE_HEIGHT, shapeLine, TextFont } from '../fonts/index.js';
import { type FieldFont, measureText } from '../forms/index.js';
import { arrayOf, asDict, dictOf, setEntry } from '../file/objects/index.js';
import type { PageEntry } from '../structure/pages/index.js';
import { readClaims } from '../structure/metadata/index.js';
import { sealOperators } from './appearance-seal.js';

/** Content of a visible signature. */
export interface SignatureLook {
  /**
   * One paragraph each. Of `field`, the form field it came from, characters that no font has are refused; of others a
   * question mark replaces them.
   */
  readonly texts: readonly { readonly text: string; readonly field?: string }[];
  /** A seal behind the text. */
  readonly logo: boolean;
  /** Its lower left corner, in points of the page's frame (`pageFrame`); by default that of the page as shown. */
  readonly place?: { readonly left: number; readonly bottom: number };
}

/** A visible signature ready for `addSignature`. */
export interface SeenSignature {
  readonly page: PageEntry;
  /** In default user space. */
  readonly rect: readonly [number, number, number, number];
  readonly appearance: PDFRef;
}

/** Size in points as the page is seen (`docs/interface/security.yml`, cert-sign). */
const BOX = { width: 200, height: 50 } as const;
const MARGIN = 3;
const SIZES = { largest: 10, smallest: 3, step: 0.5 } as const;
/** Longer text never fits and is cut, so it need not be measured. */
const MAX_LETTERS = 600;

/**
 * Draws a visible signature for its place on a page as shown: upright on a rotated page, moved into the crop box,
 * smaller if the page has no space. Text may use any script; it wraps and shrinks to fit. Throws INPUT_INVALID for
 * characters that no built-in font has.
 */
export async function seenSignature(
  document: PDFDocument,
  page: PageEntry,
  { texts, logo, place: wanted = { left: 0, bottom: 0 } }: SignatureLook,
): Promise<SeenSignature> {
  const { context } = document;
  const { shown, matrix } = pageFrame(context, page);
  const scale = Math.min(1, shown.width / BOX.width, shown.height / BOX.height);
  const [width, height] = [BOX.width * scale, BOX.height * scale];
  const left = within(wanted.left, shown.left, shown.left + shown.width - width);
  const bottom = within(wanted.bottom, shown.bottom, shown.bottom + shown.height - height);
  const place = boundsAfter({ left, bottom, width, height }, matrix);
  const font = new TextFont(document);
  const content = await textOperators(font, texts);
  const claim = readClaims(context).get('PDF/A');
  font.embed({ cidSet: claim?.startsWith('1') === true });
  const area: Area = { left: 0, bottom: 0, ...BOX };
  // PDF/A lets no transparency (ISO 19005-1, 6.4) and no colours of unknown devices (6.2.3) in: there, the seal is a
  // lighter grey of a known kind.
  const claimed = claim !== undefined;
  const [grey, colours] = claimed
    ? ([(level: number) => `/Grey cs ${level} sc`, { ColorSpace: { Grey: calibratedGrey(context) } }] as const)
    : ([(level: number) => `${level} g`, {}] as const);
  const drawn: string[] = [];
  const objects: Record<string, PDFRef> = {};
  if (logo) {
    const seal = formOf(context, {
      content: sealOperators(grey(claimed ? 0.8 : 0.6)),
      area,
      resources: colours,
      ...(claimed ? {} : { opacity: 0.5 }),
    });
    objects.Seal = seal;
    drawn.push('/Seal Do');
  }
  drawn.push(grey(0), content);
  const appearance = formOf(context, {
    content: drawn.join('\n'),
    area,
    resources: { Font: { F: font.ref }, XObject: objects, ...colours },
  });
  turn(context, appearance, matrix);
  return { page, rect: [place.left, place.bottom, place.left + place.width, place.bottom + place.height], appearance };
}

function within(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

/** Viewers fit the turned box into the rectangle (ISO 32000-2, 12.5.5); how large and where it is does not count. */
function turn(context: PDFContext, form: PDFRef, [a, b, c, d]: Matrix): void {
  const stream = asDict(context, form);
  if (stream !== undefined && (a !== 1 || b !== 0 || c !== 0 || d !== 1))
    setEntry(
      stream,
      'Matrix',
      arrayOf(
        context,
        [a, b, c, d, 0, 0].map((value) => PDFNumber.of(value)),
      ),
    );
}

/**
 * A form that paints nothing, for widgets that nobody sees: PDF/A-1 asks every field to say how it looks (ISO 19005-1,
 * 6.9).
 */
export function emptyAppearance(context: PDFContext): PDFRef | undefined {
  return readClaims(context).get('PDF/A')?.startsWith('1') === true
    ? formOf(context, { content: '', area: { left: 0, bottom: 0, width: 0, height: 0 }, resources: {} })
    : undefined;
}

function calibratedGrey(context: PDFContext): PDFRef {
  const dict = dictOf(context, {
    WhitePoint: arrayOf(
      context,
      [0.9505, 1, 1.089].map((value) => PDFNumber.of(value)),
    ),
    Gamma: PDFNumber.of(2.2),
  });
  return context.register(arrayOf(context, [PDFName.of('CalGray'), dict] satisfies PDFObject[]));
}

/** Largest size at which all lines fit; at the smallest, the rest is cut. */
async function textOperators(font: TextFont, texts: SignatureLook['texts']): Promise<string> {
  const paragraphs = await Promise.all(
    texts.map(async ({ text, field }) => {
      const [whole, tidy] = [
        [...text.replace(/\s+/gu, ' ').trim()],
        (characters: readonly string[]) => characters.slice(0, MAX_LETTERS).join(''),
      ];
      const shown = field === undefined ? await drawableText(tidy(whole), alphabetOfText(text)) : tidy(whole);
      return { field, measured: await measureText(shown, fieldFont(font, shown, field)) };
    }),
  );
  const [width, height] = [BOX.width - 2 * MARGIN, BOX.height - 2 * MARGIN];
  const linesAt = (size: number): { text: string; field: string | undefined }[] =>
    paragraphs.flatMap(({ measured, field }) => measured.lines((width * 1000) / size).map((text) => ({ text, field })));
  let size: number = SIZES.largest;
  while (size > SIZES.smallest && linesAt(size).length * LINE_HEIGHT * size > height * 1000) size -= SIZES.step;
  const lines = linesAt(size).slice(0, Math.max(1, Math.floor((height * 1000) / (LINE_HEIGHT * size))));
  const leading = (LINE_HEIGHT * size) / 1000;
  const top = BOX.height / 2 + (lines.length * leading) / 2 - (ASCENT * size) / 1000;
  const shown = await Promise.all(
    lines.map(
      async ({ text, field }, i) =>
        `1 0 0 1 ${MARGIN} ${decimal(top - i * leading)} ` +
        `Tm\n${font.show(await shapeLine(text, alphabetOfText(text), field), size)}`,
    ),
  );
  return `BT\n/F ${decimal(size)} Tf\n${shown.join('\n')}\nET`;
}

function fieldFont(font: TextFont, whole: string, field: string | undefined): FieldFont {
  const alphabet = alphabetOfText(whole);
  return {
    ascent: ASCENT,
    descent: DESCENT,
    font: font.ref,
    line: async (text) => {
      const line = await shapeLine(text, alphabet, field);
      return { width: line.width, show: (size) => font.show(line, size) };
    },
  };
}
