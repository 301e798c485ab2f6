import { escapeXml } from '@quire/document/file/xml';
import { cleanStyleAttribute } from '../clean-styles.js';
import { addressOf, type Book, type BookDocument, type BookEntry, resolveIn } from './book.js';
import { baseStyle, fixedPages, isVertical, pageName, StyleGroups } from './book-styles.js';
import { cleanBookMarkup } from './clean-book.js';
import { type Head, readHead } from './document-head.js';

/** A line of the table of contents with the place in the page where it leads. */
export interface PlacedEntry {
  readonly title: string;
  readonly id?: string;
  readonly children: readonly PlacedEntry[];
}

/** A book as one page. */
export interface ComposedBook {
  /**
   * The page, with the printed contents where they are wanted; `pageOf` gives the number of the page on which a place
   * lies, once that is known.
   */
  readonly html: (pageOf?: (id: string) => number | undefined) => string;
  readonly entries: readonly PlacedEntry[];
}

/** How a book becomes a page. */
export interface ComposeOptions {
  readonly contents: boolean;
  /** Folder of the book's files, seen from the page. */
  readonly files: string;
  readonly signal: AbortSignal;
}

/** Facts about one document, collected before its references are changed. */
interface Plan {
  readonly document: BookDocument;
  /** Name of the whole document. */
  readonly id: string;
  /** Names of places: as they were, and as they are in the page. */
  readonly ids: ReadonlyMap<string, string>;
  readonly head: Head;
}

const MAX_COVER_LETTERS = 200;
const CONTENTS = 'book-contents';
/** What contents call a cover or title page. */
const COVER_TITLE =
  /cover|couverture|umschlag|portada|copertina|capa|title|titel|titre|título|titolo|表紙|封面|标题页|표지|غلاف|обложка/i;

/**
 * Puts the documents of a book behind each other in one page, with the links between them. Throws when `signal` aborts.
 */
