import type { Book } from '../book.js';
import { type MobiContents, nestContents } from './contents.js';
import type { MobiHeader } from './headers.js';
import type { Resources } from './resources.js';

const BOOK = 'book.html';
/** Bytes that are looked through for the beginning of a tag. */
const LONGEST_TAG = 4096;
const style =
  '.mobi-break { break-after: page; border: 0; margin: 0; height: 0; visibility: hidden } p { margin: 0; ' +
  'text-indent: 1.5em } h1, h2, h3, h4 { text-align: center }';

/**
 * Converts the text of a Mobipocket book to HTML: link positions become anchors, images become files, page breaks
 * become a style.
 */
export function readMobi6({
  header,
  text,
  resources,
  contents,
}: {
  readonly header: MobiHeader;
  readonly text: Buffer;
  readonly resources: Resources;
  readonly contents: readonly MobiContents[];
}): Pick<Book, 'documents' | 'entries' | 'styleSheet'> {
  // One character is one byte, until all positions have been found.
  const raw = text.toString('latin1');
  const positions = new Set(contents.map(({ position }) => position[0] ?? 0));
  for (const [, digits] of raw.matchAll(/\bfilepos\s{0,9}=\s{0,9}["']?(\d{1,10})/gi)) positions.add(Number(digits));
  const marked = markPositions(raw, positions, (position) => `<a id="filepos${position}"></a>`);
  const html = marked
    .replace(/<mbp:pagebreak\b[^>]{0,500}>(?:\s{0,20}<\/mbp:pagebreak>)?/gi, '<hr class="mobi-break"/>')
    .replace(/<\/mbp:pagebreak>/gi, '')
    .replace(/\bfilepos\s{0,9}=\s{0,9}["']?0*(\d{1,10})["']?/gi, 'href="#filepos$1"')
    .replace(/<img\b[^>]{0,4000}>/gi, (tag) => {
      const n = /\b(?:hi|lo)?recindex\s*=\s*["']?(\d{1,6})/i.exec(tag)?.[1];
      const file = n === undefined ? undefined : resources.file(Number(n) - 1);
      return file === undefined
        ? ''
        : tag.replace(/\bsrc\s*=\s*(?:"[^"]*"|'[^']*'|\S+)/gi, '').replace(/^<img/i, `<img src="${file}"`);
    })
    // Sizes of this format are numbers of em or percent in attributes of paragraphs.
    .replace(
      /<(p|div|blockquote|h[1-6])\b([^>]{0,4000})>/gi,
      (_tag, name: string, rest: string) => `<${name}${indents(rest)}>`,
    );
  const body = header.decode(Buffer.from(html, 'latin1'));
  const markup = `<html><head><style>${style}</style></head><body>${body}</body></html>`;
  return {
    documents: [{ path: BOOK, markup }],
    entries: nestContents(
      contents,
      (position) => position[0] ?? 0,
      (position) => (position[0] === undefined ? undefined : `${BOOK}#filepos${position[0]}`),
    ),
    styleSheet: () => undefined,
  };
}

/**
 * Inserts an anchor at each position of a text (latin1), before the tag if the position is inside one; positions beyond
 * the end are ignored.
 */
export function markPositions(raw: string, positions: Iterable<number>, mark: (position: number) => string): string {
  const out: string[] = [];
  let done = 0;
  for (const position of [...new Set(positions)]
    .filter((each) => each >= 0 && each <= raw.length)
    .sort((a, b) => a - b)) {
    const before = raw.slice(Math.max(0, position - LONGEST_TAG), position);
    const open = before.lastIndexOf('<');
    const within = open >= 0 && !before.includes('>', open);
    const at = Math.max(done, within ? position - before.length + open : position);
    out.push(raw.slice(done, at), mark(position));
    done = at;
  }
  return out.join('') + raw.slice(done);
}

function indents(attributes: string): string {
  const width = /\bwidth\s*=\s*["']?(-?[\d.]+)(em|pt|%)?/i.exec(attributes);
  const height = /\bheight\s*=\s*["']?([\d.]+)(em|pt)?/i.exec(attributes);
  const declarations = [
    width === null ? '' : `text-indent: ${width[1]}${width[2] ?? 'px'}`,
    height === null ? '' : `margin-top: ${height[1]}${height[2] ?? 'px'}`,
  ].filter((each) => each !== '');
  const rest = attributes.replace(/\b(?:width|height)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, '');
  return declarations.length === 0 || /\bstyle\s*=/i.test(rest) ? rest : `${rest} style="${declarations.join('; ')}"`;
}
