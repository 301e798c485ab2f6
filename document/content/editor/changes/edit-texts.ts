import type { PDFDict, PDFObject } from 'pdf-lib';
import {
  applyTo,
  type ContentColour,
  type ContentFont,
  fontOperator,
  type Insertion,
  inverse,
  type Matrix,
  multiply,
  numberText,
  operatorText,
  type PaintedText,
  rewriteShow,
  type RunChange,
  ContentName,
} from '../../index.js';
import type { TextFont } from '../../../fonts/index.js';
import { colourOperator, sameColour } from '../colour-operators.js';
import { inOurFont, inOwnFont, widthOfCodes } from './insert-text.js';
import { near, nearMatrix } from '../match-elements.js';
import type { TextElement } from '../model.js';
import type { PageSpace } from '../page-space.js';
import type { ReadText } from '../reading/read-texts.js';

/** A font that text can be set in. */
export interface EditFont {
  readonly font: ContentFont;
  readonly dict: PDFDict;
  readonly value: PDFObject;
}

/** The fonts that edits may use. */
export interface EditFonts {
  /** A font of the document by its name in the JSON, as it is entered in resources; undefined when there is none. */
  font(id: string | undefined, pageNumber: number | undefined): Promise<EditFont | undefined>;
  /** The font of ours, for what other fonts cannot show. */
  readonly fallback: TextFont;
}

const NOTHING: RunChange = { removed: new Map(), before: new Map(), after: new Map() };

/** True when nothing that is painted differs. */
export function isSameText(read: TextElement, now: TextElement): boolean {
  return (now.text === undefined || now.text === read.text) && isSameLook(read, now) && isSameCodes(read, now);
}

function isSameCodes(read: TextElement, now: TextElement): boolean {
  return (
    now.charCodes === undefined ||
    now.text !== read.text ||
    (now.charCodes.length === read.charCodes?.length && now.charCodes.every((code, i) => code === read.charCodes![i]))
  );
}

/** True when place, font and colours are those of before. */
function isSameLook(read: TextElement, now: TextElement): boolean {
  const numbers = [
    'fontSize',
    'fontMatrixSize',
    'characterSpacing',
    'wordSpacing',
    'horizontalScaling',
    'rise',
    'x',
    'y',
    'renderingMode',
  ] as const;
  return (
    (now.fontId === undefined || now.fontId === read.fontId) &&
    numbers.every((key) => near(read[key], now[key])) &&
    near(read.fontSizeInPt, now.fontSizeInPt, 0.011) &&
    nearMatrix(read.textMatrix, now.textMatrix) &&
    sameColour(read.fillColor, now.fillColor) &&
    sameColour(read.strokeColor, now.strokeColor)
  );
}

/** Removes a run; following text stays in place. */
export function removeText({ run }: ReadText): void {
  const removed = new Map(run.glyphs.map((_glyph, i) => [i, 'hold' as const]));
  run.frame.replace(run.operator, rewriteShow(run, { ...NOTHING, removed }).content);
}

/**
 * Rewrites a run as an element says, at its position in the painting order; all following content stays in place. False
 * if the element is outside the area that the run's content may paint on, so that it must be painted elsewhere.
 */
export async function changeText(
  { run, pieces, element }: ReadText,
  now: TextElement,
  space: PageSpace,
  fonts: EditFonts,
): Promise<boolean> {
  if (isSameLook(element, now)) {
    const { content, moved } = rewriteShow(run, await textChange(run, pieces, now, element, fonts));
    run.frame.replace(run.operator, [content, penBack(run, moved)].filter((part) => part !== '').join('\n'));
    return true;
  }
  const place = multiply(placeOf(element, now), space.user);
  const back = inverse(run.state.ctm);
  const [x, y] = [place[4], place[5]];
  const [left, bottom, right, top] = run.state.clip;
  if (back === undefined || x < left - 1 || x > right + 1 || y < bottom - 1 || y > top + 1) return false;
  run.frame.replace(run.operator, await redrawn(run, pieces, element, now, multiply(place, back), fonts));
  return true;
}

/** Where an element lies: its matrix, moved where only its origin was. */
function placeOf(read: TextElement, now: TextElement): Matrix {
  const old = read.textMatrix as Matrix;
  const matrix = (now.textMatrix ?? old) as Matrix;
  if (!nearMatrix(old, now.textMatrix)) return matrix;
  const [dx, dy] = [near(read.x, now.x) ? 0 : now.x! - read.x!, near(read.y, now.y) ? 0 : now.y! - read.y!];
  return [matrix[0], matrix[1], matrix[2], matrix[3], matrix[4] + dx, matrix[5] + dy];
}