export function composeBook(book: Book, { contents, files, signal }: ComposeOptions): ComposedBook {
  // Our own list of contents replaces the book's.
  const documents =
    contents && book.contents !== undefined && book.entries.length > 0
      ? book.documents.filter(({ path }) => path !== book.contents)
      : book.documents;
  const plans = planDocuments(documents, signal);
  const byPath = new Map(plans.map((plan) => [plan.document.path, plan]));
  const place = (path: string, fragment: string): string | undefined => {
    const plan = byPath.get(path);
    if (plan === undefined) return contents && path === book.contents ? CONTENTS : undefined;
    return plan.ids.get(fragment) ?? plan.id;
  };
  const fileOf =
    (from: string) =>
    (reference: string): string | undefined => {
      if (/^data:(?:image|font)\/[\w.+-]+[;,]/i.test(reference)) return reference;
      const path = resolveIn(from, reference)?.path;
      const found = path === undefined ? undefined : book.files.get(path);
      return found === undefined ? undefined : `${files}/${addressOf(found)}`;
    };
  const styles = new StyleGroups(book, fileOf);
  const sections = plans.map(({ document, id, ids, head }) => {
    signal.throwIfAborted();
    const body = cleanBookMarkup(document.markup, {
      file: fileOf(document.path),
      id: (name) => ids.get(name),
      link: (reference) => {
        if (/^(?:https?|mailto|tel):/i.test(reference.trim())) return reference.trim();
        const target = resolveIn(document.path, reference);
        const found = target === undefined ? undefined : place(target.path, target.fragment);
        return found === undefined ? undefined : `#${found}`;
      },
    });
    const classes = [
      'book-part',
      styles.groupOf(document, head),
      ...(document.page === undefined ? [] : [pageName(document.page)]),
    ];
    const ofBody = attributes(bodyAttributes(head, fileOf(document.path)), ['book-body']);
    return (
      `<section ${attributes({ ...sectionAttributes(document, head), id }, classes)}>\n` +
      `<div ${ofBody}>\n${body}\n</div>\n</section>`
    );
  });
  const entries =
    book.entries.length === 0
      ? titles(plans)
      : placeEntries(book.entries, (target) => {
          const at = target.indexOf('#');
          return place(at < 0 ? target : target.slice(0, at), at < 0 ? '' : target.slice(at + 1));
        });
  const cover = coverSection(book, plans, fileOf(''));
  const style = [
    baseStyle,
    ...fixedPages(documents),
    ...(isVertical(book, styles.text) ? ['html { writing-mode: vertical-rl; }'] : []),
    styles.text,
  ].join('\n');
  const head = [
    '<!doctype html>',
    `<html${book.language === undefined ? '' : ` lang="${escapeXml(book.language)}"`}>`,
    '<head>',
    '<meta charset="utf-8">',
    `<title>${escapeXml(book.title || 'Book')}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
  ];
  // A cover of the book's own stays in front of the contents.
  const opening = cover === '' && isCover(plans[0], book) ? 1 : 0;
  const list = (pageOf: Parameters<ComposedBook['html']>[0]): string =>
    contents && entries.length > 0 ? contentsSection(entries, pageOf) : '';
  return {
    entries,
    html: (pageOf) =>
      [
        ...head,
        cover,
        ...sections.slice(0, opening),
        list(pageOf),
        ...sections.slice(opening),
        hiddenLinks(entries),
        '</body>',
        '</html>',
        '',
      ].join('\n'),
  };
}

function planDocuments(documents: readonly BookDocument[], signal: AbortSignal): Plan[] {
  const used = new Set<string>();
  let made = 0;
  return documents.map((document, n) => {
    signal.throwIfAborted();
    const head = readHead(document.markup);
    const ids = new Map<string, string>();
    for (const name of head.ids) {
      if (ids.has(name)) continue;
      // A name that style may mean stays where it can; in an address it must need no escapes.
      const own =
        /^[A-Za-z][\w-]*$/.test(name) && !name.startsWith('book-') && !used.has(name) ? name : `book-n${made++}`;
      used.add(own);
      ids.set(name, own);
    }
    const id = `book-part-${n}`;
    // The root elements become the section.
    for (const { id: name } of [head.root, head.body]) if (name !== undefined) ids.set(name, id);
    return { document, id, ids, head };
  });
}

function sectionAttributes({ page }: BookDocument, { root }: Head): Record<string, string> {
  return {
    ...commonAttributes(root),
    ...(page === undefined ? {} : { style: `width: ${page.width}px; height: ${page.height}px; overflow: hidden` }),
  };
}

function bodyAttributes({ body }: Head, url: (reference: string) => string | undefined): Record<string, string> {
  const style = [body['bgcolor'] === undefined ? '' : `background-color: ${body['bgcolor']}`, body['style'] ?? '']
    .filter((each) => each !== '')
    .join('; ');
  const clean = cleanStyleAttribute(style, { url });
  return { ...commonAttributes(body), ...(clean === '' ? {} : { style: clean }) };
}

function commonAttributes(element: Readonly<Record<string, string>>): Record<string, string> {
  const lang = element['lang'] ?? element['xml:lang'];
  return {
    class: element['class'] ?? '',
    ...(lang === undefined ? {} : { lang }),
    ...(element['dir'] === undefined ? {} : { dir: element['dir'] }),
  };
}

function attributes(values: Readonly<Record<string, string>>, classes: readonly string[]): string {
  const all = { ...values, class: [...classes, values['class'] ?? ''].join(' ').trim().replace(/\s+/g, ' ') };
  return Object.entries(all)
    .map(([name, value]) => `${name}="${escapeXml(value)}"`)
    .join(' ');
}

/** A contents for a book of several documents that brings none: what each is called. */
function titles(plans: readonly Plan[]): PlacedEntry[] {
  return plans.length < 2
    ? []
    : plans.flatMap(({ id, head: { title } }) => (title === '' ? [] : [{ title, id, children: [] }]));
}

/**
 * True for a document that is a picture and at most a few words, unless the contents name it like a chapter: a short
 * first chapter may also have a picture.
 */
function isCover(plan: Plan | undefined, { entries, cover }: Book): boolean {
  if (plan === undefined || plan.head.images.length === 0 || plan.head.letters >= MAX_COVER_LETTERS) return false;
  const { path } = plan.document;
  if (plan.head.images.some((image) => resolveIn(path, image)?.path === cover)) return true;
  const titles = (items: readonly BookEntry[]): string[] =>
    items.flatMap(({ title, target, children }) => [
      ...(target?.split('#')[0] === path ? [title] : []),
      ...titles(children),
    ]);
  return titles(entries).every((title) => COVER_TITLE.test(title));
}

function coverSection(
  { cover }: Book,
  plans: readonly Plan[],
  fileOf: (reference: string) => string | undefined,
): string {
  const address = cover === undefined ? undefined : fileOf(encodeURI(cover));
  const first = plans[0];
  if (
    address === undefined ||
    first?.head.images.some((image) => resolveIn(first.document.path, image)?.path === cover) === true
  )
    return '';
  return `<div class="book-cover"><img src="${escapeXml(address)}" alt="Cover"></div>`;
}

function placeEntries(entries: readonly BookEntry[], place: (target: string) => string | undefined): PlacedEntry[] {
  return entries.map(({ title, target, children }) => {
    const id = target === undefined ? undefined : place(target);
    return { title, ...(id === undefined ? {} : { id }), children: placeEntries(children, place) };
  });
}

function contentsSection(
  entries: readonly PlacedEntry[],
  pageOf: ((id: string) => number | undefined) | undefined,
): string {
  const list = (items: readonly PlacedEntry[]): string =>
    items.length === 0
      ? ''
      : `<ol>${items
          .map(({ title, id, children }) => {
            const words = `<b style="font-weight: inherit"><bdi>${escapeXml(title)}</bdi></b>`;
            const line =
              id === undefined ? `<span>${words}</span>` : `<a href="#${id}">${words}<i>${pageOf?.(id) ?? ''}</i></a>`;
            return `<li>${line}${list(children)}</li>`;
          })
          .join('')}</ol>`;
  return `<section class="book-part book-toc" id="${CONTENTS}"><h1>Contents</h1>${list(entries)}</section>`;
}

/** The browser names places in its PDF that something on the page leads to; the outline needs all of its own. */
function hiddenLinks(entries: readonly PlacedEntry[]): string {
  const ids = new Set<string>();
  const gather = (items: readonly PlacedEntry[]): void =>
    items.forEach(({ id, children }) => {
      if (id !== undefined) ids.add(id);
      gather(children);
    });
  gather(entries);
  return `<div hidden>${[...ids].map((id) => `<a href="#${id}">.</a>`).join('')}</div>`;
}
