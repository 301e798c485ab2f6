import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { selectPages } from '@quire/registry';
import type { ViewTask } from './protocol.js';
import type { WireFile } from './wire-file.js';

/** The text of one page; `page` is 1-based. */
export interface PageText {
  readonly page: number;
  readonly text: string;
}

/** Pages of a document for somebody who looks at it. */
export interface ViewedPages {
  /** Number of pages of the whole document. */
  readonly pages: number;
  /** The pages that are shown, 1-based. */
  readonly shown: readonly number[];
  readonly texts: readonly PageText[];
}

/** Text that is already longer ends the reading of further pages. */
const ENOUGH_CHARACTERS = 2_000_000;

/**
 * Reads the text of pages, or draws them small. Throws PAGES_INVALID, PAGES_OUT_OF_RANGE and the errors of `readPdf`.
 */
export async function viewPages(
  task: ViewTask,
): Promise<{ readonly viewed: ViewedPages; readonly pictures: readonly WireFile[] }> {
  const { readPdf } = await import('@quire/document/content/text');
  return readPdf({ path: task.path }, async (document) => {
    const pages = document.reachablePages();
    const shown = selectPages(task.pageNumbers, pages).slice(0, task.most);
    const texts: PageText[] = [];
    const pictures: WireFile[] = [];
    let length = 0;
    for (const index of shown) {
      if (task.as === 'pictures') {
        pictures.push(await drawSmall(document, index, task));
        continue;
      }
      const text = document.pageText(index).replaceAll('\r\n', '\n');
      texts.push({ page: index + 1, text });
      length += text.length;
      if (length > ENOUGH_CHARACTERS) break;
    }
    const read = task.as === 'pictures' ? shown : shown.slice(0, texts.length);
    return { viewed: { pages, shown: read.map((index) => index + 1), texts }, pictures };
  });
}

type Document = Parameters<Parameters<(typeof import('@quire/document/content/text'))['readPdf']>[1]>[0];

/** Draws a page so that its longer side has `longestSide` pixels. */
async function drawSmall(document: Document, index: number, { longestSide, folder }: ViewTask): Promise<WireFile> {
  const { pixelSize, renderPage } = await import('@quire/document/engines/rendering/pages');
  const { encodePixels } = await import('@quire/document/images');
  const { width, height } = document.pageGeometry(index);
  const size = pixelSize({ width, height }, (longestSide * 72) / Math.max(width, height, 1));
  const data = renderPage(document, index, { ...size, annotations: true });
  const bytes = await encodePixels({ ...size, channels: 4, data }, 'jpeg', 'pageNumbers');
  const path = join(folder, `page-${index + 1}.jpg`);
  await writeFile(path, bytes, { mode: 0o600 });
  return { name: `page-${index + 1}.jpg`, kind: 'jpeg', path, size: bytes.length };
}
