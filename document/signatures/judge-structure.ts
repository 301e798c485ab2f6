import { PDFDict, type PDFObject, PDFRef } from 'pdf-lib';
import { asArray, asDict, asName, catalogOf, elements, entry, readNumberTree, resolve } from '../file/objects/index.js';
import type { Holding, Judgement } from './judgement.js';
import { dictAt } from './revisions.js';
import { differingKeys, sameObject } from './same-object.js';

const MAX_DEPTH = 50;

/**
 * Judges the tags of a document (ISO 32000-2, 14.7): elements may be added for the signature fields that were
 * (`fresh`); those that there were stay as they are, and so does what they belong to.
 */
export function judgeStructure(judgement: Judgement, fresh: ReadonlySet<PDFDict>): void {
  const { then, now, changed } = judgement.pair;
  const [before, after] = [catalogOf(then.context), catalogOf(now.context)];
  const [had, has] = [before, after].map((catalog) =>
    catalog === undefined ? undefined : entry(catalog, 'StructTreeRoot'),
  );
  const [tree, other] = [asDict(then.context, had), asDict(now.context, has)];
  if (!sameObject(had, has) && !(had === undefined && fresh.size > 0))
    judgement.refuse('the tags of the document were exchanged');
  if (tree === undefined || other === undefined || fresh.size === 0) return;
  if (had instanceof PDFRef && changed.has(had.objectNumber) && judgeRoot(judgement, tree, other, had.objectNumber))
    judgement.judged.add(had.objectNumber);
  for (const number of changed) {
    const [element, now_] = [dictAt(then, number), dictAt(now, number)];
    if (element === undefined || now_ === undefined || asName(then.context, entry(element, 'Type')) !== 'StructElem')
      continue;
    const rest = differingKeys(element, now_).filter((key) => key !== 'K');
    if (rest.length === 0 && onlyAdds(judgement, entry(element, 'K'), entry(now_, 'K'))) judgement.judged.add(number);
  }
}

function judgeRoot(judgement: Judgement, before: PDFDict, after: PDFDict, holder: number): boolean {
  const { then, now } = judgement.pair;
  for (const key of differingKeys(before, after)) {
    const [had, has] = [entry(before, key), entry(after, key)];
    if (key === 'ParentTreeNextKey' || (key === 'K' && onlyAdds(judgement, had, has)) || key === 'ParentTree') continue;
    return false;
  }
  const parents = new Map(readNumberTree(now.context, entry(after, 'ParentTree')));
  for (const [key, value] of readNumberTree(then.context, entry(before, 'ParentTree'))) {
    const other = parents.get(key);
    // A list may be written again as another object.
    if (!sameObject(value, other) && !sameObject(asArray(then.context, value), asArray(now.context, other) ?? value))
      return false;
  }
  explainNodes(judgement, entry(before, 'ParentTree'), { holder, key: 'ParentTree' }, 0);
  return true;
}

/** Allows that the nodes of a number tree are others, now that what they say is known to be the same. */
function explainNodes(judgement: Judgement, value: PDFObject | undefined, at: Holding, depth: number): void {
  if (!(value instanceof PDFRef) || depth > MAX_DEPTH) return;
  judgement.explainOne(value, at);
  const { context } = judgement.pair.then;
  const node = asDict(context, value);
  if (node === undefined) return;
  const lists = ['Kids', 'Nums', 'Limits'].map((key) => ({ key, list: entry(node, key) }));
  for (const { key, list } of lists)
    if (list instanceof PDFRef && asArray(context, list) !== undefined)
      judgement.explainOne(list, { holder: value.objectNumber, key });
  for (const kid of elements(context, entry(node, 'Kids')))
    explainNodes(judgement, kid, { holder: value.objectNumber, key: 'Kids' }, depth + 1);
}

/** True when kids were only added, and those are elements that were not there. */
function onlyAdds(
  { pair: { then, now, added } }: Judgement,
  before: PDFObject | undefined,
  after: PDFObject | undefined,
): boolean {
  const list = (context: typeof then.context, value: PDFObject | undefined): readonly PDFObject[] => {
    const array = asArray(context, value);
    return array?.asArray() ?? (value === undefined ? [] : [value]);
  };
  const [had, has] = [list(then.context, before), list(now.context, after)];
  return (
    had.every((value, i) => sameObject(value, has[i])) &&
    has
      .slice(had.length)
      .every((value) =>
        value instanceof PDFRef ? added.has(value.objectNumber) : resolve(now.context, value) instanceof PDFDict,
      )
  );
}
