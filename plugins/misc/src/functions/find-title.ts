import { readPdf, pageLines, type TextLine } from '@quire/document/content/text';

/** Number of lines to search (docs/interface/misc.yml, auto-rename). */
const LINES = 200;
/** Texts of this many characters or more are not titles. */
const TITLE_LENGTH_LIMIT = 255;

/** Reads the first lines of a document, across pages. Throws the errors of `readPdf`. */
export function firstLines(path: string, signal?: AbortSignal): Promise<TextLine[]> {
  return readPdf({ path }, (document) => {
    const lines: TextLine[] = [];
    const pages = document.reachablePages();
    for (let page = 0; page < pages && lines.length < LINES; page++) {
      signal?.throwIfAborted();
      lines.push(...pageLines(document, page, LINES - lines.length).filter(({ text }) => readable(text) !== ''));
    }
    return lines;
  });
}

/**
 * Finds the title of a document among its first lines, as a file name without extension: the first group of consecutive
 * lines with the largest font size, joined by spaces. If that is not usable as a name and `orFirstText` is set, returns
 * the first line that is. Undefined if there is none.
 */
export function findTitle(lines: readonly TextLine[], orFirstText: boolean): string | undefined {
  const largest = lines.reduce((most, { size }) => Math.max(most, size), 0);
  const start = lines.findIndex(({ size }) => size === largest);
  if (start < 0) return undefined;
  const end = lines.findIndex(({ size }, i) => i > start && size !== largest);
  const title = asName(
    lines
      .slice(start, end < 0 ? undefined : end)
      .map(({ text }) => readable(text))
      .join(' '),
  );
  if (title !== undefined || !orFirstText) return title;
  for (const { text } of lines) {
    const name = asName(readable(text));
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Removes invisible characters; PDFium returns U+0002 and U+FFFE for hyphens at line ends. */
function readable(text: string): string {
  return text
    .replaceAll(/[\u0002\ufffe]/g, '-')
    .replaceAll(/[\p{Cc}\p{Cs}\uffff\s]+/gu, ' ')
    .trim();
}

function asName(text: string): string | undefined {
  const name = text.replaceAll(/[/\\?%*:|"<>]/g, '').trim();
  return name.length >= TITLE_LENGTH_LIMIT || /^\.*$/.test(name) ? undefined : name;
}
