import { type PDFContext, PDFDict, PDFName, PDFNumber, type PDFObject, PDFPageTree, PDFRef } from 'pdf-lib';
import {
  arrayOf,
  asArray,
  asDict,
  asName,
  asNumber,
  catalogOf,
  dictOf,
  elements,
  entry,
  resolve,
  setEntry,
} from '../../file/objects/index.js';

/** Attributes that a page inherits from its ancestors (ISO 32000-1, 7.7.3.4). */
const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;
const KIDS = PDFName.of('Kids');
/** No writer creates deeper trees; the parser's stack could not handle them either. */
const MAX_DEPTH = 500;

/** Most visits of nodes that occur in the tree more than once; a tree that doubles at each level would be endless. */
const MAX_REPEATS = 1000;

/** The ancestors of a node, the nearest first. */
export interface Path {
  readonly node: PDFDict;
  readonly above: Path | undefined;
}

/** What a page inherits that has attributes of its own. */
export const NOTHING: ReadonlyMap<string, PDFObject> = new Map();

/** A page of the page tree. */
export interface PageEntry {
  readonly ref: PDFRef;
  readonly dict: PDFDict;
  /** Attributes that the page inherits, unresolved. */
  readonly inherited: ReadonlyMap<string, PDFObject>;
}

/**
 * Returns the pages of a document in order. Does not rely on /Count or /Parent, stops at cycles, and makes direct page
 * dictionaries indirect. A page that occurs in the tree twice is returned twice, with the same reference.
 */
export function walkPages(context: PDFContext): PageEntry[] {
  const pages: PageEntry[] = [];
  for (const { page } of eachPlace(context)) pages.push(page);
  return pages;
}

/** Yields the pages one by one: in a lazily read document, only the requested pages and their ancestors are read. */
export function* eachPage(context: PDFContext): Iterable<PageEntry> {
  for (const { page } of eachPlace(context)) yield page;
}

/** A page with its position: the nodes above it, and its index among the kids of the nearest one. */
export interface PagePlace {
  readonly page: PageEntry;
  readonly path: Path;
  readonly at: number;
}

/** A node whose kids are being visited; the catalog stands above the root. */
interface Level {
  readonly kids: readonly (PDFObject | undefined)[];
  /** The index of the kid that is visited next. */
  next: number;
  readonly above: ReadonlyMap<string, PDFObject>;
  readonly path: Path | undefined;
}

/** Yields every page with its position in the tree. */
export function* eachPlace(context: PDFContext): Iterable<PagePlace> {
  const catalog = catalogOf(context);
  const root = catalog === undefined ? undefined : entry(catalog, 'Pages');
  const seen = new Set<PDFDict>();
  const levels: Level[] = [{ kids: [root], next: 0, above: NOTHING, path: undefined }];
  let repeats = 0;
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const at = level.next++;
    if (at >= level.kids.length) {
      levels.pop();
      continue;
    }
    const value = level.kids[at];
    const dict = resolve(context, value);
    if (!(dict instanceof PDFDict) || levels.length > MAX_DEPTH + 1) continue;
    if (dict.has(KIDS)) {
      if (seen.has(dict) && (isOn(level.path, dict) || ++repeats > MAX_REPEATS)) continue;
      seen.add(dict);
      const above = new Map(level.above);
      for (const key of INHERITED) {
        const own = entry(dict, key);
        if (own !== undefined) above.set(key, own);
      }
      const path: Path = { node: dict, above: level.path };
      levels.push({ kids: elements(context, entry(dict, 'Kids')), next: 0, above, path });
      continue;
    }
    // The root must be a node; below it, a dictionary without kids is a page unless it has another type.
    if (level.path === undefined || !isPage(context, dict)) continue;
    const ref = value instanceof PDFRef ? value : context.register(dict);
    if (ref !== value) asArray(context, entry(level.path.node, 'Kids'))?.set(at, ref);
    yield { page: { ref, dict, inherited: ownless(dict, level.above) }, path: level.path, at };
  }
}

/** Returns a page attribute, its own or inherited, unresolved. */
export function pageAttribute(page: PageEntry, key: string): PDFObject | undefined {
  return entry(page.dict, key) ?? page.inherited.get(key);
}

