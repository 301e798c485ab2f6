import type { PDFDict } from 'pdf-lib';
import { DocumentError } from '@quire/document';
import { redactDocumentData } from '@quire/document/redaction/document-data';
import { type Box, ContentReader, type Quad, readPageText } from '@quire/document/content';
import type { Colour } from '@quire/document/content/drawing';
import { finderOf, PageGlyphs, type TextSearch } from '@quire/document/redaction/search';
import { guardDocument, type OpenedPdf, withPdf, writePdf } from '@quire/document/file/open';
import { type PageEntry, pageBox } from '@quire/document/structure/pages';
import { type RedactArea, removeAreas, wipePages } from '@quire/document/redaction/erasure';
import { BoxDrawing, boxOfLine, quadOfBox, type RedactionBox } from './boxes.js';
import { elsewhere, type LeftOver, verifyRedaction } from './check.js';
import { pagesText } from './verify-by-ocr.js';
import { chooseHits, type ChosenHits } from './kept-matches.js';
import type { PlannedArea, RedactionPlan } from './plan.js';
import { type ContentScan, locateHits, type OnPage, scanContent, searchWithPdfium } from './search.js';
import { emptyFoundTiles } from './tiles.js';

export interface RedactOptions {
  readonly signal: AbortSignal;
  readonly modified: Date;
  readonly progress: (done: number, total: number) => void;
}

export interface RedactionReport {
  /** Path of the result: `target`, or a file next to it if it took more than one round. */
  readonly path: string;
  /** Number of matches that were removed from pages. */
  readonly matches: number;
  /** What nothing may be left of: all terms, without those of which a match stays. */
  readonly search: TextSearch | undefined;
  /**
   * Number of glyphs whose fonts do not map them to characters, in the text that was searched, by the name of the font.
   */
  readonly unreadable: ReadonlyMap<string, number>;
  /** The boxes drawn, by page index; a page that occurs several times has them once. */
  readonly boxes: ReadonlyMap<number, readonly RedactionBox[]>;
  /** What contains a term and could not be removed or renamed. */
  readonly left: readonly string[];
}

/** Text that is left after this many rounds cannot be removed. */
const MAX_ROUNDS = 4;

/**
 * Removes what a plan names from the file at `source`, draws boxes in its place, and writes the result to `target` or
 * next to it. PDFium and Quire's own parser then read the changed pages of the result again, and PDFium all others that
 * are not plain: another round removes what is left, and if that does not help, the redaction fails. Throws
 * REDACTION_INCOMPLETE, PATTERN_TOO_SLOW, and the errors of opening, reading and writing.
 */
