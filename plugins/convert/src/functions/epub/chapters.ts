import type { Block, Heading, LayoutDocument, LayoutPage, OutlineEntry, Picture } from '@quire/document/layout';
import { type BlockHtml, blocksHtml, footnotesHtml } from '../html/html-blocks.js';
import { xmlText } from '../html/html-text.js';
import { nestedList } from '../html/nested-list.js';

/** An entry of the table of contents. */
export interface Entry {
  readonly title: string;
  readonly level: number;
  readonly href: string;
}

/** A file of the book. */
export interface Chapter {
  readonly file: string;
  readonly title: string;
  readonly html: string;
}

export interface BookText {
  readonly chapters: readonly Chapter[];
  readonly entries: readonly Entry[];
  /** Where each page of the PDF begins. */
  readonly pages: readonly { readonly page: number; readonly href: string }[];
}

/** Headings down to this level are in the table of contents. */
const DEEPEST_ENTRY = 3;
/** Without chapters a file is cut at the end of a page, once it has so many characters. */
const LONGEST_FILE = 200_000;
/** Words that name a chapter, whatever size they are set in. */
const CHAPTER = /^(?:chapter|kapitel|chapitre|cap[ií]tulo|capitolo|hoofdstuk|rozdział|глава)\b/iu;

interface Open {
  readonly file: string;
  title: string;
  readonly parts: string[];
  length: number;
}

/** Cuts the pages of a document into the files of a book: at chapters, or where a file becomes too long. */
export class Chapters {
  readonly #done: Chapter[] = [];
  readonly #entries: Entry[] = [];
  readonly #pages: { page: number; href: string }[] = [];
  readonly #notes = new Map<string, string>();
  readonly #context: BlockHtml;
  readonly #titles: ReadonlyMap<number, readonly OutlineEntry[]>;
  #headings = 0;
  #open: Open;

  constructor(
    private readonly layout: LayoutDocument,
    private readonly detect: boolean,
    picture: (picture: Picture) => Promise<string | undefined>,
  ) {
    this.#open = this.#begin('');
    const outer = layout.outline.filter(({ level, page }) => level === 1 && page !== undefined);
    this.#titles = new Map(
      [...new Set(outer.map(({ page }) => page!))].map((page) => [page, outer.filter((entry) => entry.page === page)]),
    );
    this.#context = {
      bodySize: layout.fonts.bodySize,
      looks: false,
      picture,
      // Whether a page that lies ahead begins in this file is not known yet.
      pageLink: (page) => (page >= 1 && page <= layout.pageCount ? `page:${page}` : undefined),
      noteLink: (id) => {
        const note = this.#notes.get(id);
        return note === undefined ? undefined : { href: `#${note}`, markId: `mark-${note}` };
      },
      headingId: (heading) => this.#enter(heading),
    };
  }

  async add({ number, blocks, footnotes }: LayoutPage): Promise<void> {
    for (const { id } of footnotes) this.#notes.set(id, `note-${this.#notes.size + 1}`);
    let waiting: Block[] = [];
    let marked = false;
    const flush = async (): Promise<void> => {
      if (waiting.length > 0) this.#put(await blocksHtml(waiting, this.#context));
      waiting = [];
    };
    const titled = this.#titles.get(number) ?? [];
    if (
      this.detect &&
      titled.length > 0 &&
      !blocks.some((block) => block.kind === 'heading' && this.#isTitle(block, titled))
    )
      this.#next(titled[0]!.title);
    else if (!this.detect && this.#open.length > LONGEST_FILE) this.#next('');
    for (const block of blocks) {
      if (this.detect && block.kind === 'heading' && this.#beginsChapter(block, titled)) {
        await flush();
        this.#next(textOf(block));
      }
      if (!marked) this.#mark(number);
      marked = true;
      waiting.push(block);
    }
    await flush();
    if (!marked) this.#mark(number);
    if (footnotes.length > 0)
      this.#put(await footnotesHtml(footnotes, (id) => this.#notes.get(id) ?? 'note', this.#context));
  }

  finish(): BookText {
    this.#close();
    const files = new Map(this.#pages.map(({ page, href }) => [page, href]));
    const chapters = this.#done.map((chapter) => ({
      ...chapter,
      html: chapter.html.replace(
        /href="page:(\d+)"/g,
        (_all, page: string) => `href="${files.get(Number(page)) ?? this.#pages.at(-1)?.href ?? '#'}"`,
      ),
    }));
    const outlined = this.layout.outline.flatMap(({ title, level, page }) =>
      page === undefined || files.get(page) === undefined ? [] : [{ title, level, href: files.get(page)! }],
    );
    const known = outlined.length > 0 ? outlined : this.detect ? this.#entries : [];
    const entries =
      known.length > 0 ? known : [{ title: this.layout.title ?? '', level: 1, href: chapters[0]?.file ?? '' }];
    return { chapters, entries, pages: this.#pages };
  }

  #isTitle(heading: Heading, titles: readonly OutlineEntry[]): boolean {
    const text = letters(textOf(heading));
    return titles.some(({ title }) => letters(title) === text);
  }

  /**
   * With an outline its outermost items are the chapters; else the largest headings are, and those that call themselves
   * one.
   */
  #beginsChapter(heading: Heading, titled: readonly OutlineEntry[]): boolean {
    if (this.#titles.size > 0) return this.#isTitle(heading, titled);
    return heading.level === 1 || CHAPTER.test(textOf(heading));
  }

  #enter(heading: Heading): string | undefined {
    if (heading.level > DEEPEST_ENTRY && !CHAPTER.test(textOf(heading))) return undefined;
    const id = `heading-${++this.#headings}`;
    this.#entries.push({ title: textOf(heading), level: heading.level, href: `${this.#open.file}#${id}` });
    return id;
  }

  #mark(page: number): void {
    this.#pages.push({ page, href: `${this.#open.file}#page-${page}` });
    this.#put(`<div id="page-${page}" epub:type="pagebreak" role="doc-pagebreak" aria-label="${page}"></div>`);
  }

  #put(html: string): void {
    this.#open.parts.push(html);
    this.#open.length += html.length;
  }

  #next(title: string): void {
    // Everything before the first chapter becomes a file of its own, unless it is empty.
    if (this.#open.length === 0) this.#open.title = title;
    else {
      this.#close();
      this.#open = this.#begin(title);
    }
  }

  #begin(title: string): Open {
    return { file: `part-${String(this.#done.length + 1).padStart(4, '0')}.xhtml`, title, parts: [], length: 0 };
  }

  #close(): void {
    const { file, title, parts } = this.#open;
    this.#done.push({ file, title: title === '' ? (this.layout.title ?? '') : title, html: parts.join('\n') });
  }
}

function textOf({ runs }: Heading): string {
  return runs
    .map(({ text }) => text)
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

function letters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The table of contents as nested lists of links. */
export function entriesHtml(entries: readonly Entry[]): string {
  return nestedList(
    entries.map(({ title, level, href }) => ({
      level,
      html: `<a href="${xmlText(href)}">${xmlText(title.trim() === '' ? '\u2026' : title)}</a>`,
    })),
    'ol',
  );
}
