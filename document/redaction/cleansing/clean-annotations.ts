import type { PDFContext, PDFDict } from 'pdf-lib';
import { FieldFonts, renewAppearance } from '../../forms/index.js';
import { entry, isString, resolve, setEntry } from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { allFieldNodes, type FieldNode, readFields } from '../../forms/fields/index.js';
import { type Annotation, dropAnnotationsWhole } from '../../structure/annotations/index.js';
import { AppearanceText } from './appearance-text.js';
import { emptyValues, fieldKind, widgetsShowing } from './clean-fields.js';
import { isFoundInMarkup } from './found-in.js';
import type { TextFinder } from './text-finder.js';
import { readString } from './text-string.js';

/** Fields whose appearance follows from their value (ISO 32000-1, 12.7.4). */
const WRITTEN: ReadonlySet<string> = new Set(['Tx', 'Ch', 'Btn']);

/**
 * Drops annotations that show something that is to go, in place: what their appearance is made of cannot be cut.
 * Widgets stay; those that show it are given back, to be drawn anew once their values are clean. Values of which a
 * widget shows what they do not hold themselves are emptied.
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
  return { dropped: dropAnnotationsWhole(context, pages, drops), widgets: [...widgets] };
}

/** What a free text says is what it shows, also where no appearance tells (ISO 32000-1, 12.5.6.6). */
function says(context: PDFContext, dict: PDFDict, find: TextFinder): boolean {
  return ['Contents', 'RC'].some((key) => {
    const value = resolve(context, entry(dict, key));
    return isString(value) && isFoundInMarkup(readString(value).text, find);
  });
}

/**
 * Draws widgets anew of their present values; one that still shows what is to go, a picture or a script's work, shows
 * nothing.
 */
export async function renewWidgets(
  { document }: OpenedPdf,
  widgets: readonly FieldNode[],
  find: TextFinder,
): Promise<void> {
  const fonts = new FieldFonts(document, 'replace');
  for (const widget of widgets) {
    if (entry(widget.dict, 'AP') !== undefined) await renewAppearance(document.context, widget, fonts);
  }
  fonts.embed();
  const appearances = new AppearanceText(document.context, find);
  for (const { dict } of widgets) if (appearances.shows(dict)) setEntry(dict, 'AP', undefined);
}
