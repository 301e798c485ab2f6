import { type Block, blockText, type LayoutPage } from '@quire/document/layout';
import { type MarkdownPart, PageWriter } from '@quire/document/layout/markdown';

/**
 * A piece of a document's text: a heading, a paragraph, a table. All pieces of a document, joined by empty lines, are
 * its text.
 */
export interface Passage {
  /** Markdown; a figure has its own words or its alternative text. Never empty. */
  readonly text: string;
  /** 1 to 6 for a heading. */
  readonly level?: number;
  /** Of a heading: its words without Markdown. */
  readonly title?: string;
  /** `lines`: every line is a unit (lists, tables, code); `flow`: sentences. */
  readonly kind: 'flow' | 'lines';
  /** Pages (1-based) by where they begin in the text, the first at 0. */
  readonly pages: readonly { readonly at: number; readonly page: number }[];
}

/** A page as Markdown and as passages. */
export interface PagePassages {
  readonly page: number;
  /** As `pdfToMarkdown` writes it, without the line feed at the end; empty for a page that shows nothing. */
  readonly markdown: string;
  readonly passages: readonly Passage[];
}

const LONGEST_TITLE = 300;

/** Writes pages of one document, one after the other. */
export class PassageWriter {
  readonly #writer = new PageWriter();

  page(page: LayoutPage): PagePassages {
    const parts = this.#writer.parts(page);
    return {
      page: page.number,
      markdown: parts.map(({ text }) => text).join('\n\n'),
      passages: parts.flatMap((part) => passageOf(part) ?? []),
    };
  }
}

function passageOf({ text, of }: MarkdownPart): Passage | undefined {
  const pages = [{ at: 0, page: of.page }];
  if (of.kind === 'figure') {
    // The image placeholder is useless for text search.
    const words = [of.alt, of.text].filter((one) => one !== undefined && one.trim() !== '').join('\n');
    return words === '' ? undefined : { text: words, kind: 'flow', pages };
  }
  if (of.kind === 'heading') return { text, level: of.level, title: titleOf(of), kind: 'flow', pages };
  if (of.kind !== 'paragraph' && of.kind !== 'list' && of.kind !== 'table' && of.kind !== 'code')
    return { text, kind: 'flow', pages };
  return {
    text,
    kind: of.kind === 'paragraph' && !of.keepsLines ? 'flow' : 'lines',
    pages: [...pages, ...turnsOf(of, text)],
  };
}

/** A title is repeated with every chunk below it, so one without end is cut. */
function titleOf(heading: Block): string {
  const title = blockText(heading).replace(/\s+/g, ' ').trim();
  return title.length <= LONGEST_TITLE
    ? title
    : `${title.slice(0, LONGEST_TITLE - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * Where further pages begin in the Markdown of a block: a table's rows are its lines; what else goes on is cut in
 * proportion.
 */
function turnsOf(block: Block, text: string): Passage['pages'] {
  if (block.turns === undefined) return [];
  if (block.kind === 'table') {
    const starts = lineStarts(text);
    // The second line is the rule below the head.
    return block.turns.map(({ page, at }) => ({
      page,
      at: starts[Math.min(starts.length - 1, at === 0 ? 0 : at + 1)]!,
    }));
  }
  const whole =
    block.kind === 'list'
      ? block.items.length
      : 'runs' in block
        ? block.runs.reduce((sum, run) => sum + run.text.length, 0)
        : 1;
  return block.turns.map(({ page, at }) => ({
    page,
    at: Math.min(text.length - 1, Math.round((text.length * at) / Math.max(1, whole))),
  }));
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
