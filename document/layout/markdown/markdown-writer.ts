import type { Align, Block, Figure, List, Table, TableCell } from '../index.js';
import { escapeText, inlineText, type InlineOptions, longestTicks } from './inline.js';

/** Writes blocks as Markdown; knows the footnotes that were referred to. */
export class MarkdownWriter {
  readonly #numbers = new Map<string, number>();

  /** The number of a footnote, which counts as referred to from now on. */
  footnote = (id: string): number => {
    let number = this.#numbers.get(id);
    if (number === undefined) this.#numbers.set(id, (number = this.#numbers.size + 1));
    return number;
  };

  isReferred(id: string): boolean {
    return this.#numbers.has(id);
  }

  /** Blocks, separated by empty lines. */
  blocks(blocks: readonly Block[]): string {
    const out: string[] = [];
    for (const [i, block] of blocks.entries()) {
      const text = this.block(block, blocks[i - 1]);
      if (text !== '') out.push(text);
    }
    return out.join('\n\n');
  }

  #inline(runs: Parameters<typeof inlineText>[0], options: Partial<InlineOptions> = {}): string {
    return inlineText(runs, { footnote: this.footnote, lineBreak: ' ', ...options });
  }

  /** One block, given the one before it; empty for a block that shows nothing. */
  block(block: Block, before: Block | undefined): string {
    switch (block.kind) {
      case 'heading': {
        // A # at the end would be taken for the closing sequence.
        const text = this.#inline(block.runs, { unbold: true }).replace(/#+$/, (end) => `\\${end}`);
        return text === '' ? '' : `${'#'.repeat(block.level)} ${text}`;
      }
      case 'paragraph':
        return this.#inline(block.runs, { lineBreak: block.keepsLines ? '\\\n' : ' ' });
      case 'list':
        return this.#list(block, before?.kind === 'list' && before.ordered === block.ordered);
      case 'table':
        return this.#table(block);
      case 'figure':
        return placeholder(block);
      case 'code':
        return fenced(block.text);
    }
  }

  /** A list after another one of its kind has other markers, or both would be one. */
  #list(list: List, alternate: boolean): string {
    const items = list.items.map(({ blocks }, i) => {
      const marker = list.ordered ? `${list.start + i}${alternate ? ')' : '.'}` : alternate ? '*' : '-';
      const indent = ' '.repeat(marker.length + 1);
      const tight = blocks.every(({ kind }, n) => (kind === 'list' ? n > 0 : n === 0));
      const text = tight
        ? blocks
            .map((block, n) => this.block(block, blocks[n - 1]))
            .filter((one) => one !== '')
            .join('\n')
        : this.blocks(blocks);
      return {
        tight,
        text: `${marker} ${text
          .split('\n')
          .map((line, n) => (n === 0 || line === '' ? line : indent + line))
          .join('\n')}`.trimEnd(),
      };
    });
    return items.map(({ text }) => text).join(items.every(({ tight }) => tight) ? '\n' : '\n\n');
  }

  /** A pipe table; the first row names the columns. Of merged cells the first place has the text. */
  #table({ rows, columnWidths, headerRows }: Table): string {
    const columns = Math.max(1, columnWidths.length);
    if (rows.length === 0) return '';
    const grid = rows.map(({ cells }, row) => {
      const texts = Array.from({ length: columns }, () => '');
      for (const cell of cells)
        if (cell.column < columns) texts[cell.column] = this.#cell(cell, row < Math.max(1, headerRows));
      return texts;
    });
    // Columns that only keep others apart are left out.
    const kept = Array.from({ length: columns }, (_, column) => column).filter((column) =>
      grid.some((texts) => texts[column] !== ''),
    );
    if (kept.length === 0) return '';
    const line = (texts: readonly string[]): string => `| ${kept.map((column) => texts[column] ?? '').join(' | ')} |`;
    const aligns = grid[0]!.map((_, column) =>
      alignMark(
        rows.flatMap(({ cells }) =>
          cells
            .filter((cell) => cell.column === column && cell.colSpan === 1 && cell.blocks.length > 0)
            .map(({ align }) => align),
        ),
      ),
    );
    return [line(grid[0]!), line(aligns), ...grid.slice(1).map(line)].join('\n');
  }

  #cell({ blocks }: TableCell, header: boolean): string {
    return blocks
      .map((block): string => {
        switch (block.kind) {
          case 'heading':
          case 'paragraph':
            return this.#inline(block.runs, { lineBreak: '<br>', cell: true, unbold: header });
          case 'list':
            return block.items
              .map(
                ({ marker, blocks: inner }) =>
                  `${escapeText(marker, true)} ${this.#cell({ blocks: inner } as TableCell, header)}`,
              )
              .join('<br>');
          case 'figure':
            return placeholder(block, true);
          case 'code':
            return block.text
              .split('\n')
              .map((row) => escapeText(row, true))
              .join('<br>');
          case 'table':
            return block.rows.map(({ cells }) => cells.map((cell) => this.#cell(cell, header)).join(' ')).join('<br>');
        }
      })
      .filter((text) => text !== '')
      .join('<br>');
  }
}

function alignMark(aligns: readonly Align[]): string {
  const most = (align: Align): boolean => aligns.filter((one) => one === align).length * 2 > aligns.length;
  return most('right') ? '---:' : most('center') ? ':---:' : '---';
}

/** Placeholder of an image: its alternative text, if there is one, then its facts. */
function placeholder({ picture, alt, text }: Figure, cell = false): string {
  const names = {
    jpeg: 'JPEG',
    jpeg2000: 'JPEG 2000',
    jbig2: 'JBIG2',
    ccitt: 'CCITT',
    raw: 'raw pixels',
    drawing: 'drawing',
  };
  const { left, right, top, bottom } = picture.box;
  const points = `${Math.round(right - left)} x ${Math.round(bottom - top)} pt`;
  const facts =
    picture.source === 'drawing'
      ? [points, 'drawing']
      : [
          `${picture.width} x ${picture.height} px`,
          points,
          `${picture.dpi} dpi`,
          names[picture.format],
          colourFacts(picture.colour, picture.bits),
        ];
  const told = [alt, text === '' ? undefined : text].filter((one) => one !== undefined && one !== '').join('; ');
  return (
    `*\\[Image: ${told === '' ? '' : `${escapeText(told.replace(/\s+/g, ' '), cell)}; `}` +
    `${facts.filter((fact) => fact !== '').join(', ')}\\]*`
  );
}

function colourFacts(colour: string, bits: number): string {
  return [colour, bits > 0 ? `${bits} bit` : ''].filter((one) => one !== '').join(' ');
}

/** A fence longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, longestTicks(text));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
