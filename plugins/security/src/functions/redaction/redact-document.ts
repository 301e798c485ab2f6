import type { PDFDict } from 'pdf-lib';
import { DocumentError } from '@quire/document';
import { redactDocumentData } from '@quire/document/redaction/document-data';
import { type Box, ContentReader, type Quad, readPageText } from '@quire/document/content';
import type { Colour } from '@quire/document/content/drawing';
import { finderOf, pageGlyphs, type TextSearch } from '@quire/document/redaction/search';
import { guardDocument, type OpenedPdf, withPdf, writePdf } from '@quire/document/file/open';
import { type PageEntry, pageBox } from '@quire/document/structure/pages';
import { type RedactArea, removeAreas, wipePages } from '@quire/document/redaction/erasure';
import { BoxDrawing, boxOfLine, quadOfBox, type RedactionBox } from './redaction-boxes.js';
import { elsewhere, type LeftOver, verifyRedaction } from './redaction-check.js';
import {
  type ContentScan,
  type DocumentHits,
  locateHits,
  type OnPage,
  scanContent,
  searchWithPdfium,
} from './redaction-search.js';
import { emptyFoundTiles } from './redaction-tiles.js';

/** A part of a page that is to be emptied, and the boxes that are drawn over it. */
export interface PlannedArea extends RedactArea {
  readonly boxes: readonly RedactionBox[];
}

/** What is to leave a document. */
export interface RedactionPlan {
  /** Text that leaves wherever it stands. */
  readonly search?: TextSearch;
  /** Areas by page, once the document is open. */
  readonly areas?: (opened: OpenedPdf) => ReadonlyMap<PDFDict, readonly PlannedArea[]>;
  /**
   * Pages of which nothing is left, with the boxes that stand there instead; without one of their own they are covered
   * whole.
   */
  readonly wiped?: (opened: OpenedPdf) => ReadonlyMap<PDFDict, readonly RedactionBox[] | undefined>;
  /** Colour of boxes over found text and over whole pages. */
  readonly colour: Colour;
  /** Points added above and below the boxes of found text; what they cover leaves too. */
  readonly padding: number;
}

/** How to redact. */
export interface RedactOptions {
  readonly signal: AbortSignal;
  readonly modified: Date;
  readonly progress: (done: number, total: number) => void;
}

/** What a redaction did. */
export interface RedactionReport {
  /** Where the result lies: `target`, or beside it when it took more than one round. */
  readonly path: string;
  /** Matches of text on pages. */
  readonly matches: number;
  /** Glyphs whose fonts do not tell what they are, where text was looked for. */
  readonly unreadable: number;
}

/** After so many rounds what is left will not go. */
const MAX_ROUNDS = 4;

/**
 * Removes what a plan names from the file at `source` and writes the result to `target` or beside it, boxes over what
 * went. The result is then read again by PDFium and by our own reader: what is left is removed in another round, and
 * when that does not help either the redaction fails. Errors: REDACTION_INCOMPLETE, PATTERN_TOO_SLOW, those of opening,
 * reading and writing.
 */
export async function redactDocument(
  source: string,
  target: string,
  plan: RedactionPlan,
  options: RedactOptions,
): Promise<RedactionReport> {
  const { search } = plan;
  const { signal } = options;
  const progress = steps(options.progress);
  let first = await redactOnce(source, target, plan, options, progress(0));
  let path = target;
  const verify = (): Promise<Map<number, LeftOver>> =>
    verifyRedaction(
      path,
      { search, areas: first.areas, touched: first.touched, pageCount: first.pages },
      signal,
      progress(1),
    );
  let left = await verify();
  const missed = [...left.keys()].filter((index) => !first.asked.has(index));
  if (missed.length > 0) {
    // PDFium alone reads something there: its places must be known on the input, where nothing is cut yet.
    path = `${target}.again`;
    first = await redactOnce(source, path, plan, options, () => undefined, { scan: first.scan, missed });
    left = await verify();
  }
  for (let round = 1; left.size > 0; round++) {
    if (round >= MAX_ROUNDS) throw new DocumentError('REDACTION_INCOMPLETE', { where: pagesText([...left.keys()]) });
    for (const index of left.keys()) first.touched.add(index);
    const next = `${target}.${round}`;
    await removeLeft(path, next, left, plan, options, round > 1);
    path = next;
    left = await verify();
  }
  return { path, matches: first.hits?.matches ?? 0, unreadable: first.scan?.unreadable ?? 0 };
}

