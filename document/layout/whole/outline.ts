import type { PdfiumDocument } from '../../engines/pdfium/index.js';
import type { OutlineEntry } from '../model.js';
import { type Scratch, withScratch } from '../read/scratch.js';

const MAX_ITEMS = 20_000;
const MAX_DEPTH = 50;

/** Reads a document's outline, flat, in the order shown; loops end where they close. */
export function readOutline(document: PdfiumDocument): OutlineEntry[] {
  return withScratch(document.pdfium, (scratch) => {
    const entries: OutlineEntry[] = [];
    const seen = new Set<number>();
    const stack: { item: number; readonly level: number }[] = [
      { item: document.pdfium.FPDFBookmark_GetFirstChild(document.handle, 0), level: 1 },
    ];
    while (stack.length > 0 && entries.length < MAX_ITEMS) {
      const top = stack.at(-1)!;
      const { item, level } = top;
      if (item === 0 || seen.has(item)) {
        stack.pop();
        continue;
      }
      seen.add(item);
      entries.push(entryOf(scratch, document, item, level));
      top.item = document.pdfium.FPDFBookmark_GetNextSibling(document.handle, item);
      if (level < MAX_DEPTH)
        stack.push({ item: document.pdfium.FPDFBookmark_GetFirstChild(document.handle, item), level: level + 1 });
    }
    return entries;
  });
}

function entryOf(scratch: Scratch, { pdfium, handle }: PdfiumDocument, item: number, level: number): OutlineEntry {
  const title = scratch
    .text((at, size) => pdfium.FPDFBookmark_GetTitle(item, at, size), 'utf-16le')
    .replace(/\s+/g, ' ')
    .trim();
  let destination = pdfium.FPDFBookmark_GetDest(handle, item);
  if (destination === 0) {
    const action = pdfium.FPDFBookmark_GetAction(item);
    if (action !== 0) destination = pdfium.FPDFAction_GetDest(handle, action);
  }
  const index = destination === 0 ? -1 : pdfium.FPDFDest_GetDestPageIndex(handle, destination);
  return { title, level, page: index < 0 ? undefined : index + 1 };
}

/** /Lang of the catalog. */
export function documentLanguage({ pdfium, handle }: PdfiumDocument): string | undefined {
  const language = withScratch(pdfium, (scratch) =>
    scratch.text((at, size) => pdfium.EPDFCatalog_GetLanguage(handle, at, size), 'utf-16le'),
  ).trim();
  return language === '' ? undefined : language;
}
