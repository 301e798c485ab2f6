import { writeFile } from 'node:fs/promises';
import { type LayoutDocument, type List, withLayout } from '@quire/document/layout';
import type { ILevelsOptions } from 'docx';
import { levelIndent, wordBlocks } from './word-blocks.js';
import { clean } from './word-text.js';
import { FurnitureCount } from './furniture.js';
import { WordSections } from './word-sections.js';
import type { DocxLibrary, WordState } from './word-state.js';

/** How a PDF becomes a text document. */
export interface PdfToDocxOptions {
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
  /** Called if no page has text. */
  readonly withoutText?: () => void;
}

const HEADING_SCALE = [2, 1.6, 1.35, 1.2, 1.1, 1] as const;
const LEVELS = 9;
const BULLETS = ['\u2022', '\u25e6', '\u25aa'] as const;

/**
 * Writes what a PDF says as an Office Open XML text document (ECMA-376) at `target`: headings, paragraphs, lists,
 * tables with merged cells, pictures, links, footnotes, running headers and page numbers, pages of their size with
 * their columns. Text flows; it stands no longer where the PDF put it. Errors: those of reading.
 */
export async function pdfToDocx(path: string, target: string, options: PdfToDocxOptions): Promise<void> {
  const docx = await import('docx');
  await withLayout({ path }, options, async (layout) => {
    const body = { family: layout.fonts.bodyFamily, size: layout.fonts.bodySize };
    const lists = new Numberings(docx);
    const notes = new Map<string, number>();
    const state: WordState = {
      docx,
      body,
      pageCount: layout.pageCount,
      noteNumber: (id) => notes.get(id),
      numbering: (list, level) => lists.add(list, level),
      picture: (picture) => layout.picture(picture),
    };
    const sections = new WordSections(state);
    const furniture = new FurnitureCount();
    const footnotes: Record<string, { children: InstanceType<DocxLibrary['Paragraph']>[] }> = {};
    for await (const page of layout.pages()) {
      for (const { id } of page.footnotes) notes.set(id, notes.size + 1);
      await sections.add(page);
      for (const { id, blocks } of page.footnotes) {
        const children = await wordBlocks(blocks, state, { width: page.width / 2, below: undefined });
        footnotes[String(notes.get(id))] = { children: children.filter((child) => child instanceof docx.Paragraph) };
      }
      furniture.add(page);
    }
    const document = new docx.Document({
      ...properties(layout),
      footnotes,
      styles: stylesOf(docx, body, layout.language),
      numbering: { config: lists.config },
      sections: sections.finish(furniture.finish()),
      features: { updateFields: false },
    });
    options.signal.throwIfAborted();
    await writeFile(target, await docx.Packer.toBuffer(document), { mode: 0o600, signal: options.signal });
  });
}

function properties({ title }: LayoutDocument): { title?: string; creator: string; lastModifiedBy: string } {
  return { ...(title === undefined ? {} : { title: clean(title) }), creator: '', lastModifiedBy: '' };
}

function stylesOf(docx: DocxLibrary, { family, size }: WordState['body'], language: string | undefined) {
  const half = Math.max(2, Math.round(size * 2));
  const heading = (level: number) => ({
    run: {
      bold: true,
      size: Math.max(half, Math.round(half * HEADING_SCALE[level - 1]!)),
      color: '000000',
      ...(family === '' ? {} : { font: family }),
    },
    paragraph: { spacing: { before: 0, after: 0 } },
  });
  const tag =
    language !== undefined && /^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(language) ? { language: { value: language } } : {};
  return {
    default: {
      document: {
        run: { size: half, sizeComplexScript: half, ...(family === '' ? {} : { font: family }), ...tag },
        paragraph: { spacing: { before: 0, after: 0 } },
      },
      heading1: heading(1),
      heading2: heading(2),
      heading3: heading(3),
      heading4: heading(4),
      heading5: heading(5),
      heading6: heading(6),
    },
    paragraphStyles: [
      { id: 'Caption', name: 'caption', basedOn: 'Normal', next: 'Normal', quickFormat: true },
      {
        id: 'Code',
        name: 'Code',
        basedOn: 'Normal',
        next: 'Normal',
        quickFormat: true,
        paragraph: { shading: { type: docx.ShadingType.CLEAR, color: 'auto', fill: 'F4F4F4' } },
      },
    ],
  };
}

/**
 * The numberings of all lists: one of its own for each outermost or inner list, so that each counts from its own start.
 */
class Numberings {
  readonly config: { reference: string; levels: ILevelsOptions[] }[] = [];

  constructor(private readonly docx: DocxLibrary) {}

  add(list: List, level: number): string {
    const reference = `list-${this.config.length + 1}`;
    this.config.push({ reference, levels: Array.from({ length: LEVELS }, (_, i) => this.#level(list, i, level)) });
    return reference;
  }

  #level({ ordered, style, start, items, direction }: List, level: number, own: number): ILevelsOptions {
    const { LevelFormat, AlignmentType } = this.docx;
    const formats = {
      bullet: LevelFormat.BULLET,
      decimal: LevelFormat.DECIMAL,
      lowerLetter: LevelFormat.LOWER_LETTER,
      upperLetter: LevelFormat.UPPER_LETTER,
      lowerRoman: LevelFormat.LOWER_ROMAN,
      upperRoman: LevelFormat.UPPER_ROMAN,
    };
    const [, before = '', after = '.'] = /^([([]?)[\p{L}\p{N}]+(.?)$/u.exec(items[0]?.marker ?? '') ?? [];
    const mark = ordered ? `${before}%${level + 1}${after}` : BULLETS[level % BULLETS.length]!;
    return {
      level,
      format: ordered ? formats[style] : LevelFormat.BULLET,
      text: mark,
      alignment: direction === 'rtl' ? AlignmentType.RIGHT : AlignmentType.LEFT,
      start: level === own ? Math.max(0, start) : 1,
      style: { paragraph: { indent: { start: levelIndent(level), hanging: 360 } } },
    };
  }
}
