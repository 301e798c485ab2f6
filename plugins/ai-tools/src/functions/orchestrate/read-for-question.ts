import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readPdf } from '@quire/document/content/text';
import { cutPage, type PageText, readPageTexts } from '../texts/page-texts.js';
import { LONGEST_QUOTATION, Quotations } from '../texts/quotations.js';
import { rankTexts } from './rank-pages.js';

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

export interface QuestionText {
  readonly pages: readonly ShownPage[];
  /** False when there was more text than a question may hold, so that only the fitting pages are here. */
  readonly whole: boolean;
  /** Of each file: SHA-256 of its bytes (hex), under which it is indexed where it was given no other name. */
  readonly ids: readonly string[];
  /** Of each file: a question might hold it whole, alone. */
  readonly fits: readonly boolean[];
  /** Of each file: pages (1-based) without text, the first 500 of them. */
  readonly blank: readonly (readonly number[])[];
}

/** Words of the model, and where it says that they stand. */
export interface Quoted {
  /** Index of the file. */
  readonly file: number;
  /** 1-based. */
  readonly page: number;
  readonly text: string;
}

/** Pages without text that are reported for a file. */
const MOST_BLANK = 500;

/** Length of a page's marker. */
const MARK_LENGTH = 40;

/**
 * Reads documents for a question: all their text where a question may hold it, else the pages that fit it best, in
 * their order. Errors: those of `readPdf`; the signal's reason.
 */
export async function readForQuestion(
  { paths, question, pages: most, characters }: QuestionReading,
  signal: AbortSignal,
): Promise<QuestionText> {
  const all: ShownPage[] = [];
  const [ids, blank]: [string[], number[][]] = [[], []];
  for (const [file, path] of paths.entries()) {
    const { pageCount, pages } = await readPageTexts(path, { signal });
    for (const page of pages) all.push({ ...page, file });
    const read = new Set(pages.map(({ page }) => page));
    blank.push(
      Array.from({ length: pageCount }, (_, index) => index + 1)
        .filter((page) => !read.has(page))
        .slice(0, MOST_BLANK),
    );
    ids.push(await hashOf(path));
  }
  const lengthOf = (shown: readonly ShownPage[]): number =>
    shown.reduce((sum, { text }) => sum + text.length + MARK_LENGTH, 0);
  const holds = (shown: readonly ShownPage[]): boolean => shown.length <= most && lengthOf(shown) <= characters;
  const facts = { ids, blank, fits: paths.map((_, file) => holds(all.filter((page) => page.file === file))) };
  if (holds(all)) return { pages: all, whole: true, ...facts };
  const ranked = rankTexts(
    all.map(({ text }) => text),
    question,
  );
  // Pages without a word of the question come last, in order.
  const order = new Set([...ranked, ...all.keys()]);
  const chosen: ShownPage[] = [];
  let left = characters;
  for (const index of order) {
    if (chosen.length >= most) break;
    const page = all[index]!;
    const cut = cutPage(page, left - MARK_LENGTH);
    // A page that does not fit is cut only if no other page was taken.
    if (cut === undefined || (cut.text.length < page.text.length && chosen.length > 0)) continue;
    chosen.push({ ...cut, file: page.file });
    left -= cut.text.length + MARK_LENGTH;
  }
  return { pages: chosen.sort((a, b) => a.file - b.file || a.page - b.page), whole: false, ...facts };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  return hash.digest('hex');
}

/**
 * Keeps the model's quotations that really are in the documents, with their page: the named one, or the first with the
 * words.
 */
export async function holdEvidence(
  paths: readonly string[],
  quoted: readonly Quoted[],
  signal: AbortSignal,
): Promise<Quoted[]> {
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
