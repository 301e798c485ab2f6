import { escapeXml } from '@quire/document/file/xml';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AnyNode, type Element, isCDATA, isTag, isText } from 'domhandler';
import { addressOf, type Book, type BookEntry, bookLimits, refuseBook } from './book.js';
import { attribute, childrenOf, decodeMarkup, firstIn, localName, parseXml, textOf } from './xml.js';

const PICTURES = 'pictures';
const BOOK = 'book.xhtml';
const MAX_PICTURES = 5000;
/** Deepest nesting of elements; deeper ones are left out. */
const MAX_DEPTH = 100;

/** Elements of FictionBook 2 and what they are in HTML: a tag, and a class for those that HTML does not know. */
const tags: Readonly<Record<string, readonly [tag: string, name?: string]>> = {
  p: ['p'],
  v: ['p', 'fb-verse'],
  emphasis: ['em'],
  strong: ['strong'],
  strikethrough: ['s'],
  sub: ['sub'],
  sup: ['sup'],
  code: ['code'],
  style: ['span'],
  poem: ['div', 'fb-poem'],
  stanza: ['div', 'fb-stanza'],
  cite: ['blockquote'],
  epigraph: ['div', 'fb-epigraph'],
  annotation: ['div', 'fb-annotation'],
  subtitle: ['h4', 'fb-subtitle'],
  'text-author': ['p', 'fb-author'],
  date: ['p', 'fb-date'],
  table: ['table'],
  tr: ['tr'],
  td: ['td'],
  th: ['th'],
};

const style = `p { margin: 0; text-indent: 1.5em; text-align: justify; }
h1, h2, h3, h4, h5, h6 { text-align: center; break-after: avoid; margin: 1.2em 0 0.8em; }
h1 p, h2 p, h3 p, h4 p, h5 p, h6 p, .fb-verse { text-indent: 0; text-align: inherit; }
.fb-book > .fb-section, .fb-notes { break-before: page; }
.fb-poem { margin: 1em 0 1em 2em; } .fb-stanza { margin: 0.6em 0; } .fb-epigraph { margin: 1em 0 1em 40%;
font-style: italic; } .fb-author { text-align: right; font-style: italic; }
.fb-annotation { margin: 1em 2em; } .fb-empty { height: 1em; } .fb-picture { text-align: center; margin: 1em 0; }
.fb-names { text-align: center; font-size: 120%; text-indent: 0; }
table { border-collapse: collapse; } td, th { border: 1px solid #999; padding: 2pt 4pt; }`;

