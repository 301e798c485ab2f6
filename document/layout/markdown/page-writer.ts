import type { Artefact, Block, Footnote, LayoutPage } from '../index.js';
import { escapeText } from './inline.js';
import { MarkdownWriter } from './markdown-writer.js';

/** A piece of a document in Markdown and what it was made of. All pieces, joined by empty lines, are the document. */
export interface MarkdownPart {
  /** Never empty. */
  readonly text: string;
  readonly of: Block | Footnote | Artefact;
}

/** Writes the pages of one document as Markdown, one after the other. Running titles and page numbers are left out. */
export class PageWriter {
  readonly #writer = new MarkdownWriter();
  #across: readonly string[] = [];

  /** A page's body with its footnotes behind it, then text that stands across the others. */
  parts({ blocks, footnotes, artefacts }: LayoutPage): MarkdownPart[] {
    const parts: MarkdownPart[] = blocks.map((block, i) => ({
      text: this.#writer.block(block, blocks[i - 1]),
      of: block,
    }));
    for (const note of footnotes) parts.push({ text: this.#note(note), of: note });
    const across = artefacts
      .filter(({ kind }) => kind === 'other')
      .map((of) => ({
        text: escapeText(
          of.runs
            .map(({ text }) => text)
            .join('')
            .trim(),
        ),
        of,
      }));
    // The same text on page after page is a stamp, written once.
    if (across.map(({ text }) => text).join('\n') !== this.#across.join('\n')) parts.push(...across);
    this.#across = across.map(({ text }) => text);
    return parts.filter(({ text }) => text !== '');
  }

  /** A note that nothing refers to is a paragraph, or it would not be shown. */
  #note({ id, mark, blocks }: Footnote): string {
    const text = this.#writer.blocks(blocks);
    if (!this.#writer.isReferred(id)) return `<sup>${escapeText(mark)}</sup> ${text}`;
    return `[^${this.#writer.footnote(id)}]: ${text
      .split('\n')
      .map((line, i) => (i === 0 || line === '' ? line : `    ${line}`))
      .join('\n')}`;
  }
}
