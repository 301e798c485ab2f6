import { type PDFContext, PDFDict, type PDFObject, PDFRawStream } from 'pdf-lib';
import { ContentLexer, numberAt } from '../content/index.js';
import { asDict, asName, asNumber, elements, entry, resolve } from '../file/objects/index.js';
import { decodedContent } from '../structure/pages/index.js';
import type { Judgement } from './judgement.js';

/**
 * Kinds that remark on a page without being part of what it shows. All others can put something over what was
 * certified, or do something.
 */
const REMARKS: ReadonlySet<string> = new Set([
  'Text',
  'Popup',
  'Highlight',
  'Underline',
  'Squiggly',
  'StrikeOut',
  'Caret',
  'Line',
  'Ink',
  'Square',
  'Circle',
  'Polygon',
  'PolyLine',
  'FileAttachment',
  'Sound',
]);
/** Operators that show text, pictures, shadings and other content (ISO 32000-2, table A.1). */
const SHOWING: ReadonlySet<string> = new Set(['Tj', 'TJ', "'", '"', 'Do', 'sh', 'BI']);
const FILLING: ReadonlySet<string> = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*']);
/** Largest icon, and widest line, in points. */
const ICON = 40;
const STROKE = 12;
const MAX_APPEARANCES = 100;

/**
 * Judges an annotation that was added or changed. Only a certification of level 3 allows any, and of these only remarks
 * that cannot hide or show content by themselves: what is drawn over a certified page must not be taken for it (evil
 * annotation attack).
 */
export function judgeAnnotation(judgement: Judgement, value: PDFObject | undefined, what: string): boolean {
  const { now } = judgement.pair;
  const { level } = judgement.rules;
  const subtype = value instanceof PDFDict ? (asName(now.context, entry(value, 'Subtype')) ?? '') : '';
  if (level !== 3 || !(value instanceof PDFDict)) {
    judgement.refuse(
      `${what}${subtype === '' ? '' : ` (${subtype})`}` +
        `${level === undefined ? '' : ', which the certification does not allow'}`,
    );
    return false;
  }
  const covers = !REMARKS.has(subtype)
    ? 'of a kind that can hide or replace content'
    : mayHide(now.context, value)
      ? 'with an appearance that can hide or replace content'
      : undefined;
  if (covers === undefined) judgement.allow(`${what} (${subtype})`);
  else judgement.refuse(`${what} (${subtype}), ${covers}`);
  return covers === undefined;
}

function mayHide(context: PDFContext, annotation: PDFDict): boolean {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = elements(context, entry(annotation, 'Rect')).map(
    (value) => asNumber(context, value) ?? 0,
  );
  const isIcon = Math.abs(x1 - x0) <= ICON && Math.abs(y1 - y0) <= ICON;
  const kind = asName(context, entry(annotation, 'Subtype')) ?? '';
  // Drawn by the viewer: an opaque inside hides what is below.
  if (
    ['Square', 'Circle', 'Polygon', 'Line'].includes(kind) &&
    elements(context, entry(annotation, 'IC')).length > 0 &&
    !isIcon &&
    asNumber(context, entry(annotation, 'CA')) === undefined
  )
    return true;
  const appearances = streamsIn(context, entry(annotation, 'AP'), 0);
  return appearances.length > MAX_APPEARANCES || appearances.some((stream) => paintsOver(context, stream, isIcon));
}

function streamsIn(context: PDFContext, value: PDFObject | undefined, depth: number): PDFRawStream[] {
  const object = resolve(context, value);
  if (object instanceof PDFRawStream) return [object];
  return object instanceof PDFDict && depth < 3
    ? object.values().flatMap((each) => streamsIn(context, each, depth + 1))
    : [];
}

function paintsOver(context: PDFContext, stream: PDFRawStream, isIcon: boolean): boolean {
  const content = decodedContent(context, stream);
  if (content === undefined) return true;
  const opaque = !isIcon && !letsThrough(context, stream.dict);
  for (const { name, operands } of new ContentLexer(content)) {
    if (
      SHOWING.has(name) ||
      (opaque && FILLING.has(name)) ||
      (name === 'w' && !isIcon && numberAt(operands, 0) > STROKE)
    )
      return true;
  }
  return false;
}

/** Every graphics state of the resources multiplies, darkens or is half transparent, and there is one. */
function letsThrough(context: PDFContext, form: PDFDict): boolean {
  const resources = asDict(context, entry(form, 'Resources'));
  const states = resources === undefined ? undefined : asDict(context, entry(resources, 'ExtGState'));
  const all = states === undefined ? [] : states.values().flatMap((value) => asDict(context, value) ?? []);
  return (
    all.length > 0 &&
    all.every(
      (state) =>
        ['Multiply', 'Darken'].includes(asName(context, entry(state, 'BM')) ?? '') ||
        (asNumber(context, entry(state, 'ca')) ?? 1) <= 0.6,
    )
  );
}
