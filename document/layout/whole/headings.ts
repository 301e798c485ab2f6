import type { Heading, OutlineEntry } from '../model.js';
import { lineText } from '../prose/line.js';
import type { Para } from '../prose/paragraphs.js';
import type { DocumentStyle } from './document-style.js';

type Level = Heading['level'];

const MAX_LETTERS = 250;
const MAX_BOLD_LETTERS = 120;
/** Recognised text so much larger than the rest of its page may be a heading. */
const LARGER_ON_SCAN = 1.25;
/** Pages by which an item of the outline may miss its heading. */
const NEAR = 1;
const SENTENCE = /[,;]$|[^.]\.$/u;
const NUMBERED =
  /^(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[A-Z]\.|[IVXLC]{1,6}\.|(?:chapter|part|appendix|section|kapitel|anhang|teil)\s+\S+)\s+\p{L}/iu;
const DEPTH = /^(\d{1,2}(?:\.\d{1,2}){1,4})\.?\s/u;

/** Decides which paragraphs are headings, by bookmark titles, size and weight. */
export class HeadingFinder {
  readonly #titles = new Map<string, { readonly level: number; readonly page: number | undefined }[]>();

  constructor(
    readonly style: DocumentStyle,
    outline: readonly OutlineEntry[],
  ) {
    for (const { title, level, page } of outline) {
      const key = plain(title);
      if (key === '') continue;
      const list = this.#titles.get(key);
      if (list === undefined) this.#titles.set(key, [{ level, page }]);
      else if (list.length < 50) list.push({ level, page });
    }
  }

  /** The level of a paragraph that is a heading. */
  levelOf(para: Para, { page, last, usualSize }: HeadingPlace): Level | undefined {
    const letters = para.lines.reduce((sum, line) => sum + line.letters, 0);
    if (letters < 2 || letters > MAX_LETTERS || para.lines.length > 4) return undefined;
    const text = para.lines.map(lineText).join(' ').trim();
    if (!/\p{L}/u.test(text)) return undefined;
    const candidate = { para, letters, text, page };
    return (
      (isUsual(para, usualSize) ? undefined : this.#bySize(candidate)) ??
      this.#byBookmark(candidate) ??
      (last ? undefined : this.#byWeight(candidate))
    );
  }

  #bySize({ para, letters, text }: Candidate): Level | undefined {
    const body = this.style.fonts.bodySize || 1;
    const index = this.style.headingSizes.findIndex((size) => para.size >= size * 0.965);
    // Sentences in large letters are an introduction, and so is a list of them.
    const prose =
      para.size < 1.35 * body &&
      !para.bold &&
      ((letters > MAX_BOLD_LETTERS && /[.:;]$/.test(text)) || para.marker?.style === 'bullet');
    const maxLines = para.size > 1.5 * body ? 4 : 3;
    return index >= 0 && !prose && para.lines.length <= maxLines ? clamp(index + 1) : undefined;
  }

  /** Smaller than every size level, but with the title of a bookmark: the bookmark's level, below the larger ones. */
  #byBookmark({ para, letters, text, page }: Candidate): Level | undefined {
    if (this.#titles.size === 0) return undefined;
    const titled = this.#titles
      .get(plain(text))
      ?.find((one) => one.page === undefined || Math.abs(one.page - page) <= NEAR);
    if (titled === undefined || letters > 2 * MAX_BOLD_LETTERS) return undefined;
    if (!para.bold && (para.lines.length > 2 || para.size < (this.style.fonts.bodySize || 1))) return undefined;
    if (para.lines.some((line) => line.gappy)) return undefined;
    return clamp(Math.max(titled.level, Math.min(2, this.style.headingSizes.length + 1)));
  }

  /** Bold text of the size of the body, in documents where bold text is rare. */
  #byWeight({ para, letters, text }: Candidate): Level | undefined {
    const { style } = this;
    const body = style.fonts.bodySize || 1;
    if (!para.bold || style.bold > 0.4 || para.size < 0.94 * body || para.keepsLines) return undefined;
    if (para.lines.length > 2 || letters > MAX_BOLD_LETTERS || para.marker?.style === 'bullet') return undefined;
    const isRunIn = para.above < 0.25 * para.size && para.size < 1.04 * body;
    if (!NUMBERED.test(text) && (SENTENCE.test(text) || /:$/.test(text) || isRunIn)) return undefined;
    const depth = DEPTH.exec(text)?.[1]?.split('.').length;
    return clamp(style.headingSizes.length + Math.max(1, (depth ?? 1) - (style.headingSizes.length > 0 ? 1 : 0)));
  }
}

/** Where a paragraph is. */
export interface HeadingPlace {
  readonly page: number;
  /** True when nothing follows it on its page. */
  readonly last: boolean;
  /** Size of most of the text that was recognised on this page, if any was. */
  readonly usualSize: number | undefined;
}

/** True for recognised text no larger than the rest of its page: another page may be scanned at another scale. */
function isUsual({ lines, size }: Para, usualSize: number | undefined): boolean {
  return (
    usualSize !== undefined &&
    size < LARGER_ON_SCAN * usualSize &&
    lines.every(({ words }) => words.every(({ style }) => style.invisible))
  );
}

/** A paragraph that may be a heading, with its number of letters and its text. */
interface Candidate {
  readonly para: Para;
  readonly letters: number;
  readonly text: string;
  readonly page: number;
}

function clamp(level: number): Level {
  return Math.min(6, Math.max(1, Math.round(level))) as Level;
}

/** A title as it is compared: without numbers before it, white space and case. */
function plain(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[\s\d.()]+(?=\p{L})/u, '')
    .replace(/[\s\u00a0\u00ad]+/g, ' ')
    .replace(/[.:]$/, '')
    .trim();
}
