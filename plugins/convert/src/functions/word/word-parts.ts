import type { List, Picture, PictureFile } from '@quire/document/layout';
import type * as Docx from 'docx';

/** The library, loaded on first use. */
export type DocxLibrary = typeof Docx;

/** What all parts of a document under way share. */
export interface WordParts {
  readonly docx: DocxLibrary;
  /** Family and size in points of most of the text. */
  readonly body: { readonly family: string; readonly size: number };
  readonly pageCount: number;
  /** Number of a footnote; undefined for one that is not there. */
  noteNumber(id: string): number | undefined;
  /** Takes up a list that stands at this level (0 for the outermost) and gives the name of its numbering. */
  numbering(list: List, level: number): string;
  /** The pixels of a picture; undefined where it cannot be had. */
  picture(picture: Picture): Promise<PictureFile | undefined>;
}

/** Twentieths of a point, in which the format measures. */
export function twips(points: number): number {
  return Math.round(points * 20);
}
