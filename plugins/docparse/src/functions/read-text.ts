import { withLayout } from '@quire/document/layout';
import type { PdfInput } from '@quire/document/file/source';
import { type Passage, PassageWriter } from './passages.js';
import type { ReadingWatch } from './write-parsed.js';

/** How much of a document is read. */
export interface TextLimits {
  /** Pages from the first; -1 for all. */
  readonly pages: number;
  /** Characters of its Markdown; -1 for all. */
  readonly characters: number;
}

/** The text of a document. */
export interface DocumentText {
  readonly markdown: string;
  readonly passages: readonly Passage[];
  readonly language: string | undefined;
  /** Pages that were read, and pages of the document. */
  readonly pages: number;
  readonly sourcePages: number;
  /** The limits left some of it out. */
  readonly truncated: boolean;
}

/** All of a document. */
export const noLimits: TextLimits = { pages: -1, characters: -1 };

/**
 * Reads the text of a PDF as Markdown and as passages, whole pages at a time: a page with which there would be too many
 * characters is left out with all behind it, but a first one is cut. Errors: PDF_DAMAGED, PDF_NO_PAGES, PDF_ENCRYPTED,
 * PDF_ENCRYPTION_UNSUPPORTED; the signal's reason.
 */
export async function readText(input: PdfInput, limits: TextLimits, watch: ReadingWatch): Promise<DocumentText> {
  const first = limits.pages < 0 ? Infinity : Math.max(1, limits.pages);
  const room = limits.characters < 0 ? Infinity : limits.characters;
  return withLayout(input, { ...watch, first }, async (document) => {
    const { pageCount: sourcePages, language } = document;
    const writer = new PassageWriter();
    const [markdown, passages]: [string[], Passage[]] = [[], []];
    let [length, pages, isCut] = [0, 0, false];
    for await (const page of document.pages()) {
      const next = writer.page(page);
      isCut = length + next.markdown.length > room;
      if (isCut && pages > 0) break;
      pages = page.number;
      if (next.markdown !== '') markdown.push(isCut ? shortened(next.markdown, room) : next.markdown);
      passages.push(...(isCut ? firstOf(next.passages, room) : next.passages));
      length += next.markdown === '' ? 0 : next.markdown.length + 2;
      if (isCut) break;
    }
    return {
      markdown: markdown.length === 0 ? '' : `${markdown.join('\n\n')}\n`,
      passages,
      language,
      pages,
      sourcePages,
      truncated: isCut || pages < sourcePages,
    };
  });
}

/** The beginning of a text, up to a word's end where there is one. */
function shortened(text: string, room: number): string {
  if (text.length <= room) return text;
  const cut = text.slice(0, room);
  return cut.replace(/\s+\S*$/, '') || cut.replace(/[\ud800-\udbff]$/, '');
}

/** The passages that fit; the last one is cut. */
function* firstOf(passages: readonly Passage[], room: number): Generator<Passage> {
  let left = room;
  for (const passage of passages) {
    if (left <= 0) return;
    const text = shortened(passage.text, left);
    if (text.trim() !== '') yield { ...passage, text, pages: passage.pages.filter(({ at }) => at < text.length) };
    left -= passage.text.length + 2;
  }
}