/** Returns a page's rotation as 0, 90, 180 or 270; other angles count as 0. */
export function pageRotation(context: PDFContext, page: PageEntry): number {
  const angle = asNumber(context, pageAttribute(page, 'Rotate')) ?? 0;
  return angle % 90 === 0 ? normaliseAngle(angle) : 0;
}

/** Returns the size of a page's unit in points: 1 unless /UserUnit is set (ISO 32000-1, table 30). */
export function userUnit(context: PDFContext, page: PageEntry): number {
  const unit = asNumber(context, entry(page.dict, 'UserUnit')) ?? 1;
  return unit > 0 ? unit : 1;
}

/** Returns a multiple of 90 degrees as 0, 90, 180 or 270. */
export function normaliseAngle(angle: number): number {
  return ((angle % 360) + 360) % 360;
}

const LETTER = [0, 0, 612, 792] as const;

/**
 * Returns a page's box as left, bottom, right, top. The crop box is clipped to the media box; a missing or empty media
 * box counts as US Letter, as in viewers.
 */
export function pageBox(
  context: PDFContext,
  page: PageEntry,
  key: 'MediaBox' | 'CropBox' = 'CropBox',
): readonly [number, number, number, number] {
  const own = boxOf(context, pageAttribute(page, 'MediaBox'));
  const media = own !== undefined && own[0] < own[2] && own[1] < own[3] ? own : LETTER;
  const crop = key === 'CropBox' ? boxOf(context, pageAttribute(page, 'CropBox')) : undefined;
  if (crop === undefined) return media;
  const cut = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ] as const;
  return cut[0] < cut[2] && cut[1] < cut[3] ? cut : media;
}

/** Returns a rectangle with its corners in order, or undefined if it is invalid. */
export function boxOf(
  context: PDFContext,
  value: PDFObject | undefined,
): readonly [number, number, number, number] | undefined {
  const numbers = elements(context, value).map((element) => asNumber(context, element));
  const [a, b, c, d] = numbers;
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

/** Most kids of a node in a written page tree: a flat list of thousands is slow to open in some viewers. */
const FANOUT = 64;

/** Writes a page tree for these pages, sets their /Parent, and returns its root. */
export function writePageTree(context: PDFContext, pages: readonly PDFRef[]): PDFRef {
  let level = pages.map((ref) => ({ ref, count: 1 }));
  do {
    const above: typeof level = [];
    for (let at = 0; at < Math.max(1, level.length); at += FANOUT) {
      const kids = level.slice(at, at + FANOUT);
      const count = kids.reduce((sum, kid) => sum + kid.count, 0);
      const node = dictOf(context, {
        Type: PDFName.of('Pages'),
        Kids: arrayOf(
          context,
          kids.map((kid) => kid.ref),
        ),
        Count: PDFNumber.of(count),
      });
      // pdf-lib's `getPages` walks nodes of this class only.
      const ref = context.register(PDFPageTree.fromMapWithContext(node.asMap(), context));
      for (const kid of kids) {
        const dict = asDict(context, kid.ref);
        if (dict !== undefined) setEntry(dict, 'Parent', ref);
      }
      above.push({ ref, count });
    }
    level = above;
  } while (level.length > 1);
  const root = level[0];
  if (root === undefined) throw new RangeError('the page tree has no root');
  return root.ref;
}

function isOn(path: Path | undefined, node: PDFDict): boolean {
  for (let at = path; at !== undefined; at = at.above) if (at.node === node) return true;
  return false;
}

function isPage(context: PDFContext, dict: PDFDict): boolean {
  const type = asName(context, entry(dict, 'Type'));
  // An entry that refers to a missing object counts as absent (ISO 32000-1, 7.3.10), and would not survive a rewrite.
  return (
    type === undefined ||
    type === 'Page' ||
    (type !== 'Pages' && ['Contents', 'MediaBox'].some((key) => resolve(context, entry(dict, key)) !== undefined))
  );
}

function ownless(dict: PDFDict, above: ReadonlyMap<string, PDFObject>): ReadonlyMap<string, PDFObject> {
  if (above.size === 0) return NOTHING;
  const inherited = new Map<string, PDFObject>();
  for (const [key, value] of above) if (entry(dict, key) === undefined) inherited.set(key, value);
  return inherited;
}
