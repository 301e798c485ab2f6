import { type PDFContext, type PDFDict, PDFNumber, type PDFObject, type PDFRef } from 'pdf-lib';
import { arrayOf, asByteString, asDict, asNumber, byteString, dictOf, elements, entry, setEntry } from './access.js';

/** The most entries per leaf and kids per node in a written tree. */
const FANOUT = 64;

/**
 * Returns the entries of a name tree (ISO 32000-1, 7.9.6) in stored order, keys as byte strings; loops are walked once.
 */
export function readNameTree(context: PDFContext, root: PDFObject | undefined): [string, PDFObject][] {
  return readTree(context, root, 'Names', asByteString);
}

/** Returns the entries of a number tree (ISO 32000-1, 7.9.7) in stored order; loops are walked once. */
export function readNumberTree(context: PDFContext, root: PDFObject | undefined): [number, PDFObject][] {
  return readTree(context, root, 'Nums', asNumber);
}

/** Writes a name tree with sorted keys and returns its root. */
export function writeNameTree(context: PDFContext, entries: Iterable<readonly [string, PDFObject]>): PDFRef {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return writeTree(context, sorted, 'Names', byteString);
}

/** Writes a number tree with sorted keys and returns its root. */
export function writeNumberTree(context: PDFContext, entries: Iterable<readonly [number, PDFObject]>): PDFRef {
  const sorted = [...entries].sort(([a], [b]) => a - b);
  return writeTree(context, sorted, 'Nums', (key) => PDFNumber.of(key));
}

function readTree<K>(
  context: PDFContext,
  root: PDFObject | undefined,
  leafKey: string,
  keyOf: (context: PDFContext, value: PDFObject | undefined) => K | undefined,
): [K, PDFObject][] {
  const found: [K, PDFObject][] = [];
  const seen = new Set<PDFDict>();
  const waiting: (PDFObject | undefined)[] = [root];
  while (waiting.length > 0) {
    const node = asDict(context, waiting.pop());
    if (node === undefined || seen.has(node)) continue;
    seen.add(node);
    const pairs = elements(context, entry(node, leafKey));
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const key = keyOf(context, pairs[i]);
      const value = pairs[i + 1];
      if (key !== undefined && value !== undefined) found.push([key, value]);
    }
    waiting.push(...elements(context, entry(node, 'Kids')).reverse());
  }
  return found;
}

interface Node {
  readonly dict: PDFDict;
  readonly first: PDFObject;
  readonly last: PDFObject;
}

function writeTree<K>(
  context: PDFContext,
  sorted: readonly (readonly [K, PDFObject])[],
  leafKey: string,
  write: (key: K) => PDFObject,
): PDFRef {
  let level: Node[] = [];
  for (let at = 0; at < sorted.length; at += FANOUT) {
    const slice = sorted.slice(at, at + FANOUT).map(([key, value]) => [write(key), value] as const);
    const first = slice[0]?.[0];
    const last = slice.at(-1)?.[0];
    if (first === undefined || last === undefined) break;
    level.push({ dict: dictOf(context, { [leafKey]: arrayOf(context, slice.flat()) }), first, last });
  }
  while (level.length > 1) {
    const above: Node[] = [];
    for (let at = 0; at < level.length; at += FANOUT) {
      const kids = level.slice(at, at + FANOUT);
      const first = kids[0]?.first;
      const last = kids.at(-1)?.last;
      if (first === undefined || last === undefined) break;
      const refs = kids.map((kid) => {
        // Every node except the root states its range (ISO 32000-1, table 36).
        setEntry(kid.dict, 'Limits', arrayOf(context, [kid.first, kid.last]));
        return context.register(kid.dict);
      });
      above.push({ dict: dictOf(context, { Kids: arrayOf(context, refs) }), first, last });
    }
    level = above;
  }
  return context.register(level[0]?.dict ?? dictOf(context, { [leafKey]: arrayOf(context, []) }));
}
