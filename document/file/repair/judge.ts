import type { PDFContext } from 'pdf-lib';
import { asDict, catalogOf, entry, nameText, readNameTree, resolve } from '../objects/index.js';
import { allFieldNodes, readFields } from '../../forms/fields/index.js';
import { type OutlineNode, readOutlines } from '../../structure/outlines/index.js';
import { withDocument } from '../../engines/pdfium/index.js';
import { runQpdfRaw } from '../../engines/qpdf/index.js';
import { countPages, type LazyDocument, openLazily } from '../reader/index.js';

/** What a strict reader says of a document: nothing, that it had to mend something, or that it cannot read it. */
export type Verdict = 'clean' | 'warnings' | 'broken';

/** What a document holds beside its pages. */
export interface Holdings {
  readonly outlineItems: number;
  readonly fields: number;
  readonly attachments: number;
  /** Keys of the catalog that have a value (structure tree, layers, labels, language ...). */
  readonly catalogKeys: ReadonlySet<string>;
}

/** What a rewritten document is worth. */
export interface Judgement {
  readonly pages: number;
  readonly verdict: Verdict;
  /** Undefined where its objects make no sense. */
  readonly holdings: Holdings | undefined;
  /** True when our own reader found pages, and everything where the file says. */
  readonly opensAtOnce: boolean;
}

/**
 * Judges a result: PDFium must open it and reach pages. Undefined when it does not, or when strict readers see no page.
 * `timeMs` for each engine.
 */
export async function judge(bytes: Uint8Array, timeMs: number): Promise<Judgement | undefined> {
  const pages = await withDocument(bytes, { timeMs }, (document) => document.reachablePages()).catch(() => 0);
  if (pages === 0) return undefined;
  const own = readAgain(bytes);
  if (own === undefined) return undefined;
  const inputs = [{ name: 'in.pdf', bytes }];
  // PDFium reaches pages through trees that stricter readers take for empty.
  if ((await runQpdfRaw(['--show-npages', 'in.pdf'], { inputs, outputs: [], timeMs })).stdout.trim() === '0')
    return undefined;
  // As `qpdf --check`, but without decoding content streams: those may be bombs, and damage in them is not structural.
  const { code } = await runQpdfRaw(
    ['--object-streams=preserve', '--stream-data=preserve', '--decode-level=none', 'in.pdf', 'out.pdf'],
    { inputs, outputs: ['out.pdf'], timeMs },
  );
  // Where PDFium sees pages and our own reader does not, others will differ too: never a reason to stop trying.
  const { hasPages, ...rest } = own;
  return {
    pages,
    verdict: code === 0 && hasPages ? 'clean' : code === 0 || code === 3 ? 'warnings' : 'broken',
    ...rest,
  };
}

/** Pages that are looked at before a document counts as blank. */
const MAX_LOOKS = 100;

/** True when one of the first pages has content that PDFium makes something of. */
export async function showsSomething(bytes: Uint8Array, timeMs: number): Promise<boolean> {
  return withDocument(bytes, { timeMs }, (document) => {
    const { pdfium } = document;
    const looks = document.reachablePages(MAX_LOOKS);
    for (let i = 0; i < Math.min(looks, MAX_LOOKS); i++) {
      if (document.withPage(i, (page) => pdfium.FPDFPage_CountObjects(page) + pdfium.FPDFPage_GetAnnotCount(page)) > 0)
        return true;
    }
    return false;
  }).catch(() => false);
}

/** Reopens a result with our own reader; undefined when that cannot. */
function readAgain(
  bytes: Uint8Array,
): (Pick<Judgement, 'holdings' | 'opensAtOnce'> & { readonly hasPages: boolean }) | undefined {
  try {
    const document = openLazily(bytes);
    const hasPages = countPages(document) > 0;
    const holdings = holdingsIn(document);
    return { hasPages, holdings, opensAtOnce: hasPages && !document.recovered };
  } catch {
    return undefined;
  }
}

/** What a document holds; undefined where its objects make no sense. */
export function holdingsIn(document: LazyDocument): Holdings | undefined {
  try {
    return holdingsOf(document.context);
  } catch {
    return undefined;
  }
}

function holdingsOf(context: PDFContext): Holdings {
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

/** How much of what `before` holds is in `after`, from 0 to 1. */
export function shareKept(before: Holdings | undefined, after: Holdings | undefined): number {
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
 * True when `a` is the better of two results: what strict readers cannot open is the last choice, then pages count,
 * then what is kept.
 */
export function isBetter(a: Judgement, b: Judgement, before: Holdings | undefined): boolean {
  if ((a.verdict === 'broken') !== (b.verdict === 'broken')) return b.verdict === 'broken';
  if (a.pages !== b.pages) return a.pages > b.pages;
  const [keptByA, keptByB] = [shareKept(before, a.holdings), shareKept(before, b.holdings)];
  if (keptByA !== keptByB) return keptByA > keptByB;
  return a.verdict === 'clean' && b.verdict !== 'clean';
}
