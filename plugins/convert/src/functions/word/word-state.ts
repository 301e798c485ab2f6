import type { List, Picture, PictureFile } from '@quire/document/layout';
import type * as Docx from 'docx';

/** The library, loaded on first use. */
export type DocxLibrary = typeof Docx;

/** State shared by all parts of a document that is being written. */
export interface WordState {
  readonly docx: DocxLibrary;
  /** Family and size in points of most of the text. */
  readonly body: { readonly family: string; readonly size: number };
  readonly pageCount: number;
  /** Number of a footnote; undefined for one that is not there. */
  noteNumber(id: string): number | undefined;
  /** Registers a list at this level (0 for the outermost) and returns the name of its numbering. */
  numbering(list: List, level: number): string;
  /** Returns the pixels of an image; undefined if they are not available. */
  picture(picture: Picture): Promise<PictureFile | undefined>;
}

/** Twentieths of a point, in which the format measures. */
export function twips(points: number): number {
  return Math.round(points * 20);
}
