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
import { refreshAppearance } from './appearance/field-appearance.js';
import { FieldFonts } from './appearance/field-fonts.js';
import { WidgetTags } from './widget-tags.js';

export interface FlattenOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

/** Deepest nesting of fields that is followed. */
const MAX_PARENTS = 100;

/**
 * Turns the appearances of form fields into page content, in place, and removes the form, including XFA and usage
 * rights. Widgets are removed, other annotations stay. Text stays text, in its layer and under its tag. Hidden and
 * print-only widgets are not drawn. If a field has no appearance, or the form asks for new ones (ISO 32000-1, table
 * 218, NeedAppearances), the field is drawn from its value, unless a script formats that value. Returns the number of
 * removed widgets.
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
      const node = nodes.get(dict) ?? unlistedNode(context, dict, value instanceof PDFRef ? value : undefined);
      if (lacksAppearance(context, node, asks)) await refreshAppearance(context, node, fonts);
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

/** Creates the node of a widget outside the field tree, with the fields above it that its /Parent entries name. */
function unlistedNode(context: PDFContext, dict: PDFDict, ref: PDFRef | undefined): FieldNode {
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
 * Returns true for a widget whose appearance does not show its value, or whose form `asks` for new appearances, unless
 * a script formats the value.
 */
export function lacksAppearance(context: PDFContext, node: FieldNode, asks: boolean): boolean {
  if (isSignatureField(context, node)) return false;
  const has = normalAppearance(context, node.dict) !== undefined;
  if (asName(context, fieldAttribute(node, 'FT')) !== 'Btn') return !has || (asks && !isFormatted(context, node));
  const appearances = asDict(context, entry(node.dict, 'AP'));
  const states = appearances === undefined ? undefined : resolve(context, entry(appearances, 'N'));
  // A button in a state without an appearance correctly shows nothing.
  return (
    !has &&
    !(states instanceof PDFDict && asName(context, entry(node.dict, 'AS')) !== undefined && states.keys().length > 0)
  );
}

/** Returns true if a script formats the value (ISO 32000-1, table 196, F). */
function isFormatted(context: PDFContext, node: FieldNode): boolean {
  const actions = asDict(context, fieldAttribute(node, 'AA'));
  return actions !== undefined && entry(actions, 'F') !== undefined;
}
