import { readPdf, pageLines, type TextLine } from '@quire/document/content/text';

/** Lines of a document that are looked at (docs/interface/misc.yml, auto-rename). */
const LINES = 200;
/** Titles of so many characters and more are none. */
const TOO_LONG = 255;

/** Reads the first lines of a document, whatever page they are on. Errors: those of `readPdf`. */
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
 * Finds the title of a document among its first lines, as a file name without extension: the first group of lines
 * behind one another that are of the largest size, joined by spaces. When that gives no usable name, the first line
 * that does, where `orFirstText` says so. Undefined when nothing does.
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

/** Text without what nobody sees; PDFium gives U+0002 and U+FFFE for hyphens at line ends. */
function readable(text: string): string {
  return text
    .replaceAll(/[\u0002\ufffe]/g, '-')
    .replaceAll(/[\p{Cc}\p{Cs}\uffff\s]+/gu, ' ')
    .trim();
}

function asName(text: string): string | undefined {
  const name = text.replaceAll(/[/\\?%*:|"<>]/g, '').trim();
  return name.length >= TOO_LONG || /^\.*$/.test(name) ? undefined : name;
}
