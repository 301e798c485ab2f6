import { cleanStyleSheet } from '../clean-styles.js';
import { type Book, type BookDocument, resolveIn } from './book.js';
import type { Head } from './document-head.js';

const MAX_IMPORTS = 5;
/** The body of a document, as precise as its name. */
const BODY = 'div:where(.book-body)';

/** Style of what stands around the documents. */
export const baseStyle = `@page { size: A4; margin: 20mm 18mm; }
html { font: 11pt/1.45 "Noto Serif", "Liberation Serif", "Times New Roman", serif; }
body { margin: 0; color: #000; background: #fff; overflow-wrap: break-word; }
.book-part { break-before: page; position: relative; }
.book-part:first-of-type { break-before: auto; }
.book-part img, .book-part svg { max-width: 100%; }
.book-part img { max-height: 250mm; object-fit: contain; }
.book-cover { height: 250mm; text-align: center; break-after: page; }
.book-cover img { width: 100%; height: 100%; object-fit: contain; }
.book-toc ol { list-style: none; margin: 0; padding: 0 0 0 1.2em; }
.book-toc > ol { padding: 0; }
.book-toc li > span, .book-toc li > a { display: flex; gap: 0.5em; margin: 0.15em 0; color: inherit;
text-decoration: none; break-inside: avoid; }
.book-toc i { flex: 0 0 3em; margin-inline-start: auto; text-align: end; font-style: normal;
font-variant-numeric: tabular-nums; }
pre { white-space: pre-wrap; }`;

/** Style of documents that have the same sheets is written once, under a class of its own. */
export class StyleGroups {
  readonly #groups = new Map<string, string>();
  readonly #written: string[] = [];

  constructor(
    private readonly book: Book,
    private readonly fileOf: (from: string) => (reference: string) => string | undefined,
  ) {}

  get text(): string {
    return this.#written.join('\n');
  }

  groupOf({ path }: BookDocument, { sheets }: Head): string {
    const sources = sheets.flatMap((sheet) => {
      if ('css' in sheet) return [{ path, css: sheet.css }];
      const found = resolveIn(path, sheet.href)?.path;
      const css = found === undefined ? undefined : this.book.styleSheet(found);
      return found === undefined || css === undefined ? [] : [{ path: found, css }];
    });
    const key = JSON.stringify(sources.map((source) => [source.path, source.css]));
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const name = `book-style-${this.#groups.size}`;
    this.#groups.set(key, name);
    for (const source of sources) this.#write(source.css, source.path, name, 0);
    return name;
  }

  #write(css: string, path: string, name: string, depth: number): void {
    // Style that is brought in comes first, from wherever its own references count.
    for (const [, quoted] of css
      .slice(0, 65_536)
      .matchAll(/@import\s{1,20}(?:url\(\s{0,20})?["']?([^"')\s;]{1,1000})["']?\s{0,20}\)?[^;{]{0,300};/gi)) {
      const found = depth < MAX_IMPORTS ? resolveIn(path, quoted ?? '')?.path : undefined;
      const text = found === undefined || found === path ? undefined : this.book.styleSheet(found);
      if (found !== undefined && text !== undefined) this.#write(text, found, name, depth + 1);
    }
    this.#written.push(cleanStyleSheet(css, `.${name}`, { url: this.fileOf(path), body: BODY }));
  }
}

/** Class, and name of the page, of documents that are laid out by the book. */
export function pageName({ width, height }: { readonly width: number; readonly height: number }): string {
  return `book-page-${Math.round(width)}x${Math.round(height)}`;
}

/** Style of pages that the book lays out itself. */
export function fixedPages(documents: readonly BookDocument[]): string[] {
  const pages = new Map(documents.flatMap(({ page }) => (page === undefined ? [] : [[pageName(page), page] as const])));
  return [...pages].map(
    ([name, { width, height }]) =>
      `@page ${name} { size: ${width}px ${height}px; margin: 0; }\n.${name} { page: ${name}; }\n.${name} img, ` +
      `.${name} svg { max-width: none; max-height: none; }`,
  );
}

/** Books in columns from right to left are set so as a whole. */
export function isVertical({ rightToLeft }: Book, style: string): boolean {
  return rightToLeft && /writing-mode\s*:\s*vertical-rl/i.test(style);
}
