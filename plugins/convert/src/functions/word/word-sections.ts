import type { Box, LayoutPage } from '@quire/document/layout';
import type { FileChild, ISectionOptions } from 'docx';
import { columnStarts } from './column-breaks.js';
import type { Furniture, RunningText } from './furniture.js';
import { bandsOf } from './page-bands.js';
import { wordBlocks } from './word-blocks.js';
import { clean } from './word-text.js';
import { twips, type WordState } from './word-state.js';

/** Least and usual distance of text from the edge, in points. */
const LEAST_MARGIN = 18;
const USUAL_MARGIN = 72;
/** Extra space that fonts other than the document's own need. */
const SPARE = 0.04;
const COLUMN_GAP = 18;

/** A section under way: pages of one size, with as many columns. */
interface Section {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly margins: Box;
  readonly continues: boolean;
  readonly children: FileChild[];
}

/** Collects pages in order and returns the sections of the document. */
export class WordSections {
  readonly #sections: Section[] = [];

  constructor(private readonly state: WordState) {}

  /** Puts a page behind the others. One without anything leaves an empty page. */
  async add(page: LayoutPage): Promise<void> {
    const margins = marginsOf(page);
    const textWidth = page.width - margins.left - margins.right;
    const bands = bandsOf(page, textWidth);
    for (const [i, { blocks, columns, gap }] of bands.entries()) {
      const last = this.#sections.at(-1);
      const same =
        last !== undefined &&
        last.width === page.width &&
        last.height === page.height &&
        last.columns === columns &&
        i === 0 &&
        bands.length === 1;
      const section = same
        ? last
        : this.#open({ width: page.width, height: page.height, columns, margins, continues: i > 0, children: [] });
      const width = (textWidth - COLUMN_GAP * (columns - 1)) / columns;
      // Content restarts at the top of each column; the distance there is not a distance between blocks.
      const below = i === 0 ? margins.top : undefined;
      const opens = i === 0 ? { opens: { page: page.number, breaks: same } } : {};
      const starts = columnStarts(blocks, { columns, width, bottom: page.height - margins.bottom });
      const children = await wordBlocks(blocks, this.state, { width, left: margins.left, below, starts, ...opens });
      if (children.length === 0) children.push(new this.state.docx.Paragraph(same ? { pageBreakBefore: true } : {}));
      section.children.push(...children);
      if (gap >= 1) section.children.push(this.#space(gap));
    }
  }

  /** The sections, with the headers and footers of their pages. */
  finish(furniture: Furniture): ISectionOptions[] {
    const { docx } = this.state;
    return this.#sections.map(({ width, height, columns, margins, continues, children }, i) => {
      const landscape = width > height;
      return {
        properties: {
          type: continues ? docx.SectionType.CONTINUOUS : docx.SectionType.NEXT_PAGE,
          page: {
            // The library exchanges both for landscape.
            size: {
              width: twips(landscape ? height : width),
              height: twips(landscape ? width : height),
              orientation: landscape ? docx.PageOrientation.LANDSCAPE : docx.PageOrientation.PORTRAIT,
            },
            margin: {
              left: twips(margins.left),
              right: twips(margins.right),
              top: twips(margins.top),
              bottom: twips(margins.bottom),
              header: twips(LEAST_MARGIN),
              footer: twips(LEAST_MARGIN),
            },
            ...(i === 0 && furniture.start !== 1 ? { pageNumbers: { start: furniture.start } } : {}),
          },
          ...(columns > 1 ? { column: { count: columns, space: twips(COLUMN_GAP), equalWidth: true } } : {}),
        },
        ...(this.#edge('header', furniture) === undefined
          ? {}
          : { headers: { default: new docx.Header({ children: [this.#edge('header', furniture)!] }) } }),
        ...(this.#edge('footer', furniture) === undefined
          ? {}
          : { footers: { default: new docx.Footer({ children: [this.#edge('footer', furniture)!] }) } }),
        children,
      };
    });
  }

  #space(height: number): FileChild {
    const { docx } = this.state;
    return new docx.Paragraph({ spacing: { line: twips(height), lineRule: docx.LineRuleType.EXACT } });
  }

  #open(section: Section): Section {
    this.#sections.push(section);
    return section;
  }

  #edge(edge: 'header' | 'footer', furniture: Furniture) {
    const { docx } = this.state;
    const text = furniture[edge];
    const numbered = furniture.number === edge;
    if (text === undefined && !numbered) return undefined;
    const children = [
      ...(text === undefined ? [] : this.#runningText(text)),
      ...(numbered
        ? [new docx.TextRun({ children: [...(text === undefined ? [] : ['\t']), docx.PageNumber.CURRENT] })]
        : []),
    ];
    return new docx.Paragraph({
      ...(text === undefined
        ? { alignment: docx.AlignmentType.CENTER }
        : { tabStops: [{ type: docx.TabStopType.RIGHT, position: docx.TabStopPosition.MAX }] }),
      children,
    });
  }

  #runningText({ before, numbered, after }: RunningText) {
    const { docx } = this.state;
    return [
      new docx.TextRun(clean(before)),
      ...(numbered ? [new docx.TextRun({ children: [docx.PageNumber.CURRENT] }), new docx.TextRun(clean(after))] : []),
    ];
  }
}

/**
 * Distances of the body from the edges; a little less than they are, so that text in other fonts does not spill over.
 */
function marginsOf({ width, height, blocks, footnotes }: LayoutPage): Box {
  const boxes = [...blocks, ...footnotes].map(({ box }) => box);
  if (boxes.length === 0) return { left: USUAL_MARGIN, right: USUAL_MARGIN, top: USUAL_MARGIN, bottom: USUAL_MARGIN };
  const within = (distance: number, side: number): number => Math.min(Math.max(LEAST_MARGIN, distance), side / 3);
  return {
    left: within(Math.min(...boxes.map(({ left }) => left)), width),
    right: within(Math.min(USUAL_MARGIN, width - Math.max(...boxes.map(({ right }) => right)) - width * SPARE), width),
    top: within(Math.min(...boxes.map(({ top }) => top)), height),
    bottom: within(
      Math.min(USUAL_MARGIN / 2, height - Math.max(...boxes.map(({ bottom }) => bottom)) - height * SPARE),
      height,
    ),
  };
}
