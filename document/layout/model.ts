/**
 * A document as people read it: blocks in reading order, page by page. All lengths are points (1/72 inch) of the page
 * as it is shown (after /Rotate, the crop box and /UserUnit); the origin is the upper left corner and y grows
 * downwards.
 */
export interface LayoutDocument {
  /** Of the document's metadata; undefined when it has none. */
  readonly title: string | undefined;
  /** /Lang of the catalog (BCP 47), as it is written. */
  readonly language: string | undefined;
  readonly outline: readonly OutlineEntry[];
  readonly pageCount: number;
  readonly fonts: FontFacts;
  /**
   * True when the document says that it is tagged (ISO 32000-1, 14.8); pages of which the tags hold too little are read
   * by where things stand.
   */
  readonly tagged: boolean;
  /**
   * The pages in their order, each made when it is asked for. A paragraph or table that goes on over a page break is
   * whole on the page where it begins. May be asked for once at a time; the reading ends when the iteration is left.
   */
  pages(): AsyncIterable<LayoutPage>;
  /** The pixels of a figure's picture; undefined for one that cannot be decoded. */
  picture(picture: Picture, options?: PictureOptions): Promise<PictureFile | undefined>;
}

/** An item of the outline, flat, in the order shown. */
export interface OutlineEntry {
  readonly title: string;
  /** 1 for the outermost. */
  readonly level: number;
  /** 1-based; undefined for an item that leads elsewhere or nowhere. */
  readonly page: number | undefined;
}

/** Predominant font properties of the document's text. */
export interface FontFacts {
  /** Size of most of the text, in points. */
  readonly bodySize: number;
  /** Family of most of the text, without subset tag and style ("Times New Roman"). */
  readonly bodyFamily: string;
  /** Families by their share of the letters (0 to 1), the largest first. */
  readonly families: readonly { readonly family: string; readonly share: number }[];
}

/** A rectangle: left < right, top < bottom. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** One page: its body, its footnotes, and what stands around them. */
export interface LayoutPage {
  /** 1-based. */
  readonly number: number;
  readonly width: number;
  readonly height: number;
  /** Columns of the page's prose; 1 without prose. */
  readonly columns: number;
  /** The body in reading order, without footnotes and artefacts. */
  readonly blocks: readonly Block[];
  readonly footnotes: readonly Footnote[];
  readonly artefacts: readonly Artefact[];
}

export type Block = Heading | Paragraph | List | Table | Figure | Code;

interface Placed {
  /** 1-based number of the page where it begins. */
  readonly page: number;
  /** Its box on that page. */
  readonly box: Box;
  /** The pages on which it continues, in order; absent if it is on one page. */
  readonly turns?: readonly PageTurn[];
}

/** A page on which a block goes on. */
export interface PageTurn {
  /** 1-based. */
  readonly page: number;
  /** How much of the block stands before that page: rows of a table, items of a list, characters of a paragraph. */
  readonly at: number;
}

export type Direction = 'ltr' | 'rtl';
export type Align = 'left' | 'right' | 'center' | 'justify';

/** A title of a part of the document. */
export interface Heading extends Placed {
  readonly kind: 'heading';
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  readonly align: Align;
  readonly direction: Direction;
  readonly runs: readonly Run[];
}

/** Text that flows. */
export interface Paragraph extends Placed {
  readonly kind: 'paragraph';
  readonly align: Align;
  readonly direction: Direction;
  /**
   * From the column's edges to the text, in points; `first` is the first line's, over and above the side where lines
   * begin (negative for a hanging indent).
   */
  readonly indent: { readonly left: number; readonly right: number; readonly first: number };
  /** From base line to base line, in points; 0 for a single line. */
  readonly leading: number;
  /** True for text above or below a figure or table that names it. */
  readonly caption: boolean;
  /** Where it goes on in further columns of its page; absent if it is in one. */
  readonly columns?: readonly ColumnTurn[];
  /** True when the lines are to be kept as they are (addresses, verse): `\n` in the runs ends one. */
  readonly keepsLines: boolean;
  readonly runs: readonly Run[];
}

/** A column in which a paragraph goes on. */
export interface ColumnTurn {
  /** How many characters of the paragraph are before that column. */
  readonly at: number;
  /** The box of what is in that column. */
  readonly box: Box;
}

/** Items that belong together, with their markers. */
export interface List extends Placed {
  readonly kind: 'list';
  readonly ordered: boolean;
  /** Numbering of an ordered list. */
  readonly style: ListStyle;
  /** Number of the first item. */
  readonly start: number;
  readonly direction: Direction;
  readonly items: readonly ListItem[];
}

export type ListStyle = 'bullet' | 'decimal' | 'lowerLetter' | 'upperLetter' | 'lowerRoman' | 'upperRoman';

