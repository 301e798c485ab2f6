import { plainPageText } from '@quire/document/layout';
import { readPdf } from '@quire/document/content/text';

/** The text of a page. */
export interface PageText {
  /** 1-based. */
  readonly page: number;
  readonly text: string;
}

/** How pages are read. */
export interface ReadingOptions {
  readonly signal: AbortSignal;
  /** Picks pages (0-based) once their number is known; all by default. */
  readonly choose?: (count: number) => readonly number[];
  readonly progress?: (done: number, total: number) => void;
}

/** Longest text of a page that is read, in characters. */
const MAX_PAGE = 400_000;

/**
 * Reads pages of a PDF as text, line by line; those without text are left out. Errors: those of `readPdf`; the signal's
 * reason.
 */
export async function readPageTexts(
  path: string,
  { signal, choose, progress }: ReadingOptions,
): Promise<{ readonly pageCount: number; readonly pages: readonly PageText[] }> {
  return readPdf({ path }, async (document) => {
    const pageCount = document.reachablePages();
    const indexes = choose?.(pageCount) ?? Array.from({ length: pageCount }, (_, i) => i);
    const pages: PageText[] = [];
    for (const [done, index] of indexes.entries()) {
      const text = plainPageText(document, index).slice(0, MAX_PAGE).trim();
      if (text !== '') pages.push({ page: index + 1, text });
      progress?.(done + 1, indexes.length);
      // PDFium does not wait: the signal is seen between pages only.
      if (done % 8 === 7) await new Promise((resolve) => void setImmediate(resolve));
      signal.throwIfAborted();
    }
    return { pageCount, pages };
  });
}

/** How much a question may hold. */
export interface TextBudget {
  readonly pages: number;
  /** UTF-16 code units. */
  readonly characters: number;
}

/** Pages as the model is shown them. */
export function markedText(pages: readonly PageText[]): string {
  return pages.map(({ page, text }) => `${pageMark(page)}${text}\n`).join('\n');
}

function pageMark(page: number): string {
  return `[page ${page}]\n`;
}

/** Code units of a page in `markedText`. */
export function markedLength({ page, text }: PageText): number {
  return pageMark(page).length + text.length + 2;
}

/** The page cut to what a question may hold; undefined where that is next to nothing. */
export function cutPage(page: PageText, characters: number): PageText | undefined {
  const room = characters - (markedLength(page) - page.text.length);
  if (page.text.length <= room) return page;
  return room < 40 ? undefined : { ...page, text: page.text.slice(0, room).replace(/[\ud800-\udbff]$/, '') };
}

/** The pages in portions that a question each may hold, in order; a page that alone is longer is cut. */
export function portionsOf(pages: readonly PageText[], { pages: most, characters }: TextBudget): PageText[][] {
  const portions: PageText[][] = [];
  let [portion, length]: [PageText[], number] = [[], 0];
  for (const whole of pages) {
    const page = cutPage(whole, characters);
    if (page === undefined) continue;
    if (portion.length > 0 && (portion.length >= most || length + markedLength(page) > characters)) {
      portions.push(portion);
      [portion, length] = [[], 0];
    }
    portion.push(page);
    length += markedLength(page);
  }
  return portion.length === 0 ? portions : [...portions, portion];
}
