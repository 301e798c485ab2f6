import { PDFArray, type PDFContext, PDFHexString, PDFName, type PDFRef } from 'pdf-lib';
import type { Node } from './nodes.js';

/**
 * Writes the structure tree (ISO 32000-1, 14.7) and returns its reference: each element with its kids and its marked
 * content, and for each page the elements of its marks. Elements without content are left out.
 */
export function writeStructure(context: PDFContext, root: Node, pages: readonly PDFRef[]): PDFRef {
  const ref = context.nextRef();
  const owners: PDFRef[][] = pages.map(() => []);
  const whole = writeNode(context, root, ref, pages, owners);
  const nums = owners.flatMap((list, page) => [page, context.register(arrayOf(context, list))]);
  context.assign(
    ref,
    context.obj({
      Type: 'StructTreeRoot',
      K: whole === undefined ? [] : [whole],
      ParentTree: context.register(context.obj({ Nums: nums })),
      ParentTreeNextKey: pages.length,
    }),
  );
  return ref;
}

function arrayOf(context: PDFContext, refs: readonly PDFRef[]): PDFArray {
  const array = PDFArray.withContext(context);
  for (const ref of refs) array.push(ref);
  return array;
}

/** As deep as a composition: cells of tables. */
function writeNode(
  context: PDFContext,
  node: Node,
  parent: PDFRef,
  pages: readonly PDFRef[],
  owners: PDFRef[][],
): PDFRef | undefined {
  const ref = context.nextRef();
  const kids = node.kids.flatMap((kid) => writeNode(context, kid, ref, pages, owners) ?? []);
  // An empty cell keeps the columns of its row apart.
  if (kids.length === 0 && node.marks.length === 0 && node.type !== 'TD' && node.type !== 'TH') return undefined;
  for (const { page, id } of node.marks) owners[page]![id] = ref;
  const dict = context.obj({ Type: 'StructElem', S: node.type, P: parent, ...contentOf(context, node, kids, pages) });
  if (node.scope !== undefined) dict.set(PDFName.of('A'), context.obj({ O: 'Table', Scope: node.scope }));
  if (node.summary !== undefined)
    dict.set(PDFName.of('A'), context.obj({ O: 'Table', Summary: PDFHexString.fromText(node.summary) }));
  context.assign(ref, dict);
  return ref;
}

/** Marks on one page are numbers, and the page stands beside them; a long invoice has a hundred thousand. */
function contentOf(context: PDFContext, { marks }: Node, kids: readonly PDFRef[], pages: readonly PDFRef[]) {
  const [first] = marks;
  if (first === undefined) return { K: kids.length === 1 ? kids[0]! : [...kids] };
  const Pg = pages[first.page]!;
  if (marks.every(({ page }) => page === first.page))
    return { Pg, K: marks.length === 1 ? first.id : marks.map(({ id }) => id) };
  return { K: marks.map(({ page, id }) => context.obj({ Type: 'MCR', Pg: pages[page]!, MCID: id })) };
}