interface Redacted {
  /** Indexes of the pages of which something went. */
  readonly touched: Set<number>;
  /** Areas in which no text may be left, by page index. */
  readonly areas: ReadonlyMap<number, readonly Quad[]>;
}

/** What was written first. */
interface FirstRound extends Redacted {
  readonly scan: ContentScan | undefined;
  readonly hits: DocumentHits | undefined;
  /** Indexes of the pages that PDFium read on the input: all of which something goes. */
  readonly asked: ReadonlySet<number>;
  readonly pages: number;
}

/** Parts of a page that a plan names, and pages that it empties. */
interface NamedParts {
  readonly named: ReadonlyMap<PDFDict, readonly PlannedArea[]>;
  readonly wiped: ReadonlyMap<PDFDict, readonly RedactionBox[] | undefined>;
}

/**
 * Searches `source`, removes and writes `target`. PDFium reads only the pages of which something goes, since afterwards
 * it reads the whole result: `missed` are pages on which that found something, `scan` is what was found then.
 */
function redactOnce(
  source: string,
  target: string,
  plan: RedactionPlan,
  options: RedactOptions,
  onPage: OnPage,
  known?: { readonly scan: ContentScan | undefined; readonly missed: readonly number[] },
): Promise<FirstRound> {
  const { search } = plan;
  const { signal } = options;
  return withPdf({ path: source }, {}, (opened) =>
    guardDocument('fileInput', async () => {
      const { pages } = opened;
      const scan = search === undefined ? undefined : (known?.scan ?? scanContent(opened, search, signal, onPage));
      const parts = {
        named: plan.areas?.(opened) ?? new Map<PDFDict, readonly PlannedArea[]>(),
        wiped: plan.wiped?.(opened) ?? new Map<PDFDict, undefined>(),
      };
      const planned = [...pages.keys()].filter(
        (index) => parts.named.has(pages[index]!.dict) || parts.wiped.has(pages[index]!.dict),
      );
      const asked = new Set([...(scan?.holding ?? []), ...planned, ...(known?.missed ?? [])]);
      const second =
        search === undefined || asked.size === 0 ? undefined : await searchWithPdfium(source, asked, search, signal);
      const hits =
        search === undefined || scan === undefined ? undefined : locateHits(opened, search, scan, second, signal);
      const done = await redactOpened(opened, plan, parts, hits, options);
      writePdf(opened, target, { mode: 'rewrite', modified: options.modified });
      return { ...done, scan, hits, asked, pages: pages.length };
    }),
  );
}

