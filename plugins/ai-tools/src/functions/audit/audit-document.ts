import { type Block, blockText, type LayoutPage, type Table, withLayout } from '@quire/document/layout';
import type { PdfInput } from '@quire/document/file/source';
import { checkClaim, type Claim } from './claims.js';
import type { AuditOptions, Discrepancy } from './discrepancy.js';
import { checkExpressions } from './expressions.js';
import { listsOfAmounts, OnceAmounts } from './labelled-lines.js';
import { pageLines } from './page-lines.js';
import { readClaims, sentencesOf } from './read-claims.js';
import { usualMark } from './read-number.js';
import { type AuditTable, checkTable } from './tallies.js';

/** A page's sentences with numbers, from which the model proposes further claims. */
export interface PageProse {
  /** 1-based. */
  readonly page: number;
  readonly sentences: readonly string[];
}

/** Options and callbacks of an audit. */
export interface AuditRun {
  readonly tolerance: AuditOptions['tolerance'];
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
  /** Finds further claims in the prose; they are calculated here like all others. `rounds`: questions to the model. */
  readonly propose: (
    prose: readonly PageProse[],
  ) => Promise<{ readonly claims: readonly Claim[]; readonly rounds: number }>;
}

export interface AuditResult {
  readonly discrepancies: readonly Discrepancy[];
  /** 1-based. */
  readonly pagesExamined: readonly number[];
  /** Pages without text, as scanned ones are. */
  readonly unauditablePages: readonly number[];
  readonly rounds: number;
}

/** No reader looks at more. */
const MOST_FOUND = 1000;

/**
 * Looks for arithmetic that does not come out: totals of tables and lists, products and totals of rows, arithmetic that
 * is written out, claims in sentences, and amounts that are named twice differently. All is calculated exactly, here.
 * Errors: those of opening, of `propose`, the signal's reason.
 */
export async function auditDocument(
  input: PdfInput,
  { tolerance, signal, progress, propose }: AuditRun,
): Promise<AuditResult> {
  const lines = await pageLines(input, signal);
  const options: AuditOptions = { tolerance, mark: usualMark(lines.flat().join('\n')) };
  const once = new OnceAmounts(options);
  const found: Discrepancy[] = [];
  const prose: PageProse[] = [];
  const examined = lines.flatMap((page, i) => (page.length === 0 ? [] : [i + 1]));
  await withLayout(input, { signal, progress }, async (document) => {
    for await (const page of document.pages()) {
      const sentences: string[] = [];
      for (const block of blocksOf(page)) {
        if (block.kind === 'table') found.push(...checkTable(tableOf(block), options));
        for (const text of block.kind === 'table'
          ? block.rows.flatMap(({ cells }) => cells.map(({ blocks }) => blocks.map(blockText).join(' ')))
          : [blockText(block)]) {
          found.push(...checkExpressions(text, block.page, options));
          if (block.kind === 'table') continue;
          for (const sentence of sentencesOf(text)) {
            for (const claim of readClaims(sentence, block.page)) found.push(...listOf(checkClaim(claim, options)));
            if (/\p{L}{2}/u.test(sentence) && (sentence.match(/\p{Nd}+/gu)?.length ?? 0) >= 2) sentences.push(sentence);
          }
        }
      }
      if (sentences.length > 0) prose.push({ page: page.number, sentences });
    }
  });
  for (const [i, page] of lines.entries()) {
    once.add(page, i + 1);
    for (const list of listsOfAmounts(page, i + 1, options)) found.push(...checkTable(list, options));
  }
  const { claims, rounds } = await propose(prose);
  for (const claim of claims) found.push(...listOf(checkClaim(claim, options)));
  const discrepancies = withoutRepeats([...found, ...once.contradictions()]);
  return {
    discrepancies,
    pagesExamined: examined,
    unauditablePages: lines.flatMap((page, i) => (page.length === 0 ? [i + 1] : [])),
    rounds,
  };
}

const listOf = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value]);

/** One fault is often seen in two ways, as a table and as lines. */
function withoutRepeats(found: readonly Discrepancy[]): readonly Discrepancy[] {
  const byPlace = new Map<string, Discrepancy>();
  const digits = (text: string): string => text.replace(/[^\d]/g, '');
  for (const one of found) {
    const key =
      `${one.page} ${one.kind === 'statement' ? 'arithmetic' : one.kind} ${digits(one.stated)} ` +
      `${digits(one.expected).replace(/0+$/, '')}`;
    if (!byPlace.has(key) && byPlace.size < MOST_FOUND) byPlace.set(key, one);
  }
  return [...byPlace.values()].sort((a, b) => a.page - b.page);
}

function* blocksOf(page: LayoutPage): Generator<Block> {
  for (const block of [...page.blocks, ...page.footnotes.flatMap(({ blocks }) => blocks)]) {
    if (block.kind === 'list') for (const { blocks } of block.items) yield* blocks;
    else yield block;
  }
}

/** Cell texts of a table; header rows are joined, and a row belongs to the page where it is printed. */
function tableOf(table: Table): AuditTable {
  const columns = table.columnWidths.length;
  const rows = table.rows.map(({ cells }, at) => {
    const texts = Array.from({ length: columns }, () => '');
    for (const { column, blocks } of cells) texts[column] = blocks.map(blockText).join(' ');
    return { page: table.turns?.findLast((turn) => turn.at <= at)?.page ?? table.page, cells: texts };
  });
  const first = Math.max(
    table.headerRows,
    rows.length > 1 && rows[0]?.cells.every((cell) => !/\p{Nd}/u.test(cell)) === true ? 1 : 0,
  );
  const head = Array.from({ length: columns }, (_, column) =>
    rows
      .slice(0, first)
      .map(({ cells }) => cells[column] ?? '')
      .join(' ')
      .trim(),
  );
  return { head, rows: rows.slice(first) };
}
