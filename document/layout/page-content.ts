import type { Box, Link, Picture } from './model.js';

/**
 * Content of a page, read once: words, ruling lines, filled areas and images, in points of the page as shown (upper
 * left corner, y downwards). Input of the layout analysis and the table finder.
 */
export interface PageContent {
  /** 1-based. */
  readonly number: number;
  readonly width: number;
  readonly height: number;
  /**
   * In the order in which the page's text is written (PDFium's reading). Text outside the page and drawn twice is left
   * out.
   */
  readonly words: readonly Word[];
  /** Horizontal and vertical lines: strokes, sides of stroked rectangles, thin filled rectangles. */
  readonly rulings: readonly Ruling[];
  /** Filled upright rectangles that are not thin (backgrounds of cells), in painting order. */
  readonly fills: readonly FilledArea[];
  readonly pictures: readonly PlacedPicture[];
  /** Boxes of paths that are neither rulings nor upright rectangles: curves, slanted lines, shapes. */
  readonly shapes: readonly Box[];
  readonly links: readonly PlacedLink[];
  /** Structure elements with content on the page, as trees; none where the document is not tagged. */
  readonly tags: readonly TagNode[];
}

/** A structure element (ISO 32000-1, 14.7.2), as far as it has content on the page. */
export interface TagNode {
  /** Standard structure type, roles mapped. */
  readonly type: string;
  /** Marked content ids of the page and elements, in their order. */
  readonly kids: readonly (number | TagNode)[];
  /** /Alt, else /ActualText, of figures and formulas. */
  readonly alt: string | undefined;
  /** Of cells; 1 elsewhere. */
  readonly rowSpan: number;
  readonly colSpan: number;
}

/** The place of a word in a part of a line with right-to-left letters. */
export interface BidiPlace {
  /** The part, up to a wide gap: one object for all its words. `rtl`: its paragraph is written from right to left. */
  readonly part: { readonly rtl: boolean };
  /** Its place among the words of the part, in logical order. */
  readonly at: number;
}

/** Letters on one line without a gap between them. */
export interface Word {
  /** Logical order, NFC, without ligatures and presentation forms. */
  readonly text: string;
  readonly box: Box;
  /** Of the first letter: where the line of writing lies (y for upright text). */
  readonly baseline: number;
  /**
   * Direction of writing on the page as shown: 0 to the right, 90 upwards, 180, 270 downwards (clockwise top to
   * bottom). Other angles are rounded to whole degrees.
   */
  readonly angle: number;
  readonly style: WordStyle;
  /**
   * True when a blank stands before it in the text, or it begins a line of the reading; false where it only changes its
   * look within a word.
   */
  readonly spaced: boolean;
  /** Its place in a line with right-to-left letters; undefined for words of other lines. */
  readonly bidi?: BidiPlace;
  /** True when the reading (PDFium's) begins a new line with it. */
  readonly startsLine: boolean;
  /**
   * True when its last letter is a soft hyphen, or a hyphen by which PDFium takes the word for divided; the hyphen is
   * not in `text`.
   */
  readonly divided: boolean;
  /** Marked content id (ISO 32000-1, 14.6) of the page's content; -1 for none. */
  readonly mcid: number;
}

/** Looks that words share; equal styles of a document are the same object. */
export interface WordStyle {
  /** Points as shown. */
  readonly size: number;
  /** Without subset tag and style. */
  readonly family: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly monospace: boolean;
  /** True for text that is not painted: what was recognised on a scan. */
  readonly invisible: boolean;
  /** #rrggbb. */
  readonly colour: string;
}

/** A line that is drawn: `from` < `to` along it, `at` across. */
export interface Ruling {
  readonly direction: 'horizontal' | 'vertical';
  /** y of a horizontal one, x of a vertical one. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly thickness: number;
  /** #rrggbb. */
  readonly colour: string;
}

/** An upright rectangle that is filled. */
export interface FilledArea {
  readonly box: Box;
  /** #rrggbb. */
  readonly colour: string;
}

/** A picture with the marked content that it belongs to. */
export interface PlacedPicture {
  readonly picture: Picture;
  readonly mcid: number;
}

/** An area that leads somewhere. */
export interface PlacedLink {
  readonly box: Box;
  readonly link: Link;
}
