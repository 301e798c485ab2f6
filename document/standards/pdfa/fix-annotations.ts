import { type PDFContext, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRawStream } from 'pdf-lib';
import { annotationFlags } from '../../content/drawing/index.js';
import { FieldFonts, refreshAppearance } from '../../forms/index.js';
import { asDict, asName, asNumber, dictOf, elements, entry, resolve, setEntry } from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { acroFormOf, allFieldNodes, readFields } from '../../forms/fields/index.js';
import { type Annotation, dropAnnotations, readAnnotations } from '../../structure/annotations/index.js';

/** Annotation types that the parts of PDF/A allow (ISO 19005-1, 6.5.2; -2 and -3, 6.3.1). */
const PDFA1_TYPES: ReadonlySet<string> = new Set([
  'Text',
  'Link',
  'FreeText',
  'Line',
  'Square',
  'Circle',
  'Highlight',
  'Underline',
  'Squiggly',
  'StrikeOut',
  'Stamp',
  'Ink',
  'Popup',
  'Widget',
  'PrinterMark',
  'TrapNet',
]);
const PDFA2_TYPES: ReadonlySet<string> = new Set([
  ...PDFA1_TYPES,
  'Polygon',
  'PolyLine',
  'Caret',
  'FileAttachment',
  'Watermark',
  'Redact',
]);
/** Annotations that need no appearance (ISO 19005-2, 6.3.3). */
const WITHOUT_APPEARANCE: ReadonlySet<string> = new Set(['Popup', 'Link']);

/**
 * Fixes a document's annotations for PDF/A, in place: unknown types and annotations without a defined appearance are
 * removed; fields without an appearance get one; hidden annotations stay invisible through an empty appearance; the
 * rest is printed and keeps only its normal appearance (ISO 19005-1, 6.5; -2, 6.3). Returns how many were removed.
 */
export async function fixAnnotations(
  { document, pages }: OpenedPdf,
  part: number,
  signal?: AbortSignal,
): Promise<number> {
  const { context } = document;
  await drawFields(document, signal);
  let dropped = 0;
  for (const page of pages) {
    signal?.throwIfAborted();
    for (const annotation of readAnnotations(context, page.dict)) hideWell(context, annotation);
    dropped += dropAnnotations(
      context,
      page.dict,
      (annotation) => !(part === 1 ? PDFA1_TYPES : PDFA2_TYPES).has(annotation.kind) || !isShown(context, annotation),
    );
    for (const annotation of readAnnotations(context, page.dict)) fixAnnotation(context, annotation, part);
  }
  return dropped;
}

/** Readers draw fields without an appearance differently, which PDF/A forbids (ISO 19005-2, 6.4.1). */
async function drawFields(document: OpenedPdf['document'], signal?: AbortSignal): Promise<void> {
  const { context } = document;
  const form = acroFormOf(context);
  if (form === undefined) return;
  const needed = resolve(context, entry(form, 'NeedAppearances'))?.toString() === 'true';
  const fonts = new FieldFonts(document, 'replace');
  for (const node of allFieldNodes(readFields(context))) {
    signal?.throwIfAborted();
    if (asName(context, entry(node.dict, 'Subtype')) !== 'Widget' || (!needed && hasNormal(context, node.dict)))
      continue;
    await refreshAppearance(context, node, fonts);
  }
  fonts.embed();
  setEntry(form, 'NeedAppearances', undefined);
}

function hasNormal(context: PDFContext, annotation: PDFDict): boolean {
  const appearances = asDict(context, entry(annotation, 'AP'));
  return appearances !== undefined && asDict(context, entry(appearances, 'N')) !== undefined;
}

function isEmpty(context: PDFContext, annotation: PDFDict): boolean {
  const [left, bottom, right, top] = elements(context, entry(annotation, 'Rect')).map((value) =>
    asNumber(context, value),
  );
  return left === right && bottom === top;
}

