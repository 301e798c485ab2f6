import { readingOf, TextSearch } from '@quire/document/redaction/search';
import { readOutline, withLayout, withPages, plainPageText } from '@quire/document/layout';
import { breathe, findBlankPages } from '@quire/document/engines/rendering';
import { InputError } from '@quire/registry/errors';
import { extractFields } from '../fields/extract-fields.js';
import { plainName } from '../fields/field-names.js';
import { pageEvidence } from '../fields/read-evidence.js';
import type { SplitRule } from './parse-rule.js';

/** A part to be: 0-based indexes of its pages, in order, and what it is called. */
export interface PlannedPart {
  readonly title?: string;
  readonly pages: readonly number[];
}

/** How a document is looked at. */
export interface PlanOptions {
  readonly maxDpi: number;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

interface Start {
  readonly page: number;
  readonly title?: string;
}

/**
 * Returns the parts into which a rule splits a document; empty if there is nothing to split at. Throws the codes of
 * opening, INPUT_INVALID for missing pages and invalid patterns, PATTERN_TOO_SLOW.
 */
export async function planParts(path: string, rule: SplitRule, options: PlanOptions): Promise<readonly PlannedPart[]> {
  switch (rule.kind) {
    case 'ranges':
      return rangesOf(rule.ranges, await pageCountOf(path));
    case 'every': {
      const count = await pageCountOf(path);
      return fromStarts(
        Array.from({ length: Math.ceil(count / rule.pages) }, (_unused, i) => ({ page: i * rule.pages })),
        count,
      );
    }
    case 'parts': {
      const count = await pageCountOf(path);
      const parts = Math.min(rule.parts, count);
      return fromStarts(
        Array.from({ length: parts }, (_unused, i) => ({ page: Math.floor((i * count) / parts) })),
        count,
      );
    }
    case 'blank':
      return betweenBlanks(await findBlankPages(path, { threshold: 10, whitePercent: 99.9 }, options));
    case 'bookmarks':
      return atBookmarks(path);
    case 'headings': {
      const chapters = rule.chapters ? await atBookmarks(path) : [];
      return chapters.length > 0 ? chapters : atHeadings(path, options);
    }
    case 'text':
      return atText(path, rule, options);
    case 'value':
      return byValue(path, rule.field, options);
  }
}

const pageCountOf = (path: string): Promise<number> => withPages({ path }, ({ pageCount }) => pageCount);

function rangesOf(
  ranges: readonly { readonly from: number; readonly to: number | undefined }[],
  count: number,
): PlannedPart[] {
  return ranges.map(({ from, to = count }) => {
    if (from < 1 || to > count || from > to) {
      const detail = `"rule" names pages ${from} to ${to}; the document has the pages 1 to ${count}`;
      throw new InputError('INPUT_INVALID', { detail }, [{ pointer: '/rule', detail }]);
    }
    return { pages: pagesFrom(from - 1, to) };
  });
}

const pagesFrom = (from: number, end: number): number[] => Array.from({ length: end - from }, (_unused, i) => from + i);

/** Parts from each start to the next; pages before the first one are a part of their own. */
function fromStarts(starts: readonly Start[], count: number): PlannedPart[] {
  const [first] = starts;
  if (first === undefined) return [];
  const all = first.page > 0 ? [{ page: 0 }, ...starts] : starts;
  return all.flatMap((start: Start, i): PlannedPart[] => {
    const pages = pagesFrom(start.page, all[i + 1]?.page ?? count);
    return pages.length === 0 ? [] : [{ pages, ...(start.title === undefined ? {} : { title: start.title }) }];
  });
}

function betweenBlanks(blank: readonly boolean[]): PlannedPart[] {
  if (!blank.includes(true)) return [];
  const parts: number[][] = [[]];
  for (const [page, isBlank] of blank.entries()) {
    if (isBlank) parts.push([]);
    else parts.at(-1)!.push(page);
  }
  return parts.filter((pages) => pages.length > 0).map((pages) => ({ pages }));
}

async function atBookmarks(path: string): Promise<PlannedPart[]> {
  return withPages({ path }, ({ document, pageCount }) => {
    const starts = new Map<number, string>();
    const outline = readOutline(document).filter(({ page }) => page !== undefined && page <= pageCount);
    const top = Math.min(...outline.map(({ level }) => level));
    for (const { title, page, level } of outline)
      if (level === top && !starts.has(page! - 1)) starts.set(page! - 1, title);
    return fromStarts(
      [...starts].map(([page, title]) => ({ page, title })).sort((a, b) => a.page - b.page),
      pageCount,
    );
  });
}

async function atHeadings(path: string, { signal, progress }: PlanOptions): Promise<PlannedPart[]> {
  return withLayout({ path }, { signal, progress }, async (document) => {
    const headings: { readonly page: number; readonly level: number; readonly title: string }[] = [];
    for await (const { blocks } of document.pages())
      for (const block of blocks)
        if (block.kind === 'heading')
          headings.push({
            page: block.page - 1,
            level: block.level,
            title: block.runs.map(({ text }) => text).join(''),
          });
    // A single document title is not a level to split at.
    const level = [1, 2, 3, 4, 5, 6].find(
      (one) => new Set(headings.filter((heading) => heading.level === one).map(({ page }) => page)).size > 1,
    );
    const starts = headings.filter(
      (heading, i) =>
        heading.level === level &&
        heading.page !==
          headings
            .slice(0, i)
            .filter((other) => other.level === level)
            .at(-1)?.page,
    );
    return fromStarts(starts, document.pageCount);
  });
}

async function atText(
  path: string,
  { text, regex, after }: Extract<SplitRule, { kind: 'text' }>,
  { signal, progress }: PlanOptions,
): Promise<PlannedPart[]> {
  const search = new TextSearch([{ text, regex }]);
  return withPages({ path }, async ({ document, pageCount }) => {
    const starts: Start[] = [];
    for (let page = 0; page < pageCount; page++) {
      await breathe(signal);
      const reading = readingOf([...plainPageText(document, page)].map((character) => ({ text: character })));
      if (search.find(reading.text).length > 0) starts.push({ page: after ? page + 1 : page });
      progress(page + 1, pageCount);
    }
    if (starts.length === 0) return [];
    return fromStarts(
      after && starts[0]!.page > 0 ? [{ page: 0 }, ...starts.filter(({ page }) => page < pageCount)] : starts,
      pageCount,
    );
  });
}

/** Pages on which the value is not printed belong to the part before them. */
async function byValue(path: string, field: string, { signal, progress }: PlanOptions): Promise<PlannedPart[]> {
  return withPages({ path }, async ({ reader, pageCount }) => {
    const starts: Start[] = [];
    let last: string | undefined;
    for (let page = 0; page < pageCount; page++) {
      await breathe(signal);
      progress(page + 1, pageCount);
      const [found] = extractFields(
        [{ name: field, type: /Date$/.test(field) ? 'date' : 'string' }],
        pageEvidence(reader.read(page)),
      );
      const value = found === undefined || !found.found || found.confidence < 0.6 ? undefined : String(found.value);
      if (value === undefined || (last !== undefined && plainName(value) === plainName(last))) continue;
      last = value;
      starts.push({ page, title: value });
    }
    return fromStarts(starts, pageCount);
  });
}
