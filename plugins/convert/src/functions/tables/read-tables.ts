import { withPages } from '@quire/document/layout';
import { breathe } from '@quire/document/engines/rendering';
import { findRuledTables, type FoundTable } from '@quire/document/layout/tables';

/** Which pages are looked at, and how the run goes. */
export interface ReadTablesOptions {
  /** The pages wanted, 0-based, in order, given how many there are. */
  readonly select: (pageCount: number) => readonly number[];
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

/** A table of a document. */
export interface DocumentTable {
  /** 1-based page, and 1-based place among the tables of that page. */
  readonly page: number;
  readonly number: number;
  /** How many tables the page has. */
  readonly ofPage: number;
  readonly table: FoundTable;
}

/**
 * Passes the ruled tables of the PDF at `path` to a callback: page by page in the requested order, from the top of
 * each. Only one page is in memory at a time. Returns their number. Throws the codes of opening, the errors of `select`
 * and the signal's reason.
 */
export async function readTables(
  path: string,
  { select, signal, progress }: ReadTablesOptions,
  take: (table: DocumentTable) => void | Promise<void>,
): Promise<number> {
  return withPages({ path }, async ({ reader, pageCount }) => {
    const pages = select(pageCount);
    let count = 0;
    for (const [done, index] of pages.entries()) {
      await breathe(signal);
      const tables = findRuledTables(reader.read(index));
      for (const [i, table] of tables.entries())
        await take({ page: index + 1, number: i + 1, ofPage: tables.length, table });
      count += tables.length;
      progress?.(done + 1, pages.length);
    }
    return count;
  });
}
