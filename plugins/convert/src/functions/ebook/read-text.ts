import { escapeXml } from '@quire/document/file/xml';
import { decodeWindows1252 } from '@quire/document/file/charsets';
import { type Book, type BookEntry, bookLimits, refuseBook } from './book.js';

const BOOK = 'book.xhtml';
/** Lines up to this length may be those of a text that was broken by hand. */
const BROKEN_WIDTH = 90;
const MAX_HEADING = 80;

/** Headings as books of plain text write them, in a line of their own. */
const headings = [
  /^(?:chapter|part|book|section|canto|act|scene|kapitel|teil|buch|chapitre|partie|livre|cap[ií]tulo|parte|capitolo|hoofdstuk|глава|часть|книга)\s+(?:[\divxlcdm]+|[\p{L}-]+)\b.{0,60}$/iu,
  /^(?:prologue|epilogue|preface|foreword|introduction|afterword|appendix|contents|prolog|epilog|vorwort|nachwort|einleitung|préface|prólogo|epílogo|пролог|эпилог|предисловие)\.?$/iu,
  /^第[\d〇零一二三四五六七八九十百千]+[章回部節卷].{0,40}$/u,
  /^#{1,3}\s+\S.{0,76}$/,
];

const style = `p { margin: 0 0 0.6em; text-align: start; }
.text-lines { white-space: pre-wrap; font: 9.5pt/1.35 "Noto Sans Mono", "Liberation Mono", monospace; }
h2 { break-before: page; break-after: avoid; } .text-first h2:first-child { break-before: auto; }`;

/**
 * Reads a plain-text book: paragraphs if it has some, unchanged lines where layout matters, chapter headings. Throws
 * BOOK_UNREADABLE.
 */
export function readText(bytes: Uint8Array, name: string): Book {
  if (bytes.length > bookLimits.markup / 2) throw refuseBook(`it has more than ${bookLimits.markup / 2} bytes of text`);
  const text = decodeText(bytes).replace(/\r\n?/g, '\n').replace(/\f/g, '\n\n');
  const title = name.replace(/\.[^.]*$/, '');
  const lines = text.split('\n');
  const entries: BookEntry[] = [];
  const heading = (line: string): string => {
    const words = line.trim().replace(/^#+\s+/, '');
    const id = `text-${entries.length}`;
    entries.push({ title: words, target: `${BOOK}#${id}`, children: [] });
    return `<h2 id="${id}" dir="auto">${escapeXml(words)}</h2>`;
  };
  const html = isPositioned(lines)
    ? `<div class="text-lines" dir="auto">${escapeXml(text)}</div>`
    : paragraphs(lines, heading);
  return {
    title,
    authors: [],
    rightToLeft: false,
    entries,
    files: new Map(),
    styleSheet: () => undefined,
    documents: [
      {
        path: BOOK,
        markup: `<html><head><style>${style}</style></head><body class="text-first">${html}</body></html>`,
      },
    ],
  };
}

/**
 * Decodes text by its byte order mark, UTF-16 (recognised by its zero bytes), UTF-8, otherwise windows-1252. Throws
 * BOOK_UNREADABLE for binary data.
 */
function decodeText(bytes: Uint8Array): string {
  const head = bytes.subarray(0, 4096);
  const zeros = (odd: number): number => head.filter((byte, i) => byte === 0 && i % 2 === odd).length;
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : zeros(1) > head.length / 4 && zeros(0) === 0
          ? 'utf-16le'
          : zeros(0) > head.length / 4 && zeros(1) === 0
            ? 'utf-16be'
            : undefined;
  if (utf16 !== undefined) return new TextDecoder(utf16).decode(bytes);
  if (head.includes(0)) throw refuseBook('it holds bytes that no text has');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeWindows1252(bytes);
  }
}

/** True where blanks within lines make columns, as in tables, listings and drawings of letters. */
function isPositioned(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '').slice(0, 2000);
  const columns = filled.filter(
    (line) => /\S(?: {3,}|\t+)\S/.test(line) || /[|+][-=]{3,}|[─│┌┐└┘├┤]/.test(line),
  ).length;
  return filled.length > 0 && columns > filled.length / 4;
}

function paragraphs(lines: readonly string[], heading: (line: string) => string): string {
  // With blank lines between paragraphs, single line ends are where somebody's window ended.
  const filled = lines.filter((line) => line.trim() !== '');
  const blocks =
    lines.length - filled.length > filled.length / 20 &&
    filled.filter((line) => line.length <= BROKEN_WIDTH).length > filled.length * 0.9;
  const out: string[] = [];
  let open: string[] = [];
  const flush = (): void => {
    if (open.length > 0) out.push(`<p dir="auto">${open.map(escapeXml).join(isVerse(open) ? '<br/>' : ' ')}</p>`);
    open = [];
  };
  for (const [i, line] of lines.entries()) {
    const words = line.trim();
    const alone = (lines[i - 1] ?? '').trim() === '' && (lines[i + 1] ?? '').trim() === '';
    if (words === '') flush();
    else if (words.length <= MAX_HEADING && (alone || !blocks) && headings.some((pattern) => pattern.test(words))) {
      flush();
      out.push(heading(words));
    } else {
      open.push(blocks ? words : line.trimEnd());
      if (!blocks) flush();
    }
  }
  flush();
  return out.join('\n');
}

/** Short lines in a row were broken for their own sake. */
function isVerse(lines: readonly string[]): boolean {
  return lines.length > 2 && lines.slice(0, -1).every((line) => line.length < 50);
}
