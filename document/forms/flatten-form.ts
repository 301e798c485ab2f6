import { type PDFContext, PDFDict, PDFRef } from 'pdf-lib';
import { drawnAnnotations, normalAppearance, PageOverlay, paintAppearances } from '../content/drawing/index.js';
import { asDict, asName, catalogOf, entry, resolve, setEntry } from '../file/objects/index.js';
import type { OpenedPdf } from '../file/open/index.js';
import {
  acroFormOf,
  allFieldNodes,
  fieldAttribute,
  type FieldNode,
  isSignatureField,
  readFields,
} from './fields/index.js';
import { type Annotation, dropAnnotations, readAnnotations } from '../structure/annotations/index.js';
import { dropPermissions } from '../signatures/fields/index.js';
import { renewAppearance } from './appearance/field-appearance.js';
import { FieldFonts } from './appearance/field-fonts.js';
import { WidgetTags } from './widget-tags.js';

/** What to do while a form is flattened. */
export interface FlattenOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

/** Fields hang below each other at most so deep. */
const MAX_PARENTS = 100;

/**
 * Makes what form fields show page content, in place, and removes the form, XFA and rights over it included: widgets
 * go, other annotations stay. Text stays text, in its layer and under its tag. What is hidden or only for the printer
 * is not drawn. A field without appearance, or whose form asks for new ones (ISO 32000-1, table 218, NeedAppearances),
 * is drawn of its value, but for values that a script formats. Gives how many widgets went.
 */
export async function flattenForm({ document, pages }: OpenedPdf, options: FlattenOptions = {}): Promise<number> {
  const { context } = document;
  const catalog = catalogOf(context);
  const form = acroFormOf(context);
  const nodes = new Map<PDFDict, FieldNode>();
  for (const node of allFieldNodes(readFields(context))) nodes.set(node.dict, node);
  const asks = form !== undefined && resolve(context, entry(form, 'NeedAppearances'))?.toString() === 'true';
  const [fonts, overlay, tags] = [
    new FieldFonts(document, 'replace'),
    new PageOverlay(context),
    new WidgetTags(context),
  ];
  const isWidget = ({ kind, dict }: Annotation): boolean => kind === 'Widget' || nodes.has(dict);
  const done = new Set<PDFDict>();
  let count = 0;
  for (const [i, page] of pages.entries()) {
    options.signal?.throwIfAborted();
    if (done.has(page.dict)) continue;
    done.add(page.dict);
    const widgets = readAnnotations(context, page.dict).filter(isWidget);
    for (const { value, dict } of widgets) {
      const node = nodes.get(dict) ?? looseNode(context, dict, value instanceof PDFRef ? value : undefined);
      if (lacksAppearance(context, node, asks)) await renewAppearance(context, node, fonts);
    }
    const drawn = drawnAnnotations(
      context,
      page,
      widgets.map(({ dict }) => dict),
    );
    const numbered = drawn.map((one, number) => [number, one] as const);
    const painted = paintAppearances(context, overlay, page, drawn, ({ annotation }, number) =>
      tags.mark(annotation, number),
    );
    if (painted !== undefined) tags.painted(page.ref, painted, numbered);
    for (const { dict } of widgets) tags.dropped(dict);
    count += dropAnnotations(context, page.dict, isWidget);
    options.progress?.(i + 1, pages.length);
  }
  fonts.embed();
  tags.finish();
  if (catalog !== undefined && form !== undefined) {
    setEntry(catalog, 'AcroForm', undefined);
    setEntry(catalog, 'NeedsRendering', undefined);
    dropPermissions(context);
  }
  return count;
}

/** A widget that the form does not name, with the fields above it as it says itself. */
function looseNode(context: PDFContext, dict: PDFDict, ref: PDFRef | undefined): FieldNode {
  const chain: PDFDict[] = [];
  for (
    let above = asDict(context, entry(dict, 'Parent'));
    above !== undefined && chain.length < MAX_PARENTS && !chain.includes(above);
    above = asDict(context, entry(above, 'Parent'))
  )
    chain.push(above);
  const parent = chain.reduceRight<FieldNode | undefined>(
    (node, above) => ({ ref: undefined, dict: above, parent: node, children: [] }),
    undefined,
  );
  return { ref, dict, parent, children: [] };
}

/**
 * True for a widget that shows nothing of its value by itself, or whose form `asks` for new appearances, but for values
 * that a script formats.
 */
export function lacksAppearance(context: PDFContext, node: FieldNode, asks: boolean): boolean {
  if (isSignatureField(context, node)) return false;
  const has = normalAppearance(context, node.dict) !== undefined;
  if (asName(context, fieldAttribute(node, 'FT')) !== 'Btn') return !has || (asks && !isFormatted(context, node));
  const appearances = asDict(context, entry(node.dict, 'AP'));
  const states = appearances === undefined ? undefined : resolve(context, entry(appearances, 'N'));
  // A button in a state without appearance shows nothing, which is as it should be.
  return (
    !has &&
    !(states instanceof PDFDict && asName(context, entry(node.dict, 'AS')) !== undefined && states.keys().length > 0)
  );
}

/** True when a script decides how the value is written (ISO 32000-1, table 196, F). */
function isFormatted(context: PDFContext, node: FieldNode): boolean {
  const actions = asDict(context, fieldAttribute(node, 'AA'));
  return actions !== undefined && entry(actions, 'F') !== undefined;
}
