import { PDFArray, type PDFContext, type PDFDict } from 'pdf-lib';
import { asDict, catalogOf, entry, readNumberTree, resolve, setEntry } from '../../file/objects/index.js';
import { REPLACEMENT_TEXTS } from './keep-structure.js';

const MAX_DEPTH = 1000;

/**
 * Removes replacement texts (ISO 32000-1, 14.9) from the elements of removed marked content and from their ancestors,
 * in place, because they would still reveal it. `touched` lists the identifiers (MCID) of the content by parent tree
 * key.
 */
export function dropReplacementTexts(context: PDFContext, touched: ReadonlyMap<number, ReadonlySet<number>>): void {
  const catalog = catalogOf(context);
  const tree = catalog === undefined ? undefined : asDict(context, entry(catalog, 'StructTreeRoot'));
  if (tree === undefined || touched.size === 0) return;
  const visited = new Set<PDFDict>();
  for (const [key, owner] of readNumberTree(context, entry(tree, 'ParentTree'))) {
    const numbers = touched.get(key);
    const list = resolve(context, owner);
    if (numbers === undefined || !(list instanceof PDFArray)) continue;
    for (const number of numbers) {
      if (number < 0 || number >= list.size()) continue;
      let element = asDict(context, list.get(number));
      for (let depth = 0; element !== undefined && !visited.has(element) && depth < MAX_DEPTH; depth++) {
        visited.add(element);
        for (const text of REPLACEMENT_TEXTS) setEntry(element, text, undefined);
        element = asDict(context, entry(element, 'P'));
      }
    }
  }
}