export async function redactDocument(
  source: string,
  target: string,
  plan: RedactionPlan,
  options: RedactOptions,
): Promise<RedactionReport> {
  const { signal } = options;
  const progress = steps(options.progress);
  let first = await redactOnce(source, target, plan, options, progress(0));
  let path = target;
  const verify = (): Promise<Map<number, LeftOver>> =>
    verifyRedaction(path, { ...first, pageCount: first.pages }, signal, progress(1));
  let left = await verify();
  const missed = [...left.keys()].filter((index) => !first.asked.has(index));
  if (missed.length > 0) {
    // Only PDFium finds text there: its positions must be taken from the input, which is still complete.
    path = `${target}.again`;
    first = await redactOnce(source, path, plan, options, () => undefined, missed);
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
  return {
    path,
    matches: first.matches,
    search: first.search,
    boxes: first.boxes,
    unreadable: first.scan?.unreadable ?? new Map<string, number>(),
    left: first.left,
  };
}

interface Redacted extends Pick<RedactionReport, 'search' | 'boxes'> {
  /** Indexes of the pages from which something was removed. */
  readonly touched: Set<number>;
  /** Areas in which no text may be left, by page index. */
  readonly areas: ReadonlyMap<number, readonly Quad[]>;
  /** As in `RedactionReport`. */
  readonly left: readonly string[];
  /** True if content, fonts or names were changed besides the text that pages show. */
  readonly isContentChanged: boolean;
}

/** The result of the first round. */
interface FirstRound extends Omit<Redacted, 'isContentChanged'> {
  readonly scan: ContentScan | undefined;
  readonly matches: number;
  /** Indexes of the pages that PDFium read in the input. */
  readonly asked: ReadonlySet<number>;
  /** Indexes of the pages that PDFium need not read in the result. */
  readonly sure: ReadonlySet<number>;
  readonly pages: number;
}

/** The areas of pages that a plan names, and the pages that it empties. */
interface NamedParts {
  readonly named: ReadonlyMap<PDFDict, readonly PlannedArea[]>;
  readonly wiped: ReadonlyMap<PDFDict, readonly RedactionBox[] | undefined>;
}

/**
 * Searches `source`, removes the matches and writes `target`. PDFium reads only the pages from which something is
 * removed, and of these only those that it might read differently, because it reads the result afterwards: `missed` are
 * pages on which that found something.
 */
function redactOnce(
  source: string,
  target: string,
  plan: RedactionPlan,
  options: RedactOptions,
  onPage: OnPage,
  missed: readonly number[] = [],
): Promise<FirstRound> {
  const { search } = plan;
  const { signal } = options;
  return withPdf({ path: source }, {}, (opened) =>
    guardDocument('fileInput', async () => {
      const { pages } = opened;
      const scan = search === undefined ? undefined : scanContent(opened, search, signal, onPage);
      await scan?.sure.confirm(opened, signal);
      const parts = {
        named: plan.areas?.(opened) ?? new Map<PDFDict, readonly PlannedArea[]>(),
        wiped: plan.wiped?.(opened) ?? new Map<PDFDict, undefined>(),
      };
      const planned = [...pages.keys()].filter(
        (index) => parts.named.has(pages[index]!.dict) || parts.wiped.has(pages[index]!.dict),
      );
      const keep = plan.keep ?? new Set();
      // Matches that stay are named by what both readers find.
      const whole = keep.size > 0 ? pages.keys() : [];
      const unsure = [...(scan?.holding ?? [])].filter((index) => scan?.sure.has(pages[index]!.dict) === false);
      const asked = new Set([...unsure, ...planned, ...missed, ...whole]);
      const second =
        search === undefined || asked.size === 0 ? undefined : await searchWithPdfium(source, asked, search, signal);
      const hits =
        search === undefined || scan === undefined
          ? undefined
          : chooseHits(locateHits(opened, search, scan, second, signal), search, keep);
      const { isContentChanged, ...done } = await redactOpened(opened, plan, parts, hits, options);
      const sure = (isContentChanged ? undefined : scan?.sure.unchanged(opened)) ?? new Set();
      for (const index of scan?.holding ?? []) sure.delete(index);
      writePdf(opened, target, { mode: 'rewrite', modified: options.modified });
      return {
        ...done,
        scan,
        matches: hits?.hits.matches ?? 0,
        asked,
        sure,
        pages: pages.length,
      };
    }),
  );
}

/** Everything except searching and writing. */
async function redactOpened(
  opened: OpenedPdf,
  plan: RedactionPlan,
  { named, wiped }: NamedParts,
  chosen: ChosenHits | undefined,
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
  for (const [dict, quads] of chosen?.gone ?? []) strict.set(dict, [...(strict.get(dict) ?? []), ...quads]);
  for (const [dict, { found, staying }] of chosen?.hits.pages ?? []) {
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
  if (chosen?.search !== undefined) emptyFoundTiles(opened, chosen.search);
  wipePages(
    opened,
    pages.filter(({ dict }) => wiped.has(dict)),
  );
  const left: string[] = [];
  const { content } = await redactDocumentData(
    opened,
    {
      ...(plan.search === undefined
        ? {}
        : {
            find: finderOf(plan.search),
            terms: plan.search.terms.flatMap((term) => (term.regex === true ? [] : [term.text])),
          }),
      areas: new Map([...boxes].map(([dict, own]) => [dict, own.map(({ quad }) => quad)])),
      wiped: new Set(wiped.keys()),
      metadata: (chosen?.hits.matches ?? 0) > 0,
    },
    { signal, onLeft: (what) => left.push(what) },
  );
  new BoxDrawing(context).draw(pages, boxes);
  const touched = new Set<number>();
  const areas = new Map<number, readonly Quad[]>();
  for (const [index, page] of pages.entries()) {
    if (boxes.has(page.dict) || planned.has(page.dict)) touched.add(index);
    const quads = wiped.has(page.dict) ? [quadOfBox(everywhere(opened, page))] : strict.get(page.dict);
    if (quads !== undefined && quads.length > 0) areas.set(index, quads);
  }
  const drawn = new Map([...boxes].map(([dict, own]) => [pages.findIndex((page) => page.dict === dict), own]));
  return { search: chosen?.search, boxes: drawn, touched, areas, left, isContentChanged: content > 0 };
}

/**
 * Another round: removes only text, at the positions that the second reader reports; if that did not help, the same
 * letters wherever they are on their lines.
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
            ...(again ? elsewhere(new PageGlyphs(readPageText(reader, page).runs).all(), letters) : []),
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
  return { quad: quadOfBox(pageBox(document.context, page)), colour, upright: true };
}

/** The media box and a reasonable area around it. */
function everywhere({ document }: OpenedPdf, page: PageEntry): Box {
  const [left, bottom, right, top] = pageBox(document.context, page, 'MediaBox');
  return [left - 20_000, bottom - 20_000, right + 20_000, top + 20_000];
}

function rgb({ red, green, blue }: Colour): readonly [number, number, number] {
  return [red, green, blue];
}

/** The work passes over all pages twice: reading, and checking the result. */
function steps(progress: RedactOptions['progress']): (step: number) => (done: number, total: number) => void {
  return (step) => (done, total) => progress(step * total + done, total * 2);
}
