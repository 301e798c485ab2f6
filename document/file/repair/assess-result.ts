import type { PDFContext } from 'pdf-lib';
import { asDict, catalogOf, entry, nameText, readNameTree, resolve } from '../objects/index.js';
import { allFieldNodes, readFields } from '../../forms/fields/index.js';
import { type OutlineNode, readOutlines } from '../../structure/outlines/index.js';
import { withDocument } from '../../engines/pdfium/index.js';
import { runQpdfRaw } from '../../engines/qpdf/index.js';
import { countPages, type LazyDocument, openLazily } from '../reader/index.js';

/** Verdict of a strict reader: no complaint, repaired with warnings, or unreadable. */
export type Verdict = 'clean' | 'warnings' | 'broken';

/** Counts of a document's content beside its pages. */
export interface ContentCounts {
  readonly outlineItems: number;
  readonly fields: number;
  readonly attachments: number;
  /** Keys of the catalog that have a value (structure tree, layers, labels, language ...). */
  readonly catalogKeys: ReadonlySet<string>;
}

/** The quality of a rewritten document. */
export interface Assessment {
  readonly pages: number;
  readonly verdict: Verdict;
  /** Undefined where the objects contradict each other. */
  readonly counts: ContentCounts | undefined;
  /** True when Quire's reader found pages, and every object where the file says. */
  readonly opensAtOnce: boolean;
}

/**
 * Assesses a result: PDFium must open it and reach pages. Undefined when it does not, or when strict readers see no
 * page. `timeMs` is the limit for each engine.
 */
export async function assessResult(bytes: Uint8Array, timeMs: number): Promise<Assessment | undefined> {
  const pages = await withDocument(bytes, { timeMs }, (document) => document.reachablePages()).catch(() => 0);
  if (pages === 0) return undefined;
  const own = readAgain(bytes);
  if (own === undefined) return undefined;
  const inputs = [{ name: 'in.pdf', bytes }];
  // PDFium reaches pages through trees that stricter readers consider empty.
  if ((await runQpdfRaw(['--show-npages', 'in.pdf'], { inputs, outputs: [], timeMs })).stdout.trim() === '0')
    return undefined;
  // As `qpdf --check`, but without decoding content streams: those may be bombs, and damage in them is not structural.
  const { code } = await runQpdfRaw(
    ['--object-streams=preserve', '--stream-data=preserve', '--decode-level=none', 'in.pdf', 'out.pdf'],
    { inputs, outputs: ['out.pdf'], timeMs },
  );
  // Where PDFium sees pages and Quire's reader does not, other readers will differ too, so the result must not count as
  // clean.
  const { hasPages, ...rest } = own;
  return {
    pages,
    verdict: code === 0 && hasPages ? 'clean' : code === 0 || code === 3 ? 'warnings' : 'broken',
    ...rest,
  };
}

/** A document whose first pages up to this number are empty counts as blank. */
const MAX_CHECKED_PAGES = 100;

/** True when PDFium finds content on one of the first pages. */
export async function hasVisibleContent(bytes: Uint8Array, timeMs: number): Promise<boolean> {
  return withDocument(bytes, { timeMs }, (document) => {
    const { pdfium } = document;
    const pageCount = document.reachablePages(MAX_CHECKED_PAGES);
    for (let i = 0; i < Math.min(pageCount, MAX_CHECKED_PAGES); i++) {
      if (document.withPage(i, (page) => pdfium.FPDFPage_CountObjects(page) + pdfium.FPDFPage_GetAnnotCount(page)) > 0)
        return true;
    }
    return false;
  }).catch(() => false);
}

/** Reopens a result with Quire's reader; undefined when that fails. */
function readAgain(
  bytes: Uint8Array,
): (Pick<Assessment, 'counts' | 'opensAtOnce'> & { readonly hasPages: boolean }) | undefined {
  try {
    const document = openLazily(bytes);
    const hasPages = countPages(document) > 0;
    const counts = contentCountsOf(document);
    return { hasPages, counts, opensAtOnce: hasPages && !document.recovered };
  } catch {
    return undefined;
  }
}

/** Counts a document's content beside its pages; undefined where its objects contradict each other. */
export function contentCountsOf(document: LazyDocument): ContentCounts | undefined {
  try {
    return countContent(document.context);
  } catch {
    return undefined;
  }
}

function countContent(context: PDFContext): ContentCounts {
  const catalog = catalogOf(context);
  const names = catalog === undefined ? undefined : asDict(context, entry(catalog, 'Names'));
  const countItems = (nodes: readonly OutlineNode[]): number =>
    nodes.reduce((sum, { children }) => sum + 1 + countItems(children), 0);
  return {
    outlineItems: countItems(readOutlines(context)),
    fields: [...allFieldNodes(readFields(context))].length,
    attachments: names === undefined ? 0 : readNameTree(context, entry(names, 'EmbeddedFiles')).length,
    catalogKeys: new Set(
      (catalog?.entries() ?? [])
        .filter(([, value]) => resolve(context, value) !== undefined)
        .map(([key]) => nameText(key)),
    ),
  };
}

/** Returns the share of the content in `before` that is still in `after`, from 0 to 1. */
export function shareKept(before: ContentCounts | undefined, after: ContentCounts | undefined): number {
  if (before === undefined || after === undefined) return 1;
  const kept = (was: number, is: number): number => (was === 0 ? 1 : Math.min(1, is / was));
  const keys = [...before.catalogKeys];
  return (
    (kept(before.outlineItems, after.outlineItems) +
      kept(before.fields, after.fields) +
      kept(before.attachments, after.attachments) +
      kept(keys.length, keys.filter((key) => after.catalogKeys.has(key)).length)) /
    4
  );
}

/**
 * True when `a` is the better result: first, one that strict readers can open; then the one with more pages; then the
 * one that kept more content.
 */
export function isBetter(a: Assessment, b: Assessment, before: ContentCounts | undefined): boolean {
  if ((a.verdict === 'broken') !== (b.verdict === 'broken')) return b.verdict === 'broken';
  if (a.pages !== b.pages) return a.pages > b.pages;
  const [keptByA, keptByB] = [shareKept(before, a.counts), shareKept(before, b.counts)];
  if (keptByA !== keptByB) return keptByA > keptByB;
  return a.verdict === 'clean' && b.verdict !== 'clean';
}
