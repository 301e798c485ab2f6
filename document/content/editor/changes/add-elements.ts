import type { PDFContext, PDFObject } from 'pdf-lib';
import { ContentName, type Matrix, multiply, numberText, operandText, operatorText } from '../../index.js';
import { alphabetOfText, drawableText, shapeLine } from '../../../fonts/index.js';
import { embedPicture, placePicture, readPicture } from '../../../images/index.js';
import { DocumentError } from '../../../errors.js';
import { colourOperator } from '../colour-operators.js';
import { codesToBytes, type EditFonts } from './edit-texts.js';
import type { ImageElement, TextElement } from '../model.js';
import type { PageSpace } from '../page-space.js';

/** Size of text that has none. */
const DEFAULT_SIZE = 12;
/** From line to line, as part of the size. */
const LEADING = 1.2;

/** Enters a resource and gives its name. */
export type EnterResource = (kind: 'Font' | 'XObject', value: PDFObject, stem: string) => string;

/** Operators that draw a text which the page does not have, in its default user space. Empty for nothing to be seen. */
export async function drawText(
  now: TextElement,
  pageNumber: number | undefined,
  space: PageSpace,
  fonts: EditFonts,
  enter: EnterResource,
): Promise<string> {
  const lines = (now.text ?? '').split(/\r\n|\r|\n/);
  if ((now.text ?? '') === '' && (now.charCodes ?? []).length === 0) return '';
  const placed = now.textMatrix as Matrix | undefined;
  const size =
    (placed === undefined ? (now.fontMatrixSize ?? now.fontSize) : (now.fontSize ?? now.fontMatrixSize)) ??
    now.fontSizeInPt ??
    DEFAULT_SIZE;
  const matrix = multiply(placed ?? [1, 0, 0, 1, now.x ?? 0, now.y ?? 0], space.user);
  const leading = now.leading !== undefined && now.leading !== 0 ? now.leading : size * LEADING;
  const fill = now.fillColor === undefined ? undefined : colourOperator(now.fillColor, false);
  const stroke = now.strokeColor === undefined ? undefined : colourOperator(now.strokeColor, true);
  const parts = ['BT', ...(fill === undefined ? [] : [fill]), ...(stroke === undefined ? [] : [stroke])];
  const states = [
    ['Tc', now.characterSpacing, 0],
    ['Tw', now.wordSpacing, 0],
    ['Tz', now.horizontalScaling, 100],
    ['Ts', now.rise, 0],
    ['Tr', now.renderingMode === undefined ? undefined : Math.min(7, Math.max(0, now.renderingMode)), 0],
  ] as const;
  for (const [name, value, initial] of states)
    if (value !== undefined && value !== initial) parts.push(operatorText(name, value));
  parts.push(operatorText('TL', leading), `${matrix.map(numberText).join(' ')} Tm`);
  const font = await fonts.font(now.fontId, pageNumber);
  for (const [i, line] of lines.entries()) {
    if (i > 0) parts.push('T*');
    const codes = font === undefined ? undefined : codesOf(now, line, font.font, lines.length === 1);
    if (codes !== undefined && font !== undefined)
      parts.push(
        operatorText('Tf', new ContentName(enter('Font', font.value, 'Font')), size),
        `${operandText(codes)} Tj`,
      );
    else if (line !== '')
      parts.push(
        operatorText('Tf', new ContentName(enter('Font', fonts.fallback.ref, 'Quire')), size),
        await inFallback(line, size, fonts, now.rise ?? 0),
      );
  }
  return ['q', ...parts, 'ET', 'Q'].join('\n');
}

function codesOf(
  now: TextElement,
  line: string,
  font: Parameters<typeof codesToBytes>[0],
  whole: boolean,
): Uint8Array | undefined {
  const given =
    whole && now.charCodes !== undefined && now.charCodes.length > 0 ? codesToBytes(font, now.charCodes) : undefined;
  const read =
    given === undefined
      ? undefined
      : font
          .decode(given)
          .map(({ text }) => text)
          .join('');
  // Gaps that a font has no space for are reported as spaces.
  if (given !== undefined && read === line) return given;
  return line === ''
    ? undefined
    : (font.encode(line) ?? (read?.replaceAll(' ', '') === line.replaceAll(' ', '') ? given : undefined));
}

async function inFallback(line: string, size: number, fonts: EditFonts, rise: number): Promise<string> {
  const alphabet = alphabetOfText(line);
  const { own } = fonts.fallback;
  const drawable = await drawableText(line, alphabet, own);
  const shown = fonts.fallback.show(await shapeLine(drawable, alphabet, 'text', own), size);
  return shown.includes(' Ts') && rise !== 0 ? `${shown}\n${numberText(rise)} Ts` : shown;
}

/** Embeds a picture that the JSON holds. Errors: IMAGE_UNREADABLE, IMAGE_TOO_LARGE. */
export async function embedImage(
  context: PDFContext,
  imageData: string,
  pointer: string,
): Promise<{ readonly value: PDFObject; readonly upright: string }> {
  const bytes = Buffer.from(imageData, 'base64');
  const kind = kindOfPicture(bytes);
  if (kind === undefined)
    throw new DocumentError('IMAGE_UNREADABLE', { field: pointer, detail: 'it is neither PNG, JPEG, GIF nor WebP' }, [
      { pointer, detail: 'is not a PNG, JPEG, GIF or WebP image' },
    ]);
  const picture = await readPicture(bytes, kind, { field: pointer, maxPixels: 120_000_000 });
  return { value: embedPicture(context, picture), upright: placePicture(picture, { x: 0, y: 0, width: 1, height: 1 }) };
}

function kindOfPicture(bytes: Buffer): 'png' | 'jpeg' | 'gif' | 'webp' | undefined {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\u0089PNG')) return 'png';
  if (head.startsWith('\u00ff\u00d8\u00ff')) return 'jpeg';
  if (head.startsWith('GIF8')) return 'gif';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'webp' : undefined;
}

/** Where an image lies, in the editor's coordinates; undefined where nothing says. */
export function placeOfImage({
  transform,
  x,
  y,
  width,
  height,
  left,
  bottom,
  right,
  top,
}: ImageElement): Matrix | undefined {
  if (transform !== undefined) return transform as unknown as Matrix;
  const [across, up] = [
    width ?? (left !== undefined && right !== undefined ? right - left : undefined),
    height ?? (bottom !== undefined && top !== undefined ? top - bottom : undefined),
  ];
  return across === undefined || up === undefined ? undefined : [across, 0, 0, up, x ?? left ?? 0, y ?? bottom ?? 0];
}

/** Operators that draw an XObject in the unit square of a matrix. */
export function drawXObject(name: string, matrix: Matrix, upright = ''): string {
  return (
    `q\n${matrix.map(numberText).join(' ')} cm\n${upright === '' ? '' : `${upright}\n`}` +
    `${operandText(new ContentName(name))} Do\nQ`
  );
}
