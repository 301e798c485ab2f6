import type {
  Align,
  Block,
  Direction,
  Figure,
  Footnote,
  Heading,
  List,
  Paragraph,
  Picture,
  Table,
  TableCell,
} from '@quire/document/layout';
import { xmlText, type TextHtml, textHtml } from './html-text.js';

export interface BlockHtml extends TextHtml {
  /** Returns the address of an image file; undefined if the image is not available. */
  picture(picture: Picture): Promise<string | undefined>;
  /** Id of the element of a heading, where something leads there. */
  headingId(heading: Heading): string | undefined;
}

/** Blocks as HTML that is XML too, a line each. */
export async function blocksHtml(blocks: readonly Block[], context: BlockHtml): Promise<string> {
  const lines: string[] = [];
  for (const block of blocks) lines.push(await blockHtml(block, context));
  return lines.join('\n');
}

async function blockHtml(block: Block, context: BlockHtml): Promise<string> {
  switch (block.kind) {
    case 'heading':
      return headingHtml(block, context);
    case 'paragraph':
      return paragraphHtml(block, context);
    case 'list':
      return listHtml(block, context);
    case 'table':
      return tableHtml(block, context);
    case 'figure':
      return figureHtml(block, context);
    case 'code':
      return `<pre><code>${xmlText(block.text)}</code></pre>`;
  }
}

function headingHtml(block: Heading, context: BlockHtml): string {
  const id = context.headingId(block);
  return (
    `<h${block.level}${id === undefined ? '' : ` id="${id}"`}${direction(block.direction)}` +
    `${aligned(block.align, block.direction)}>${textHtml(block.runs, context, true)}</h${block.level}>`
  );
}

function paragraphHtml(block: Paragraph, context: BlockHtml): string {
  return (
    `<p${block.caption ? ' class="caption"' : ''}${direction(block.direction)}` +
    `${aligned(block.align, block.direction)}>${textHtml(block.runs, context)}</p>`
  );
}

const types = {
  bullet: undefined,
  decimal: '1',
  lowerLetter: 'a',
  upperLetter: 'A',
  lowerRoman: 'i',
  upperRoman: 'I',
} as const;

async function listHtml({ ordered, style, start, direction: way, items }: List, context: BlockHtml): Promise<string> {
  const tag = ordered ? 'ol' : 'ul';
  const type = ordered && types[style] !== undefined && types[style] !== '1' ? ` type="${types[style]}"` : '';
  const lines: string[] = [];
  for (const { blocks } of items) {
    const [head, ...rest] = blocks;
    // A single line of text needs no paragraph of its own.
    const first = head?.kind === 'paragraph' ? textHtml(head.runs, context) : '';
    const more = await blocksHtml(head?.kind === 'paragraph' ? rest : blocks, context);
    lines.push(`<li>${first}${more === '' ? '' : `\n${more}\n`}</li>`);
  }
  return (
    `<${tag}${type}${ordered && start !== 1 ? ` start="${start}"` : ''}${direction(way)}>\n${lines.join('\n')}\n` +
    `</${tag}>`
  );
}

async function tableHtml({ rows, headerRows, ruled, direction: way }: Table, context: BlockHtml): Promise<string> {
  const lines = await Promise.all(
    rows.map(
      async ({ cells }) => `<tr>${(await Promise.all(cells.map((cell) => cellHtml(cell, context)))).join('')}</tr>`,
    ),
  );
  const head = headerRows > 0 ? `<thead>\n${lines.slice(0, headerRows).join('\n')}\n</thead>\n` : '';
  const body = lines.length > headerRows ? `<tbody>\n${lines.slice(headerRows).join('\n')}\n</tbody>\n` : '';
  return `<table${ruled ? ' class="ruled"' : ''}${direction(way)}>\n${head}${body}</table>`;
}

async function cellHtml(cell: TableCell, context: BlockHtml): Promise<string> {
  const tag = cell.header ? 'th' : 'td';
  const [only] = cell.blocks;
  const content =
    cell.blocks.length === 1 && only?.kind === 'paragraph'
      ? textHtml(only.runs, context)
      : await blocksHtml(cell.blocks, context);
  const spans =
    `${cell.colSpan > 1 ? ` colspan="${cell.colSpan}"` : ''}` +
    `${cell.rowSpan > 1 ? ` rowspan="${cell.rowSpan}"` : ''}`;
  const style = [
    ...(cell.align === 'left' || cell.align === 'justify' ? [] : [`text-align:${cell.align}`]),
    ...(cell.fill !== undefined && context.looks ? [`background-color:${xmlText(cell.fill)}`] : []),
  ];
  return `<${tag}${spans}${style.length === 0 ? '' : ` style="${style.join(';')}"`}>${content}</${tag}>`;
}

async function figureHtml({ picture, box, alt, inline }: Figure, context: BlockHtml): Promise<string> {
  const address = await context.picture(picture);
  if (address === undefined) return alt === undefined ? '' : `<p class="picture">${xmlText(alt)}</p>`;
  const width = Math.round((box.right - box.left) / 0.75);
  const image = `<img src="${xmlText(address)}" alt="${xmlText(alt ?? '')}" width="${Math.max(1, width)}"/>`;
  return inline ? `<p>${image}</p>` : `<figure>${image}</figure>`;
}

/** Footnotes as a part of their own, each with a way back to its mark. */
export async function footnotesHtml(
  footnotes: readonly Footnote[],
  ids: (id: string) => string,
  context: BlockHtml,
): Promise<string> {
  const notes: string[] = [];
  for (const { id, mark, blocks } of footnotes) {
    const note = context.noteLink(id);
    const back =
      note === undefined ? xmlText(mark) : `<a href="#${note.markId}" role="doc-backlink">${xmlText(mark)}</a>`;
    notes.push(
      `<aside${context.looks ? '' : ' epub:type="footnote"'} role="doc-footnote" id="${ids(id)}"><p ` +
        `class="mark">${back}</p>\n${await blocksHtml(blocks, context)}</aside>`,
    );
  }
  return notes.join('\n');
}

function direction(way: Direction): string {
  return way === 'rtl' ? ' dir="rtl"' : '';
}

function aligned(align: Align, way: Direction): string {
  return align === 'justify' || align === (way === 'rtl' ? 'right' : 'left') ? '' : ` style="text-align:${align}"`;
}

/** The look of both forms: quiet, and readable on any screen. */
export const styleSheet = `body { max-width: 46em; margin: 2em auto; padding: 0 1em; line-height: 1.45; }
p { margin: 0.6em 0; }
p.caption { font-size: 0.9em; font-style: italic; }
img { max-width: 100%; height: auto; }
figure { margin: 1em 0; text-align: center; }
table { border-collapse: collapse; margin: 1em 0; max-width: 100%; }
th, td { padding: 0.2em 0.5em; text-align: left; vertical-align: top; }
table.ruled th, table.ruled td { border: 1px solid #888; }
pre { background: #f4f4f4; padding: 0.6em; overflow-x: auto; }
aside { font-size: 0.85em; border-top: 1px solid #bbb; margin-top: 1em; }
aside p.mark { float: left; margin: 0 0.5em 0 0; }
`;
