/**
 * A readable document as data, whatever it is written as: `composeHtml` makes a page of it, `composePdf` a tagged PDF.
 * All texts are plain texts: nothing in them is markup.
 */
export interface Composition {
  /** BCP 47: the language of headings and labels. */
  readonly language: string;
  /** The title of the document, and its only heading of level 1. */
  readonly title: string;
  readonly subtitle?: string;
  readonly author?: string;
  /** The page label at the foot, with `{page}` and `{pages}`: `Page {page} of {pages}`. */
  readonly pageLabel: string;
  readonly blocks: readonly Block[];
}

export type Block = Heading | Paragraph | Facts | Columns | Table;

export interface Heading {
  readonly kind: 'heading';
  /** Levels follow each other without a gap, the first below the title is 2. */
  readonly level: 2 | 3;
  readonly text: string;
}

/** How a text stands out from others. */
export type Tone = 'plain' | 'strong' | 'muted';

export interface Paragraph {
  readonly kind: 'paragraph';
  /** Line breaks are kept. */
  readonly text: string;
  readonly tone?: Tone;
}

export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** Labels with their values, below each other. */
export interface Facts {
  readonly kind: 'facts';
  readonly facts: readonly Fact[];
}

/** Blocks side by side, each column of the same width; read one column after the other. */
export interface Columns {
  readonly kind: 'columns';
  readonly columns: readonly (readonly (Heading | Paragraph | Facts)[])[];
}

export interface Column {
  readonly title: string;
  /** `end` for numbers. */
  readonly align: 'start' | 'end';
  /** Share of the width, relative to the other columns. */
  readonly width: number;
}

/** A text of a cell; with a label it reads `label: text`. Each begins on a line of its own. */
export interface CellText {
  readonly text: string;
  readonly label?: string;
  readonly tone?: Tone;
}

export interface Row {
  readonly cells: readonly (readonly CellText[])[];
  /** A row that sums up the others. */
  readonly tone?: 'total';
  /** Depth below other rows: 0 for a row of its own, 1 for a part of the row before, 8 at most, more is shown as 8. */
  readonly depth?: number;
}

export interface Table {
  readonly kind: 'table';
  /** Read by screen readers and not shown, since a heading goes before. */
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** The column whose cells name their row. */
  readonly rowHeader: number;
}
