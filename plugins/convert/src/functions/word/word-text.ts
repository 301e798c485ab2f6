import type { Run } from '@quire/document/layout';
import type { IRunOptions, ParagraphChild } from 'docx';
import { safeLink } from '../safe-link.js';
import type { WordState } from './word-state.js';

/**
 * Turns runs into the children of a paragraph: formatted text, links outside and within, marks of footnotes, line ends.
 */
export function wordText(runs: readonly Run[], state: WordState): ParagraphChild[] {
  const children: ParagraphChild[] = [];
  for (const run of runs) {
    const note = run.footnote === undefined ? undefined : state.noteNumber(run.footnote);
    if (note !== undefined) {
      children.push(new state.docx.FootnoteReferenceRun(note));
      continue;
    }
    const texts = plainRuns(run, state);
    children.push(...linked(run, texts, state));
  }
  return children;
}

function plainRuns(run: Run, state: WordState): ParagraphChild[] {
  const options = runOptions(run, state);
  return run.text
    .split('\n')
    .map((text, i) => new state.docx.TextRun({ ...options, text: clean(text), ...(i > 0 ? { break: 1 } : {}) }));
}

/** Formatting of a run; whatever equals the body's style is left to the style. */
function runOptions(run: Run, { body, docx }: WordState): IRunOptions {
  const family = run.family === '' || run.family === body.family ? undefined : run.family;
  const size = Math.round(run.size * 2);
  const shown = run.position === 'normal' && size !== Math.round(body.size * 2) && size > 0 ? size : undefined;
  return {
    ...(run.bold ? { bold: true } : {}),
    ...(run.italic ? { italics: true } : {}),
    ...(run.underline || run.link !== undefined ? { underline: { type: docx.UnderlineType.SINGLE } } : {}),
    ...(run.strike ? { strike: true } : {}),
    ...(run.position === 'superscript'
      ? { superScript: true }
      : run.position === 'subscript'
        ? { subScript: true }
        : {}),
    ...(shown === undefined ? {} : { size: shown, sizeComplexScript: shown }),
    ...(family === undefined ? {} : { font: family }),
    ...(run.colour === '#000000' ? {} : { color: run.colour.slice(1) }),
    ...(isRightToLeft(run.text) ? { rightToLeft: true } : {}),
  };
}

function linked({ link }: Run, texts: ParagraphChild[], { docx, pageCount }: WordState): ParagraphChild[] {
  if (link === undefined) return texts;
  if ('page' in link)
    return link.page >= 1 && link.page <= pageCount
      ? [new docx.InternalHyperlink({ anchor: pageAnchor(link.page), children: texts })]
      : texts;
  const address = safeLink(link.uri);
  return address === undefined ? texts : [new docx.ExternalHyperlink({ link: address, children: texts })];
}

/** The runs from one character to another, without the blank at which a line ended. */
export function runsBetween(runs: readonly Run[], from: number, to: number): Run[] {
  const found: Run[] = [];
  let at = 0;
  for (const run of runs) {
    const text = run.text.slice(Math.max(0, from - at), Math.max(0, to - at));
    at += run.text.length;
    if (text !== '') found.push({ ...run, text: found.length === 0 && from > 0 ? text.trimStart() : text });
  }
  return found;
}

/** Name of the bookmark at the beginning of a page. */
export function pageAnchor(page: number): string {
  return `page-${page}`;
}

/** XML 1.0 has no place for other control characters (2.2), nor for halves of surrogate pairs. */
export function clean(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    '',
  );
}

/** True when the first letter that has a direction runs from right to left. */
function isRightToLeft(text: string): boolean {
  const letter = /\p{L}/u.exec(text)?.[0];
  return (
    letter !== undefined &&
    /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(letter)
  );
}
