import { type PDFContext, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRef } from 'pdf-lib';
import { arrayOf, asNumber, catalogOf, dictOf, elements, entry, resolve, setEntry } from '../../file/objects/index.js';
import { eachPlace, type PageEntry, type PagePlace, type Path, writePageTree } from './walk.js';

/**
 * Removes the page at a 0-based index from the page tree, in place, and returns it with its inherited attributes set
 * directly; returns undefined if there is no such page. Changes only its parent node, the counts above and nodes that
 * become empty, so that an incremental update stays small.
 */
export function removePage(context: PDFContext, index: number): PageEntry | undefined {
  const places = [...eachPlace(context)];
  const place = places[index];
  if (place === undefined) return undefined;
  const { ref, dict, inherited } = place.page;
  for (const [key, value] of inherited) setEntry(dict, key, value);
  dropKid(context, place.path, place.at);
  setCounts(
    context,
    places.filter((other) => other !== place),
    [place.path],
  );
  return { ref, dict, inherited: new Map() };
}

/**
 * Inserts a page into the page tree at a 0-based index (at the end if there are fewer pages), in place, after the
 * preceding page. It inherits no attributes from its new position. Throws RangeError if the document has no catalog.
 */
export function insertPage(context: PDFContext, index: number, page: PDFRef): void {
  const places = [...eachPlace(context)];
  const before = places[Math.min(index, places.length) - 1];
  const beside = before ?? places[0];
  if (beside === undefined) {
    const catalog = catalogOf(context);
    if (catalog === undefined) throw new RangeError('the document has no catalog');
    return setEntry(catalog, 'Pages', writePageTree(context, [page]));
  }
  const { node } = beside.path;
  const dict = resolve(context, page);
  if (dict instanceof PDFDict) {
    disinherit(context, dict, beside.path);
    setEntry(dict, 'Parent', nodeRef(context, beside));
  }
  const kids = [...elements(context, entry(node, 'Kids'))];
  kids.splice(before === undefined ? beside.at : beside.at + 1, 0, page);
  setEntry(node, 'Kids', arrayOf(context, kids));
  setCounts(context, [...places, beside], [beside.path]);
}

/** Moves the page at one 0-based index to another, in place; returns false if there is no such page. */
export function movePage(context: PDFContext, from: number, to: number): boolean {
  const page = removePage(context, from);
  if (page === undefined) return false;
  insertPage(context, to, page.ref);
  return true;
}

/** A node without kids is invalid (ISO 32000-1, table 29), except the root. */
function dropKid(context: PDFContext, path: Path, at: number): void {
  const kids = elements(context, entry(path.node, 'Kids')).filter((_kid, i) => i !== at);
  setEntry(path.node, 'Kids', arrayOf(context, kids));
  if (kids.length > 0 || path.above === undefined) return;
  const place = elements(context, entry(path.above.node, 'Kids')).findIndex(
    (kid) => resolve(context, kid) === path.node,
  );
  if (place >= 0) dropKid(context, path.above, place);
}

/** Corrects the page counts of the nodes on these paths, including counts that were already wrong. */
function setCounts(context: PDFContext, places: readonly PagePlace[], paths: readonly Path[]): void {
  const counts = new Map<PDFDict, number>();
  for (const { path } of places)
    for (let at: Path | undefined = path; at !== undefined; at = at.above)
      counts.set(at.node, (counts.get(at.node) ?? 0) + 1);
  for (const path of paths) {
    for (let at: Path | undefined = path; at !== undefined; at = at.above) {
      const count = counts.get(at.node) ?? 0;
      if (asNumber(context, entry(at.node, 'Count')) !== count) setEntry(at.node, 'Count', PDFNumber.of(count));
    }
  }
}

/**
 * Overrides attributes that the page would inherit at its new position with its own or default values (ISO 32000-1,
 * table 30).
 */
function disinherit(context: PDFContext, page: PDFDict, path: Path): void {
  const above = (key: string): PDFObject | undefined => {
    for (let at: Path | undefined = path; at !== undefined; at = at.above)
      if (entry(at.node, key) !== undefined) return entry(at.node, key);
    return undefined;
  };
  setEntry(page, 'Type', PDFName.of('Page'));
  if (entry(page, 'Resources') === undefined && above('Resources') !== undefined)
    setEntry(page, 'Resources', dictOf(context, {}));
  if (entry(page, 'Rotate') === undefined && above('Rotate') !== undefined) setEntry(page, 'Rotate', PDFNumber.of(0));
  if (entry(page, 'CropBox') === undefined && above('CropBox') !== undefined)
    setEntry(page, 'CropBox', entry(page, 'MediaBox'));
}

/** Returns the reference to a page's node in the kids of its parent, whatever /Parent says. */
function nodeRef(context: PDFContext, { path }: PagePlace): PDFRef | undefined {
  const catalog = catalogOf(context);
  const named =
    path.above === undefined
      ? [catalog === undefined ? undefined : entry(catalog, 'Pages')]
      : elements(context, entry(path.above.node, 'Kids'));
  return named.find((value): value is PDFRef => value instanceof PDFRef && resolve(context, value) === path.node);
}