function sizeOf(read: TextElement, now: TextElement, size: number): number {
  if (!near(read.fontSize, now.fontSize)) return now.fontSize!;
  if (!near(read.fontMatrixSize, now.fontMatrixSize) && read.fontMatrixSize! > 0)
    return (size * now.fontMatrixSize!) / read.fontMatrixSize!;
  if (!near(read.fontSizeInPt, now.fontSizeInPt, 0.011) && read.fontSizeInPt! > 0)
    return (size * now.fontSizeInPt!) / read.fontSizeInPt!;
  return size;
}

async function redrawn(
  run: PaintedText,
  pieces: ReadText['pieces'],
  read: TextElement,
  now: TextElement,
  place: Matrix,
  fonts: EditFonts,
): Promise<string> {
  const { operator, state } = run;
  const { text } = state;
  const first: string[] = [];
  if (operator.name === '"')
    first.push(
      operatorText('Tw', ...operator.operands.slice(0, 1)),
      operatorText('Tc', ...operator.operands.slice(1, 2)),
    );
  if (operator.name === "'" || operator.name === '"') first.push('T*');
  const set: string[] = [];
  const reset: string[] = [];
  const other =
    now.fontId === undefined || now.fontId === read.fontId ? undefined : await fonts.font(now.fontId, undefined);
  const size = sizeOf(read, now, text.size);
  const charSpacing = near(read.characterSpacing, now.characterSpacing) ? text.charSpacing : now.characterSpacing!;
  const wordSpacing = near(read.wordSpacing, now.wordSpacing) ? text.wordSpacing : now.wordSpacing!;
  const scale = near(read.horizontalScaling, now.horizontalScaling) ? text.scale : now.horizontalScaling! / 100;
  const rise = near(read.rise, now.rise) ? text.rise : now.rise!;
  const mode = near(read.renderingMode, now.renderingMode) ? text.mode : Math.min(7, Math.max(0, now.renderingMode!));
  for (const [name, was, is] of [
    ['Tc', text.charSpacing, charSpacing],
    ['Tw', text.wordSpacing, wordSpacing],
    ['Tz', text.scale * 100, scale * 100],
    ['Ts', text.rise, rise],
    ['Tr', text.mode, mode],
  ] as const) {
    if (was === is) continue;
    set.push(operatorText(name, is));
    reset.push(operatorText(name, was));
  }
  const fontName =
    other === undefined
      ? (text.fontName ?? (text.font === undefined ? undefined : run.frame.resourceName('Font', text.font, 'Own')))
      : run.frame.resourceName('Font', other.value, 'Font');
  if (fontName !== undefined && (size !== text.size || other !== undefined)) {
    set.push(operatorText('Tf', new ContentName(fontName), size));
    const own = fontOperator(run);
    if (own !== '') reset.push(own);
  }
  const changed: PaintedText = {
    ...run,
    font: other?.font ?? run.font,
    operator: {
      ...operator,
      name: operator.name === 'TJ' ? 'TJ' : 'Tj',
      operands: operator.name === '"' ? operator.operands.slice(2) : operator.operands.slice(0, 1),
    },
    state: {
      ...state,
      text: {
        ...text,
        size,
        charSpacing,
        wordSpacing,
        scale,
        rise,
        mode,
        fontName,
        ...(other === undefined ? {} : { font: other.dict }),
      },
    },
  };
  for (const stroke of [false, true]) {
    const [was, is] = stroke ? [read.strokeColor, now.strokeColor] : [read.fillColor, now.fillColor];
    if (is === undefined || sameColour(was, is)) continue;
    const operators = colourOperator(is, stroke);
    if (operators === undefined) continue;
    set.push(operators);
    reset.push(colourAgain(stroke ? state.stroke : state.fill, stroke));
  }
  const change =
    other === undefined
      ? await textChange(changed, pieces, now, read, fonts)
      : await wholeChange(changed, now.text ?? read.text ?? '', fonts);
  const { content } = rewriteShow(changed, change);
  return [
    ...first,
    ...set,
    `${place.map(numberText).join(' ')} Tm`,
    content,
    ...reset,
    `${run.line.map(numberText).join(' ')} Tm`,
    penBack(run, -penOf(run)),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** How far the pen stands from the beginning of its line when the run is over, in text space. */
function penOf({ matrix, line, state, moved, font }: PaintedText): number {
  const toLine = inverse(multiply(line, state.ctm));
  const [x, y] = toLine === undefined ? [0, 0] : applyTo(toLine, matrix[4], matrix[5]);
  return (font.vertical ? y : x) + moved;
}

/** Moves the pen back by so much text space, where the run's size lets it. */
function penBack(
  {
    state: {
      text: { size, scale },
    },
    font,
  }: PaintedText,
  distance: number,
): string {
  const unit = (size / 1000) * (font.vertical ? 1 : scale);
  if (unit === 0 || Math.abs(distance) < 1e-6) return '';
  return `[${numberText(distance / unit)}] TJ`;
}

function colourAgain({ space, values, pattern }: ContentColour, stroke: boolean): string {
  const upper = (name: string): string => (stroke ? name.toUpperCase() : name);
  const device = { DeviceGray: 'g', DeviceRGB: 'rg', DeviceCMYK: 'k' }[space];
  if (device !== undefined && values.length > 0) return operatorText(upper(device), ...values);
  const set = operatorText(upper('cs'), new ContentName(space));
  return values.length === 0 && pattern === undefined
    ? set
    : `${set} ${operatorText(upper('scn'), ...values, ...(pattern === undefined ? [] : [new ContentName(pattern)]))}`;
}

/** The glyphs that go and what comes instead; the ends that read the same stay as they are painted. */
async function textChange(
  run: PaintedText,
  pieces: ReadText['pieces'],
  now: TextElement,
  read: TextElement,
  fonts: EditFonts,
): Promise<RunChange> {
  const text = (now.text ?? read.text ?? '').replaceAll(/[\r\n]+/g, ' ');
  if (text === read.text) return isSameCodes(read, now) ? NOTHING : codesChange(run, now);
  let front = 0;
  let at = 0;
  while (front < pieces.length && text.startsWith(pieces[front]!.text, at)) at += pieces[front++]!.text.length;
  let back = 0;
  let end = text.length;
  while (
    back < pieces.length - front &&
    end - pieces[pieces.length - 1 - back]!.text.length >= at &&
    text.slice(0, end).endsWith(pieces[pieces.length - 1 - back]!.text)
  )
    end -= pieces[pieces.length - 1 - back++]!.text.length;
  const isGap = (index: number): boolean => pieces[index] !== undefined && pieces[index].glyph === undefined;
  // A gap goes with the glyphs beside it.
  while (front > 0 && front < pieces.length - back && (isGap(front) || isGap(front - 1)))
    at -= pieces[--front]!.text.length;
  while (back > 0 && pieces.length - back > front && (isGap(pieces.length - back - 1) || isGap(pieces.length - back)))
    end += pieces[pieces.length - back--]!.text.length;
  let put = text.slice(at, end);
  if (put !== '' && inOwnFont(put, run) === undefined) {
    // Letters of two fonts within one word would look odd.
    while (front > 0 && /\S/.test(pieces[front - 1]!.text)) at -= pieces[--front]!.text.length;
    while (back > 0 && /\S/.test(pieces[pieces.length - back]!.text))
      end += pieces[pieces.length - back--]!.text.length;
    put = text.slice(at, end);
  }
  const removed = new Map(
    pieces
      .slice(front, pieces.length - back)
      .flatMap(({ glyph }) => (glyph === undefined ? [] : [[glyph, 'close' as const]])),
  );
  if (put === '') return { ...NOTHING, removed };
  const insertion = await insertionOf(put, run, fonts);
  const next = pieces.slice(front).find(({ glyph }) => glyph !== undefined)?.glyph;
  const last = pieces.slice(0, front).findLast(({ glyph }) => glyph !== undefined)?.glyph;
  if (removed.size === 0 && last !== undefined) return { ...NOTHING, after: new Map([[last, [insertion]]]) };
  if (next !== undefined) return { removed, before: new Map([[next, [insertion]]]), after: new Map() };
  return { removed, before: new Map(), after: new Map([[last ?? 0, [insertion]]]) };
}

async function wholeChange(run: PaintedText, text: string, fonts: EditFonts): Promise<RunChange> {
  const removed = new Map(run.glyphs.map((_glyph, i) => [i, 'close' as const]));
  return {
    removed,
    before: text === '' ? new Map() : new Map([[0, [await insertionOf(text.replaceAll(/[\r\n]+/g, ' '), run, fonts)]]]),
    after: new Map(),
  };
}

/** Codes that replace the run's own, if its font splits them as they are given. */
function codesChange(run: PaintedText, { charCodes = [] }: TextElement): RunChange {
  const codes = codesToBytes(run.font, charCodes);
  if (codes === undefined) return NOTHING;
  const removed = new Map(run.glyphs.map((_glyph, i) => [i, 'close' as const]));
  return { removed, before: new Map([[0, [{ codes: [codes], width: widthOfCodes(codes, run) }]]]), after: new Map() };
}

/** The string of these codes: all of one byte or all of two, whichever the font reads so. */
export function codesToBytes(font: ContentFont, codes: readonly number[]): Uint8Array | undefined {
  for (const length of [1, 2]) {
    if (codes.some((code) => code < 0 || code >= 256 ** length)) continue;
    const bytes = Uint8Array.from(codes.flatMap((code) => (length === 1 ? [code] : [code >> 8, code & 0xff])));
    const decoded = font.decode(bytes);
    if (
      decoded.length === codes.length &&
      decoded.every((glyph, i) => glyph.code === codes[i] && glyph.length === length)
    )
      return bytes;
  }
  return undefined;
}

async function insertionOf(text: string, run: PaintedText, fonts: EditFonts): Promise<Insertion> {
  return inOwnFont(text, run) ?? inOurFont(text, run, fonts.fallback, 'text', true);
}