function isShown(context: PDFContext, { dict, kind }: Annotation): boolean {
  return WITHOUT_APPEARANCE.has(kind) || isEmpty(context, dict) || hasNormal(context, dict);
}

/** PDF/A does not allow hidden annotations: an empty appearance keeps them invisible. */
function hideWell(context: PDFContext, { dict, kind }: Annotation): void {
  const flags = asNumber(context, entry(dict, 'F')) ?? 0;
  if ((flags & annotationFlags.hidden) === 0 || kind === 'Popup') return;
  const [left = 0, bottom = 0, right = 0, top = 0] = elements(context, entry(dict, 'Rect')).map(
    (value) => asNumber(context, value) ?? 0,
  );
  const nothing = context.register(
    context.stream('', {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, Math.abs(right - left), Math.abs(top - bottom)],
      Resources: {},
    }),
  );
  const states = asDict(context, entry(asDict(context, entry(dict, 'AP')) ?? dict, 'N'));
  const isButton =
    states !== undefined &&
    !(resolve(context, entry(asDict(context, entry(dict, 'AP')) ?? dict, 'N')) instanceof PDFRawStream);
  const normal = isButton
    ? dictOf(context, Object.fromEntries(states.keys().map((key) => [key.decodeText(), nothing])))
    : nothing;
  setEntry(dict, 'AP', dictOf(context, { N: normal }));
}

function fixAnnotation(context: PDFContext, { dict, kind }: Annotation, part: number): void {
  const { invisible, hidden, print, noView, noZoom, noRotate } = annotationFlags;
  const before = asNumber(context, entry(dict, 'F')) ?? 0;
  // PDF/A-2 forbids Toggle NoView (256), among others (6.3.2); notes keep their size and stay upright (ISO 19005-1,
  // 6.5.3).
  const flags = (before & ~(invisible | hidden | noView | 256)) | print | (kind === 'Text' ? noZoom | noRotate : 0);
  if (kind !== 'Popup' || part === 1) setEntry(dict, 'F', PDFNumber.of(flags));
  setEntry(dict, 'AA', undefined);
  if (kind === 'Widget') setEntry(dict, 'A', undefined);
  if (part === 1 && asNumber(context, entry(dict, 'CA')) !== 1) setEntry(dict, 'CA', undefined);
  const appearances = asDict(context, entry(dict, 'AP'));
  if (appearances === undefined) return;
  const normal = entry(appearances, 'N');
  if (normal === undefined) return setEntry(dict, 'AP', undefined);
  const isButton = kind === 'Widget' && fieldKind(context, dict) === 'Btn';
  const states = resolve(context, normal);
  setEntry(
    dict,
    'AP',
    dictOf(context, {
      N:
        (states instanceof PDFDict
          ? isButton
            ? normal
            : shownState(context, dict, states)
          : isButton
            ? onlyState(context, dict, normal)
            : normal) ?? normal,
    }),
  );
}

/** Only buttons may have appearances by state (ISO 19005-2, 6.3.3): others keep the current one. */
function shownState(context: PDFContext, dict: PDFDict, states: PDFDict): PDFObject | undefined {
  return entry(states, asName(context, entry(dict, 'AS')) ?? '') ?? states.values()[0];
}

/** Buttons must have states: a push button gets a single one. */
function onlyState(context: PDFContext, dict: PDFDict, normal: PDFObject): PDFObject {
  setEntry(dict, 'AS', PDFName.of('Off'));
  return dictOf(context, { Off: normal });
}

function fieldKind(context: PDFContext, widget: PDFDict): string | undefined {
  let node: PDFDict | undefined = widget;
  for (let hop = 0; node !== undefined && hop < 32; hop++) {
    const kind = asName(context, entry(node, 'FT'));
    if (kind !== undefined) return kind;
    node = asDict(context, entry(node, 'Parent'));
  }
  return undefined;
}