/** An item of a list. */
export interface ListItem {
  /** As it is printed: "•", "1.", "(a)". */
  readonly marker: string;
  /** Paragraphs, inner lists and whatever else belongs to the item. */
  readonly blocks: readonly Block[];
}

/** Cells in rows and columns; each position of the grid belongs to at most one. */
export interface Table extends Placed {
  readonly kind: 'table';
  /** From top to bottom; a cell belongs to the row where it starts. */
  readonly rows: readonly TableRow[];
  /** Width of each column in points. */
  readonly columnWidths: readonly number[];
  /** Rows at the top that name the columns. */
  readonly headerRows: number;
  /** True when lines are drawn between its cells. */
  readonly ruled: boolean;
  readonly direction: Direction;
}

/** A row of a table. */
export interface TableRow {
  readonly cells: readonly TableCell[];
  /** Height in points on its page. */
  readonly height: number;
}

/** A cell of a table. */
export interface TableCell {
  /** 0-based column where it begins. */
  readonly column: number;
  readonly rowSpan: number;
  readonly colSpan: number;
  readonly header: boolean;
  readonly align: Align;
  /** Background (#rrggbb) where one is drawn. */
  readonly fill: string | undefined;
  /** Paragraphs, lists, figures; none for an empty cell. */
  readonly blocks: readonly Block[];
}

/** An image in the text flow. */
export interface Figure extends Placed {
  readonly kind: 'figure';
  readonly picture: Picture;
  /** Alternate description (/Alt), if the document has one. */
  readonly alt: string | undefined;
  /** Words drawn inside it (labels of a chart), separated by spaces; they appear nowhere else. */
  readonly text: string;
  /** True if it is within a line of text or a cell. */
  readonly inline: boolean;
}

/** A picture of a page, to be fetched with `LayoutDocument.picture`. */
export interface Picture {
  /** `image`: an image of the file. `drawing`: an area with lines and shapes, which is rendered. */
  readonly source: 'image' | 'drawing';
  /** 1-based. */
  readonly page: number;
  readonly box: Box;
  /** Position of the image among the page's, as the reader counts them; undefined for a drawing. */
  readonly index: number | undefined;
  /**
   * Equal for images of equal data, so that a picture drawn on every page is written once; undefined where that is not
   * known.
   */
  readonly key: string | undefined;
  /** Pixels of the image as stored; 0 for a drawing. */
  readonly width: number;
  readonly height: number;
  /** Pixels per inch as shown, the smaller one of both ways; 0 for a drawing. */
  readonly dpi: number;
  /** How it is stored. */
  readonly format: 'jpeg' | 'jpeg2000' | 'jbig2' | 'ccitt' | 'raw' | 'drawing';
  /** Colour space as the document names it: "DeviceRGB", "DeviceGray", "ICCBased", "Indexed"; empty for a drawing. */
  readonly colour: string;
  /** Bits of a pixel; 0 where that is not known. */
  readonly bits: number;
}

/** How the pixels of a picture are wanted. */
export interface PictureOptions {
  /** Resolution of a drawing, and the most an image is given; 150 by default. */
  readonly dpi?: number;
}

/** A picture as a file of its own. */
export interface PictureFile {
  readonly bytes: Uint8Array;
  readonly format: 'jpeg' | 'png';
  readonly width: number;
  readonly height: number;
}

/** Lines of a program: one width for all letters. */
export interface Code extends Placed {
  readonly kind: 'code';
  /** Lines with their indentation, joined by `\n`. */
  readonly text: string;
}

/** A note at the foot of the page. */
export interface Footnote extends Placed {
  readonly kind: 'footnote';
  /** Unique in the document; runs that refer to it name it (`Run.footnote`). */
  readonly id: string;
  /** As it is printed: "1", "*". */
  readonly mark: string;
  readonly blocks: readonly Block[];
}

/** Page content beside the text flow (headers, footers, stamps). */
export interface Artefact extends Placed {
  readonly kind: 'header' | 'footer' | 'pageNumber' | 'other';
  readonly runs: readonly Run[];
}

/**
 * Text with one format. Text is in logical order, composed (NFC), words separated by single spaces; `
 * ` only in paragraphs that keep their lines.
 */
export interface Run {
  readonly text: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly monospace: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
  readonly position: 'normal' | 'superscript' | 'subscript';
  /** Points as shown; of a superscript its own. */
  readonly size: number;
  /** Without subset tag and style. */
  readonly family: string;
  /** Fill colour, #rrggbb. */
  readonly colour: string;
  readonly link: Link | undefined;
  /** Id of the footnote that this run is the mark of. */
  readonly footnote: string | undefined;
}

/** Where a run leads: an address, or a page (1-based) of the document. */
export type Link = { readonly uri: string } | { readonly page: number };
