import type { PDFContext, PDFDict } from 'pdf-lib';
import { FieldFonts, refreshAppearance } from '../../forms/index.js';
import { entry, isString, resolve, setEntry } from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { allFieldNodes, type FieldNode, readFields } from '../../forms/fields/index.js';
import { type Annotation, dropAnnotationsAndReferences } from '../../structure/annotations/index.js';
import { AppearanceText } from './appearance-text.js';
import { emptyValues, fieldKind, widgetsShowing } from './clean-fields.js';
import { isFoundInMarkup } from './found-in.js';
import type { TextFinder } from './text-finder.js';
import { readString } from './text-string.js';

/** Types of fields whose appearance follows from their value (ISO 32000-1, 12.7.4). */
const WRITTEN: ReadonlySet<string> = new Set(['Tx', 'Ch', 'Btn']);

/**
 * Removes annotations that show found text, in place, because their appearances cannot be cut. Widgets stay; those that
 * show such text are returned and must be redrawn once their values are clean. If a widget shows text that its values
 * do not contain, these values are emptied.
 */
export function dropShowing(
  { document: { context }, pages }: OpenedPdf,
  find: TextFinder,
): { readonly dropped: number; readonly widgets: readonly FieldNode[] } {
  const nodes = new Map<PDFDict, FieldNode>([...allFieldNodes(readFields(context))].map((node) => [node.dict, node]));
  const widgets = new Set(widgetsShowing(context, nodes.values(), find));
  const appearances = new AppearanceText(context, find);
  const drops = (annotation: Annotation): boolean => {
    const node = nodes.get(annotation.dict);
    const shows =
      appearances.shows(annotation.dict) || (annotation.kind === 'FreeText' && says(context, annotation.dict, find));
    if (node === undefined || !WRITTEN.has(fieldKind(context, node) ?? '')) return shows;
    if (shows && !widgets.has(node)) {
      emptyValues(node);
      widgets.add(node);
    }
    return false;
  };
  return { dropped: dropAnnotationsAndReferences(context, pages, drops), widgets: [...widgets] };
}

/** A free text shows its contents, even without an appearance (ISO 32000-1, 12.5.6.6). */
function says(context: PDFContext, dict: PDFDict, find: TextFinder): boolean {
  return ['Contents', 'RC'].some((key) => {
    const value = resolve(context, entry(dict, key));
    return isString(value) && isFoundInMarkup(readString(value).text, find);
  });
}

/**
 * Redraws widgets from their current values. A widget that still shows found text, such as an image or the output of a
 * script, gets an empty appearance.
 */
export async function redrawWidgets(
  { document }: OpenedPdf,
  widgets: readonly FieldNode[],
  find: TextFinder,
): Promise<void> {
  const fonts = new FieldFonts(document, 'replace');
  for (const widget of widgets) {
    if (entry(widget.dict, 'AP') !== undefined) await refreshAppearance(document.context, widget, fonts);
  }
  fonts.embed();
  const appearances = new AppearanceText(document.context, find);
  for (const { dict } of widgets) if (appearances.shows(dict)) setEntry(dict, 'AP', undefined);
}
