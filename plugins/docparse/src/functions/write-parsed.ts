import { open } from 'node:fs/promises';
import { withLayout } from '@quire/document/layout';
import { PageWriter } from '@quire/document/layout/markdown';
import type { PdfInput } from '@quire/document/file/source';
import { parsePage } from './parsed-blocks.js';

/** How the reading is watched. */
export interface ReadingWatch {
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

/** How many of what was found. */
export interface ParsedCounts {
  readonly pages: number;
  readonly blocks: number;
  readonly tables: number;
}

/**
 * Writes the layout of a PDF as JSON to `target`: `{...facts, title?, language?, tagged, coordinates, blocks, pages,
 * markdown}`. Blocks go into the file page by page. Errors: PDF_DAMAGED, PDF_NO_PAGES, PDF_ENCRYPTED,
 * PDF_ENCRYPTION_UNSUPPORTED; the signal's reason.
 */
export async function writeParsed(
  input: PdfInput,
  target: string,
  facts: object,
  watch: ReadingWatch,
): Promise<ParsedCounts> {
  return withLayout(input, watch, async (document) => {
    const { title, language, tagged, pageCount } = document;
    const head = JSON.stringify({
      ...facts,
      ...(title === undefined ? {} : { title }),
      ...(language === undefined ? {} : { language }),
      tagged,
      pageCount,
      coordinates: 'points of the page as shown, from its upper left corner: left, top, right, bottom',
    });
    const writer = new PageWriter();
    const [pages, markdown]: [object[], string[]] = [[], []];
    let [blocks, tables] = [0, 0];
    const file = await open(target, 'wx', 0o600);
    try {
      await file.write(`${head.slice(0, -1)},"blocks":[`);
      for await (const page of document.pages()) {
        const found = parsePage(page, blocks);
        if (found.length > 0)
          await file.write((blocks === 0 ? '\n' : ',\n') + found.map((block) => JSON.stringify(block)).join(',\n'));
        blocks += found.length;
        tables += found.filter(({ type }) => type === 'table').length;
        pages.push({
          page: page.number,
          width: rounded(page.width),
          height: rounded(page.height),
          columns: page.columns,
        });
        markdown.push(...writer.parts(page).map(({ text }) => text));
      }
      await file.write(
        `],\n"pages":${JSON.stringify(pages)},\n"markdown":` +
          `${JSON.stringify(markdown.join('\n\n') + (markdown.length > 0 ? '\n' : ''))}}\n`,
      );
    } finally {
      await file.close();
    }
    return { pages: pageCount, blocks, tables };
  });
}

const rounded = (points: number): number => Math.round(points * 100) / 100;