/** Everything but searching and writing. */
async function redactOpened(
  opened: OpenedPdf,
  plan: RedactionPlan,
  { named, wiped }: NamedParts,
  hits: DocumentHits | undefined,
  { signal }: RedactOptions,
): Promise<Redacted> {
  const {
    document: { context },
    pages,
  } = opened;
  const planned = new Map([...named].map(([dict, areas]) => [dict, [...areas]]));
  const strict = new Map(
    [...named].map(([dict, areas]) => [
      dict,
      areas.flatMap(({ quad, text, kinds }) =>
        text === undefined && (kinds === undefined || kinds.includes('text')) ? [quad] : (text ?? []),
      ),
    ]),
  );
  for (const [dict, { found, staying }] of hits?.pages ?? []) {
    const areas = planned.get(dict) ?? [];
    planned.set(dict, areas);
    for (const line of found.flatMap(({ lines }) => lines)) {
      const quad = boxOfLine(line, staying, plan.padding);
      areas.push({ quad, text: [line.quad], colour: rgb(plan.colour), boxes: [{ quad, colour: plan.colour }] });
      if (plan.padding > 0) areas.push({ quad, kinds: ['text'], boxes: [] });
    }
  }
  const boxes = new Map([...planned].map(([dict, areas]) => [dict, areas.flatMap((area) => area.boxes)]));
  for (const page of pages)
    if (wiped.has(page.dict))
      boxes.set(page.dict, [
        ...(wiped.get(page.dict) ?? [wholePage(opened, page, plan)]),
        ...(named.get(page.dict) ?? []).flatMap((area) => area.boxes),
      ]);
  for (const dict of wiped.keys()) planned.delete(dict);
  await removeAreas(opened, planned, { signal });
  if (plan.search !== undefined) emptyFoundTiles(opened, plan.search);
  wipePages(
    opened,
    pages.filter(({ dict }) => wiped.has(dict)),
  );
  await redactDocumentData(
    opened,
    {
      ...(plan.search === undefined ? {} : { find: finderOf(plan.search) }),
      areas: new Map([...boxes].map(([dict, own]) => [dict, own.map(({ quad }) => quad)])),
      wiped: new Set(wiped.keys()),
      metadata: (hits?.matches ?? 0) > 0,
    },
    { signal },
  );
  new BoxDrawing(context).draw(pages, boxes);
  const touched = new Set<number>();
  const areas = new Map<number, readonly Quad[]>();
  for (const [index, page] of pages.entries()) {
    if (boxes.has(page.dict) || planned.has(page.dict)) touched.add(index);
    const quads = wiped.has(page.dict) ? [quadOfBox(everywhere(opened, page))] : strict.get(page.dict);
    if (quads !== undefined && quads.length > 0) areas.set(index, quads);
  }
  return { touched, areas };
}

/**
 * Another round: only text, at the places that the second reader tells; when that did not help, the same letters
 * wherever they are on their lines.
 */
function removeLeft(
  source: string,
  target: string,
  left: ReadonlyMap<number, LeftOver>,
  plan: RedactionPlan,
  options: RedactOptions,
  again: boolean,
): Promise<void> {
  return withPdf({ path: source }, {}, (opened) =>
    guardDocument('fileInput', async () => {
      const reader = new ContentReader(opened.document.context);
      const areas = new Map<PDFDict, RedactArea[]>();
      const boxes = new Map<PDFDict, RedactionBox[]>();
      for (const [index, { quads, lines, letters }] of left) {
        const page = opened.pages[index];
        if (page === undefined) continue;
        const drawn = lines.map((line) => ({ quad: boxOfLine(line, [], 0), colour: plan.colour }));
        areas.set(page.dict, [
          ...(areas.get(page.dict) ?? []),
          ...[
            ...quads,
            ...lines.map(({ quad }) => quad),
            ...(again ? elsewhere(pageGlyphs(readPageText(reader, page).runs).glyphs, letters) : []),
          ].map((quad) => ({ quad, text: [quad], kinds: ['text'] as const })),
        ]);
        boxes.set(page.dict, [...(boxes.get(page.dict) ?? []), ...drawn]);
      }
      await removeAreas(opened, areas, { signal: options.signal });
      new BoxDrawing(opened.document.context).draw(opened.pages, boxes);
      writePdf(opened, target, { mode: 'rewrite', modified: options.modified });
    }),
  );
}

function wholePage({ document }: OpenedPdf, page: PageEntry, { colour }: RedactionPlan): RedactionBox {
  return { quad: quadOfBox(pageBox(document.context, page)), colour };
}

/** The media box and whatever lies beyond it within reason. */
function everywhere({ document }: OpenedPdf, page: PageEntry): Box {
  const [left, bottom, right, top] = pageBox(document.context, page, 'MediaBox');
  return [left - 20_000, bottom - 20_000, right + 20_000, top + 20_000];
}

function rgb({ red, green, blue }: Colour): readonly [number, number, number] {
  return [red, green, blue];
}

/** Twice over all pages: read by ourselves, checked. */
function steps(progress: RedactOptions['progress']): (step: number) => (done: number, total: number) => void {
  return (step) => (done, total) => progress(step * total + done, total * 2);
}

function pagesText(indexes: number[]): string {
  const numbers = indexes.sort((a, b) => a - b).map((index) => index + 1);
  return (
    `page${numbers.length > 1 ? 's' : ''} ` +
    `${numbers.slice(0, 20).join(', ')}${numbers.length > 20 ? ' and more' : ''}`
  );
}
