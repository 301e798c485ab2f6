import { readPdf } from '@quire/document/text';
import { cutPage, type PageText, readPageTexts } from '../texts/page-texts.js';
import { LONGEST_QUOTATION, Quotations } from '../texts/quotations.js';
import { rankTexts } from './rank-pages.js';

/** What is read, and how much of it a question may hold. */
export interface QuestionReading {
  /** Absolute paths of PDFs. */
  readonly paths: readonly string[];
  readonly question: string;
  readonly pages: number;
  /** UTF-16 code units. */
  readonly characters: number;
}

/** A page that a question is asked with. */
export interface ShownPage extends PageText {
  /** Index of the file. */
  readonly file: number;
}

/** What was read. */
export interface QuestionText {
  readonly pages: readonly ShownPage[];
  /** False when there was more text than a question may hold, so that only the fitting pages are here. */
  readonly whole: boolean;
}

/** Words of the model, and where it says that they stand. */
export interface Quoted {
  /** Index of the file. */
  readonly file: number;
  /** 1-based. */
  readonly page: number;
  readonly text: string;
}

/** What the mark of a page takes beside its text. */
const MARK_LENGTH = 40;

/** Reads documents for a question: all their text where a question may hold it, else the pages that fit it best, in their order. Errors: those of `readPdf`; the signal's reason. */
export async function readForQuestion({ paths, question, pages: most, characters }: QuestionReading, signal: AbortSignal): Promise<QuestionText> {
  const all: ShownPage[] = [];
  for (const [file, path] of paths.entries()) for (const page of (await readPageTexts(path, { signal })).pages) all.push({ ...page, file });
  const length = all.reduce((sum, { text }) => sum + text.length + MARK_LENGTH, 0);
  if (all.length <= most && length <= characters) return { pages: all, whole: true };
  const ranked = rankTexts(all.map(({ text }) => text), question);
  // What shares no word with the question comes last, from the beginning.
  const order = new Set([...ranked, ...all.keys()]);
  const chosen: ShownPage[] = [];
  let left = characters;
  for (const index of order) {
    if (chosen.length >= most) break;
    const page = all[index]!;
    const cut = cutPage(page, left - MARK_LENGTH);
    // Of a page that does not fit a piece is taken only where there is no other.
    if (cut === undefined || (cut.text.length < page.text.length && chosen.length > 0)) continue;
    chosen.push({ ...cut, file: page.file });
    left -= cut.text.length + MARK_LENGTH;
  }
  return { pages: chosen.sort((a, b) => a.file - b.file || a.page - b.page), whole: false };
}

/** Of what the model quotes only what really stands in the documents, with the page where it does: the one that it names, or the first that has the words. */
export async function holdEvidence(paths: readonly string[], quoted: readonly Quoted[], signal: AbortSignal): Promise<Quoted[]> {
  const held: (Quoted | undefined)[] = quoted.map(() => undefined);
  for (const [file, path] of paths.entries()) {
    const mine = [...quoted.entries()].filter(([, one]) => one.file === file);
    if (mine.length === 0) continue;
    await readPdf({ path }, (document) => {
      const quotations = new Quotations(document);
      const count = document.reachablePages();
      for (const [index, { page, text }] of mine) {
        signal.throwIfAborted();
        const found = quotations.pageOf(text, count, page - 1);
        if (found !== undefined) held[index] = { file, page: found + 1, text: text.slice(0, LONGEST_QUOTATION) };
      }
    });
  }
  return held.filter((one) => one !== undefined);
}
