import { breathe } from '../engines/rendering/breathe.js';
import type { PdfInput } from '../file/source/index.js';
import type { Block, LayoutDocument, LayoutPage } from './model.js';
import { analysePage } from './page/analyse-page.js';
import { type PreparedPage, preparePage } from './page/prepare.js';
import type { Para } from './prose/paragraphs.js';
import { pictureFile } from './read/picture-file.js';
import { StyleSurvey } from './whole/document-style.js';
import { HeadingFinder } from './whole/headings.js';
import { PageContents } from './threads/page-contents.js';
import { joinPages } from './whole/join-pages.js';
import { documentLanguage, readOutline } from './whole/outline.js';
import { type OpenPages, withPages } from './with-pages.js';

/** How the reading is watched. */
export interface LayoutOptions {
  readonly signal?: AbortSignal;
  /** Told after each page: pages done, pages in all. */
  readonly progress?: (done: number, total: number) => void;
  /** Called at the end if no page has text: scans, drawings or blank pages. */
  readonly withoutText?: () => void;
  /** So many pages from the first are read, and what goes on behind them is cut; all by default. */
  readonly first?: number;
}

/**
 * Pages that are looked at beforehand to learn what body text and headings look like: at most so many, spread over the
 * document.
 */
const SURVEYED = 40;
/** Pages before and after one that its running titles are compared with. */
const NEAR = 2;

/**
 * Opens a PDF and hands its layout to `fn`: blocks in reading order, page by page. Only a few pages are in memory at a
 * time. Errors: PDF_DAMAGED, PDF_NO_PAGES, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED; the signal's reason.
 */
export async function withLayout<T>(
  input: PdfInput,
  options: LayoutOptions,
  fn: (document: LayoutDocument) => T | Promise<T>,
): Promise<T> {
  return withPages(input, async (open) => {
    const { document, reader, pageCount, title } = open;
    const survey = new StyleSurvey();
    for (const index of surveyed(pageCount)) {
      survey.add(reader.read(index, { drawn: false }));
      await breathe(options.signal);
    }
    const style = survey.result();
    const outline = readOutline(document);
    return fn({
      title,
      language: documentLanguage(document),
      outline,
      pageCount,
      fonts: style.fonts,
      tagged: reader.tagged,
      pages: () => layoutPages(open, { style, headings: new HeadingFinder(style, outline) }, options),
      picture: (picture, { dpi } = {}) => pictureFile(reader, picture, dpi),
    });
  });
}

function surveyed(pageCount: number): number[] {
  if (pageCount <= SURVEYED) return Array.from({ length: pageCount }, (_, i) => i);
  return Array.from({ length: SURVEYED }, (_, i) => Math.floor((i * pageCount) / SURVEYED));
}

/** Facts about the whole document, collected before its pages are read. */
type Whole = { readonly style: ReturnType<StyleSurvey['result']>; readonly headings: HeadingFinder };

async function* layoutPages(open: OpenPages, whole: Whole, options: LayoutOptions): AsyncGenerator<LayoutPage> {
  const most = Math.min(options.first ?? open.pageCount, open.pageCount);
  const contents = await PageContents.start(open, most);
  try {
    yield* laidOut(contents, open.pageCount, whole, { ...options, first: most });
  } finally {
    await contents.stop();
  }
}

async function* laidOut(
  contents: PageContents,
  pageCount: number,
  whole: Whole,
  { signal, progress, first, withoutText }: LayoutOptions & { readonly first: number },
): AsyncGenerator<LayoutPage> {
  const prepared = new Map<number, PreparedPage>();
  const origins = new WeakMap<Block, Para>();
  let held: LayoutPage[] = [];
  let hasText = false;
  for (let index = 0; index < first; index++) {
    await breathe(signal);
    for (let next = prepared.size === 0 ? 0 : index + NEAR; next <= Math.min(pageCount - 1, index + NEAR); next++)
      prepared.set(next, preparePage(await contents.at(next)));
    const near = [...prepared].flatMap(([other, { edges }]) => (other === index ? [] : [edges]));
    const page = analysePage(prepared.get(index)!, { ...whole, near, origins });
    hasText ||= prepared.get(index)!.content.words.length > 0;
    prepared.delete(index - NEAR);
    const last = held.findLastIndex(({ blocks }) => blocks.length > 0);
    if (last < 0) held.push(page);
    else {
      const joined = joinPages(held[last]!, page, { ...whole, origins });
      held[last] = joined.before;
      held.push(joined.after);
    }
    progress?.(index + 1, first);
    // A page is done when the next one has a block of its own.
    if (held.length > 1 && held.at(-1)!.blocks.length > 0) {
      yield* held.slice(0, -1);
      held = held.slice(-1);
    }
  }
  if (!hasText) withoutText?.();
  yield* held;
}
