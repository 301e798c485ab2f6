import { type Operator, pageContent, rewriteContent, writePageContent } from '@quire/document/content';
import { withPdf, writeContext } from '@quire/document/file/open';

/** Painted paths on a page. LibreOffice's time grows with their square: 8,000 take a minute. */
const MOST_DRAWINGS = 2_500;
/** Path-painting operators (ISO 32000-1, table 60). */
const painting = new Set(['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*']);

/**
 * Returns the pages, from 1, with more than `most` painted paths in their own content (not in forms). If there are any,
 * writes a PDF to `target` in which they have none; clipping paths, text and images stay.
 */
export async function withoutDrawings(source: string, target: string, most = MOST_DRAWINGS): Promise<number[]> {
  return withPdf({ path: source }, {}, ({ document: { context }, pages }) => {
    const crowded: number[] = [];
    for (const [index, page] of pages.entries()) {
      let count = 0;
      const unpainted = rewriteContent(pageContent(context, page).bytes, ({ name }: Operator) => {
        if (!painting.has(name)) return undefined;
        count += 1;
        return 'n';
      });
      if (count <= most) continue;
      writePageContent(context, page, unpainted);
      crowded.push(index + 1);
    }
    if (crowded.length > 0) writeContext(context, target, { stamp: false });
    return crowded;
  });
}
