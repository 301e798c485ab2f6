import { withPdf } from '@quire/document/file/open';
import { acroFormOf, allFieldNodes, isField, readFields } from '@quire/document/forms/fields';
import { readAnnotations } from '@quire/document/structure/annotations';
import { readOutlines } from '@quire/document/structure/outlines';
import { readPageLabels } from '@quire/document/structure/pages';
import { PDFDict, PDFName } from 'pdf-lib';

/** Numbers of a document's features besides its pages. */
export type Parts = Readonly<Record<'bookmarks' | 'links' | 'fields' | 'labels' | 'tags' | 'layers', number>>;

/** Counts the features of a document; all are zero when it cannot be read. */
export async function partsOf(path: string): Promise<Parts> {
  return withPdf({ path }, { repair: false }, ({ document: { context }, pages }): Parts => {
    const catalog = context.lookupMaybe(context.trailerInfo.Root, PDFDict);
    const count = (nodes: ReturnType<typeof readOutlines>): number =>
      nodes.reduce((sum, node) => sum + 1 + count(node.children), 0);
    return {
      bookmarks: count(readOutlines(context)),
      links: pages.reduce(
        (sum, { dict }) => sum + readAnnotations(context, dict).filter(({ kind }) => kind === 'Link').length,
        0,
      ),
      fields: acroFormOf(context) === undefined ? 0 : [...allFieldNodes(readFields(context))].filter(isField).length,
      labels: readPageLabels(context, pages.length) === undefined ? 0 : 1,
      tags: catalog?.has(PDFName.of('StructTreeRoot')) === true ? 1 : 0,
      layers: catalog?.has(PDFName.of('OCProperties')) === true ? 1 : 0,
    };
  }).catch(() => ({ bookmarks: 0, links: 0, fields: 0, labels: 0, tags: 0, layers: 0 }));
}

/**
 * Returns how many kinds of features a document had, how many of them are complete in the result, and which are not.
 */
export function keptParts(
  before: Parts,
  after: Parts,
): { readonly had: number; readonly stayed: number; readonly lost: readonly string[] } {
  const kinds = Object.keys(before) as (keyof Parts)[];
  const had = kinds.filter((kind) => before[kind] > 0);
  const lost = had.filter((kind) => after[kind] < before[kind]);
  return { had: had.length, stayed: had.length - lost.length, lost };
}