/** Reads a FictionBook (version 2.1), whose pictures are written into `folder`. Errors: BOOK_UNREADABLE. */
export function readFb2(bytes: Uint8Array, folder: string): Book {
  // Images are inside the text.
  if (bytes.length > bookLimits.markup * 4) throw refuseBook(`it has more than ${bookLimits.markup * 4} bytes`);
  const text = decodeMarkup(bytes);
  const root = firstIn(parseXml(text), 'fictionbook');
  if (root === undefined) throw refuseBook('it has no FictionBook element');
  const files = writePictures(root, folder);
  const info = firstIn(root, 'title-info');
  const bodies = childrenOf(root, 'body');
  if (bodies.length === 0) throw refuseBook('it has no body');
  const title = info === undefined ? '' : textOf(childrenOf(info, 'book-title')[0] ?? emptyNode, 500);
  const authors =
    info === undefined
      ? []
      : childrenOf(info, 'author')
          .map(authorName)
          .filter((name) => name !== '')
          .slice(0, 20);
  const writer = new Writer(files);
  const entries = bodies.flatMap((body) =>
    writer.body(body, attribute(body, 'name') === 'notes' || attribute(body, 'name') === 'comments'),
  );
  const language = info === undefined ? '' : textOf(childrenOf(info, 'lang')[0] ?? emptyNode);
  const coverPage = info === undefined ? undefined : childrenOf(info, 'coverpage')[0];
  const coverImage = coverPage === undefined ? undefined : childrenOf(coverPage, 'image')[0];
  const cover =
    coverImage === undefined ? undefined : files.get((attribute(coverImage, 'href') ?? '').replace(/^#/, ''));
  const annotation = info === undefined ? undefined : childrenOf(info, 'annotation')[0];
  const opening = childrenOf(bodies[0]!, 'title')[0];
  const heading = opening !== undefined && textOf(opening).includes(title) ? '' : `<h1>${escapeXml(title)}</h1>`;
  const front =
    `${heading}<p class="fb-names">${escapeXml(authors.join(', '))}</p>` +
    `${annotation === undefined ? '' : writer.inner(annotation, 1)}`;
  return {
    title,
    authors,
    ...(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(language) ? { language } : {}),
    rightToLeft: false,
    entries,
    ...(cover === undefined ? {} : { cover }),
    documents: [
      {
        path: BOOK,
        markup:
          `<html><head><style>${style}</style></head><body class="fb-book"><div ` +
          `class="fb-front">${front}</div>${writer.out.join('')}</body></html>`,
      },
    ],
    files: new Map([...files.values()].map((path) => [path, path])),
    styleSheet: () => undefined,
  };
}

const emptyNode = parseXml('');

function authorName(author: Element): string {
  const part = (name: string): string => textOf(childrenOf(author, name)[0] ?? emptyNode, 100);
  return (
    ['first-name', 'middle-name', 'last-name']
      .map(part)
      .filter((each) => each !== '')
      .join(' ') || part('nickname')
  );
}

function writePictures(root: Element, folder: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const binary of childrenOf(root, 'binary').slice(0, MAX_PICTURES)) {
    const id = attribute(binary, 'id') ?? '';
    const kind =
      /^image\/(png|jpe?g|gif|webp|bmp|svg\+xml)$/i.exec(attribute(binary, 'content-type') ?? '')?.[1]?.toLowerCase() ??
      /\.(png|jpe?g|gif|webp|bmp)$/i.exec(id)?.[1]?.toLowerCase();
    if (kind === undefined || id === '' || files.has(id)) continue;
    if (files.size === 0) mkdirSync(`${folder}/${PICTURES}`, { recursive: true, mode: 0o700 });
    const path = `${PICTURES}/${files.size}.${kind === 'svg+xml' ? 'svg' : kind}`;
    writeFileSync(
      `${folder}/${path}`,
      Buffer.from(binary.children.map((node) => (isText(node) ? node.data : '')).join(''), 'base64'),
      { mode: 0o600 },
    );
    files.set(id, path);
  }
  return files;
}

/** Writes elements as HTML. */
class Writer {
  readonly out: string[] = [];
  #made = 0;

  constructor(private readonly files: ReadonlyMap<string, string>) {}

  /** Writes a body; gives its part of the contents. */
  body(body: Element, notes: boolean): BookEntry[] {
    const entries: BookEntry[] = [];
    if (notes) this.out.push('<div class="fb-notes">');
    for (const child of childrenOf(body)) {
      if (localName(child) === 'section') entries.push(...this.#section(child, 1, !notes));
      else this.out.push(this.#element(child, 1));
    }
    if (notes) this.out.push('</div>');
    return entries;
  }

  #section(section: Element, depth: number, listed: boolean): BookEntry[] {
    if (depth > MAX_DEPTH) return [];
    const title = childrenOf(section, 'title')[0];
    const id = attribute(section, 'id') ?? `fb-section-${this.#made++}`;
    this.out.push(`<div class="fb-section" id="${escapeXml(id)}">`);
    const children: BookEntry[] = [];
    for (const child of childrenOf(section)) {
      if (localName(child) === 'section') children.push(...this.#section(child, depth + 1, listed));
      else this.out.push(this.#element(child, depth));
    }
    this.out.push('</div>');
    const words = title === undefined ? '' : textOf(title, 500);
    return !listed ? [] : words === '' ? children : [{ title: words, target: `${BOOK}#${id}`, children }];
  }

  /** Returns the content of an element as HTML. */
  inner(element: Element, depth: number): string {
    return depth > MAX_DEPTH ? '' : element.children.map((child) => this.#node(child, depth + 1)).join('');
  }

  #node(node: AnyNode, depth: number): string {
    if (isText(node)) return escapeXml(node.data);
    if (isCDATA(node)) return escapeXml(textOf(node));
    return isTag(node) ? this.#element(node, depth) : '';
  }

  #element(element: Element, depth: number): string {
    const name = localName(element);
    const id = attribute(element, 'id');
    const own = id === undefined ? '' : ` id="${escapeXml(id)}"`;
    if (name === 'image') return this.#picture(element, own);
    if (name === 'empty-line') return '<div class="fb-empty"></div>';
    if (name === 'title') {
      const level = Math.min(depth, 6);
      return `<h${level}${own}>${childrenOf(element)
        .map((line) => this.inner(line, depth))
        .filter((line) => line !== '')
        .join('<br/>')}</h${level}>`;
    }
    if (name === 'a') {
      const note = attribute(element, 'type') === 'note';
      const words = this.inner(element, depth);
      return (
        '<a ' +
        `href="${escapeXml(attribute(element, 'href') ?? '')}"${own}>${note ? `<sup>${words}</sup>` : words}</a>`
      );
    }
    const known = Object.hasOwn(tags, name) ? tags[name] : undefined;
    if (known === undefined) return this.inner(element, depth);
    const [tag, marked] = known;
    const spans = ['colspan', 'rowspan', 'align', 'valign']
      .flatMap((key) => (element.attribs[key] === undefined ? [] : [` ${key}="${escapeXml(element.attribs[key])}"`]))
      .join('');
    return (
      `<${tag}${own}${marked === undefined ? '' : ` class="${marked}"`}` +
      `${tag === 'td' || tag === 'th' ? spans : ''}>${this.inner(element, depth)}</${tag}>`
    );
  }

  #picture(element: Element, own: string): string {
    const path = this.files.get((attribute(element, 'href') ?? '').replace(/^#/, ''));
    if (path === undefined) return '';
    const image =
      `<img src="${addressOf(path)}" ` +
      `alt="${escapeXml(attribute(element, 'alt') ?? attribute(element, 'title') ?? '')}"/>`;
    const parent = element.parent;
    return parent !== null &&
      isTag(parent) &&
      ['p', 'v', 'td', 'th', 'a', 'emphasis', 'strong'].includes(localName(parent))
      ? image
      : `<div class="fb-picture"${own}>${image}</div>`;
  }
}
