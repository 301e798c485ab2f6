import { PDFArray, type PDFContext, PDFDict, PDFNumber, type PDFObject, PDFRef } from 'pdf-lib';
import { imposeSheets, type Sheet } from '../../structure/imposition/index.js';
import {
  asDict,
  asName,
  asNumber,
  catalogOf,
  elements,
  entry,
  readNumberTree,
  resolve,
} from '../../file/objects/index.js';
import { openPdf, pdfBytes } from '../../file/open/index.js';
import { type PageEntry, walkPages } from '../../structure/pages/index.js';
import { graphOf } from './graph.js';
import { type Portrait, portraitOf } from './portrait.js';

/** Imposes a file's pages and returns the faults of the result, one line each. */
export async function checkImposed(
  bytes: Uint8Array,
  sheetsOf: (pages: readonly PageEntry[], context: PDFContext) => Sheet[],
): Promise<{ readonly bytes: Uint8Array; readonly faults: string[] }> {
  const whole = await openPdf(bytes);
  const before = portraitOf(whole.document.context, whole.pages);
  const opened = await openPdf(bytes);
  const sheets = sheetsOf(opened.pages, opened.document.context);
  await imposeSheets(opened, sheets);
  const result = pdfBytes(opened);
  return { bytes: result, faults: await faultsOfSheets(before, sheets, result) };
}

/** Compares sheets with the document that their pages come from. */
export async function faultsOfSheets(before: Portrait, sheets: readonly Sheet[], bytes: Uint8Array): Promise<string[]> {
  const { context } = (await openPdf(bytes, { repair: false })).document;
  const pages = walkPages(context);
  const after = portraitOf(context, pages);
  const faults: string[] = [];
  const { dangling, orphans } = graphOf(context);
  if (pages.length !== sheets.length) faults.push(`${pages.length} pages`);
  if (dangling.length > 0) faults.push(`dangling: ${dangling.slice(0, 5).join(', ')}`);
  if (orphans.length > 0) faults.push(`orphans: ${orphans.slice(0, 5).join(', ')}`);
  const kept = context
    .enumerateIndirectObjects()
    .filter(([, object]) => object instanceof PDFDict && asName(context, entry(object, 'Type')) === 'Page').length;
  if (kept !== sheets.length) faults.push(`${kept} page objects for ${sheets.length} sheets`);
  // A page may be on several sheets; each of its annotations is on one of them.
  const sheetsOf = new Map<number, Set<number>>();
  sheets.forEach(({ placements }, i) =>
    placements.forEach(({ page }) => sheetsOf.set(page, (sheetsOf.get(page) ?? new Set()).add(i))),
  );
  const fits = (old: number, now: number): boolean => (old < 0 ? now < 0 : (sheetsOf.get(old)?.has(now) ?? false));
  const alike = (what: string, a: unknown, b: unknown): void => {
    if (JSON.stringify(a) !== JSON.stringify(b))
      faults.push(`${what}: ${JSON.stringify(a).slice(0, 200)} became ${JSON.stringify(b).slice(0, 200)}`);
  };
  alike(
    'bookmarks',
    before.outlines.map(([depth, title]) => [depth, title]),
    after.outlines.map(([depth, title]) => [depth, title]),
  );
  if (!before.outlines.every(([, , page], i) => fits(page, after.outlines[i]?.[2] ?? -1)))
    faults.push('bookmarks lead elsewhere');
  alike('destinations', before.destinations.length, after.destinations.length);
  if (!before.destinations.every(([page], i) => fits(page, after.destinations[i]?.[0] ?? -1)))
    faults.push('destinations lead elsewhere');
  alike(
    'fields',
    before.fields.map(([name, what, on]) => [name, what, on.length]),
    after.fields.map(([name, what, on]) => [name, what, on.length]),
  );
  if (!before.fields.every(([, , on], i) => on.every((page, k) => fits(page, after.fields[i]?.[2][k] ?? -1))))
    faults.push('fields went elsewhere');
  for (const key of [
    'attachments',
    'layers',
    'elements',
    'scripts',
    'associated',
    'threads',
    'needsAppearances',
  ] as const)
    alike(key, before[key], after[key]);
  if (after.labels !== undefined) faults.push('labels stayed');
  // A page that names an annotation twice has it once.
  const once = (portrait: Portrait): Portrait['annotations'] => [
    ...new Map(portrait.annotations.map((one) => [JSON.stringify(one), one])).values(),
  ];
  const kinds = (portrait: Portrait): string[] =>
    once(portrait)
      .map(([, what]) => what.split('|')[0] ?? '')
      .sort();
  const links = (portrait: Portrait): number => once(portrait).filter(([, , target]) => target >= 0).length;
  alike('annotations', kinds(before), kinds(after));
  alike('links', links(before), links(after));
  faults.push(...tagFaults(context, pages, before.tagged - tagsOfObjects(context, pages)));
  return faults;
}

