import { type Block, type Table, withLayout } from '@quire/document/layout';
import type { PdfInput } from '@quire/document/file/source';
import { bboxOf, type ParsedBlock } from './parsed-blocks.js';
import { type ParsedTable, parseTable } from './table-grid.js';
import type { ReadingWatch } from './write-parsed.js';

/** A table of a document. */
export interface DocumentTable extends ParsedTable {
  /** 1-based page where it begins, and its 1-based place among the tables that begin there. */
  readonly page: number;
  readonly number: number;
  /** The last page on which it goes on, where that is another. */
  readonly pageEnd?: number;
  /** As in `ParsedBlock`. */
  readonly bbox: ParsedBlock['bbox'];
  /** Lines are drawn between its cells. */
  readonly ruled: boolean;
}

/**
 * Passes the tables of a PDF to a callback, page by page: with and without lines, also those in lists and cells; a
 * table across page breaks counts once. `isWanted` is asked with the page (1-based) where a table starts. Returns their
 * number. Throws the codes of opening and the signal's reason.
 */
export async function eachTable(
  input: PdfInput,
  select: (pageCount: number) => (page: number) => boolean,
  watch: ReadingWatch,
  take: (table: DocumentTable) => void | Promise<void>,
): Promise<number> {
  return withLayout(input, watch, async (document) => {
    const isWanted = select(document.pageCount);
    let count = 0;
    for await (const page of document.pages()) {
      let number = 0;
      for (const table of tablesIn([...page.blocks, ...page.footnotes.flatMap(({ blocks }) => blocks)])) {
        if (!isWanted(table.page)) continue;
        count++;
        const end = table.turns?.at(-1)?.page;
        await take({
          page: table.page,
          number: ++number,
          ...(end === undefined ? {} : { pageEnd: end }),
          bbox: bboxOf(table.box),
          ruled: table.ruled,
          ...parseTable(table),
        });
      }
    }
    return count;
  });
}

function* tablesIn(blocks: readonly Block[]): Generator<Table> {
  for (const block of blocks) {
    if (block.kind === 'list') for (const { blocks: inner } of block.items) yield* tablesIn(inner);
    if (block.kind !== 'table') continue;
    yield block;
    for (const { cells } of block.rows) for (const { blocks: inner } of cells) yield* tablesIn(inner);
  }
}
