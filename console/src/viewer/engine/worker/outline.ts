import type { OutlineEntry } from '../protocol.ts';
import type { WorkerDocument } from './open.ts';
import { withMemory } from './runtime.ts';

const MOST_ENTRIES = 20_000;
const DEEPEST = 30;
const LONGEST_TITLE_BYTES = 2000;

/** The bookmarks, at most 20,000 and 30 levels deep. */
export function readOutline(document: WorkerDocument): OutlineEntry[] {
  const { pdfium, handle } = document;
  const seen = new Set<number>();
  const below = (parent: number, depth: number): OutlineEntry[] => {
    const entries: OutlineEntry[] = [];
    let item = depth > DEEPEST ? 0 : pdfium.FPDFBookmark_GetFirstChild(handle, parent);
    while (item !== 0 && !seen.has(item) && seen.size < MOST_ENTRIES) {
      seen.add(item);
      entries.push({ title: titleOf(document, item), page: pageOf(document, item), children: below(item, depth + 1) });
      item = pdfium.FPDFBookmark_GetNextSibling(handle, item);
    }
    return entries;
  };
  return below(0, 0);
}

function titleOf({ pdfium }: WorkerDocument, item: number): string {
  return withMemory(pdfium, LONGEST_TITLE_BYTES, (buffer) => {
    const bytes = pdfium.FPDFBookmark_GetTitle(item, buffer, LONGEST_TITLE_BYTES);
    const used = bytes > LONGEST_TITLE_BYTES ? 0 : Math.max(0, bytes - 2);
    const title = new TextDecoder('utf-16le').decode(pdfium.pdfium.HEAPU8.slice(buffer, buffer + used));
    return title.replace(/[\u0000-\u001f]+/g, ' ').trim();
  });
}

function pageOf({ pdfium, handle, pageCount }: WorkerDocument, item: number): number | undefined {
  let destination = pdfium.FPDFBookmark_GetDest(handle, item);
  if (destination === 0) {
    const action = pdfium.FPDFBookmark_GetAction(item);
    destination = action === 0 ? 0 : pdfium.FPDFAction_GetDest(handle, action);
  }
  const page = destination === 0 ? -1 : pdfium.FPDFDest_GetDestPageIndex(handle, destination);
  return page >= 0 && page < pageCount ? page : undefined;
}