/** The number of parent tree entries that annotations refer to. */
function tagsOfObjects(context: PDFContext, pages: readonly PageEntry[]): number {
  const parents = parentsOf(context);
  const annotations = pages.flatMap(({ dict }) =>
    elements(context, entry(dict, 'Annots')).flatMap((value) => asDict(context, value) ?? []),
  );
  return annotations.filter(
    (dict) => asDict(context, parents.get(asNumber(context, entry(dict, 'StructParent')) ?? -1)) !== undefined,
  ).length;
}

/** Tagged content is in forms: each must be referenced by its element with form and sheet, and refer back to it. */
function tagFaults(context: PDFContext, pages: readonly PageEntry[], wanted: number): string[] {
  const faults: string[] = [];
  const parents = parentsOf(context);
  const shownOn = new Map<PDFRef, Set<PDFRef>>();
  for (const { ref, dict } of pages) {
    const resources = asDict(context, entry(dict, 'Resources'));
    for (const form of asDict(context, resources && entry(resources, 'XObject'))?.values() ?? []) {
      if (form instanceof PDFRef) shownOn.set(form, (shownOn.get(form) ?? new Set()).add(ref));
    }
  }
  const back = (form: PDFObject | undefined): PDFObject[] => {
    const stream = asDict(context, form);
    return stream === undefined
      ? []
      : elements(context, parents.get(asNumber(context, entry(stream, 'StructParents')) ?? -1));
  };
  const tagged = [...shownOn.keys()].reduce(
    (sum, form) => sum + back(form).filter((item) => asDict(context, item) !== undefined).length,
    0,
  );
  if (tagged !== wanted) faults.push(`${wanted} tags became ${tagged}`);
  for (const { element, item, pg } of contentItems(context)) {
    if (item instanceof PDFNumber) {
      if (pg !== undefined) faults.push('a number without its form');
      continue;
    }
    const [form, page] = [entry(item, 'Stm'), entry(item, 'Pg') ?? pg];
    if (!(form instanceof PDFRef) || !(page instanceof PDFRef)) faults.push('content without form or page');
    else if (shownOn.has(form)) {
      if (!(shownOn.get(form)?.has(page) ?? false)) faults.push('content on a sheet that does not show it');
      const owner = asDict(context, back(form)[asNumber(context, entry(item, 'MCID')) ?? -1]);
      if (owner !== undefined && owner !== element) faults.push('content that leads to another element');
    }
  }
  return [...new Set(faults)];
}

function parentsOf(context: PDFContext): ReadonlyMap<number, PDFObject> {
  const tree = treeOf(context);
  return new Map(tree === undefined ? [] : readNumberTree(context, entry(tree, 'ParentTree')));
}

function treeOf(context: PDFContext): PDFDict | undefined {
  const catalog = catalogOf(context);
  return asDict(context, catalog && entry(catalog, 'StructTreeRoot'));
}

function contentItems(
  context: PDFContext,
): { readonly element: PDFDict; readonly item: PDFNumber | PDFDict; readonly pg: PDFObject | undefined }[] {
  const found: { element: PDFDict; item: PDFNumber | PDFDict; pg: PDFObject | undefined }[] = [];
  const waiting = [treeOf(context)].filter((tree) => tree !== undefined);
  const seen = new Set<PDFDict>(waiting);
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    const kids = resolve(context, entry(element, 'K'));
    for (const kid of kids instanceof PDFArray ? kids.asArray() : [kids]) {
      const item = resolve(context, kid);
      const type = item instanceof PDFDict ? asName(context, entry(item, 'Type')) : undefined;
      if (item instanceof PDFNumber || (item instanceof PDFDict && type === 'MCR'))
        found.push({ element, item, pg: entry(element, 'Pg') });
      else if (item instanceof PDFDict && type !== 'OBJR' && !seen.has(item)) {
        seen.add(item);
        waiting.push(item);
      }
    }
  }
  return found;
}
