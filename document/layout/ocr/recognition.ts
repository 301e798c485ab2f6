import type { PageChoice } from './plan-pages.js';

/** How a document is read. */
export interface RecognizeOptions {
  readonly choice: PageChoice;
  /** `hocr`: text over each word's box; `sandwich`: the layer that the engine itself writes. */
  readonly renderType: 'hocr' | 'sandwich';
  /** Turns pages whose lines lie askew. */
  readonly deskew: boolean;
  /** Cleans pictures before they are read. */
  readonly clean: boolean;
  /** Shows the cleaned pictures in the result. */
  readonly cleanFinal: boolean;
  /** Removes all images from all pages at the end. */
  readonly removeImages: boolean;
  /** Gathers the text of all pages as well. */
  readonly sidecar: boolean;
  readonly maxDpi: number;
  /** Pages that are read at most, the first ones; the others stay as they are. All by default. */
  readonly mostPages?: number;
  /** Pictures that are read at once. */
  readonly atOnce: number;
  /** An empty folder for what is under way. */
  readonly folder: string;
  readonly read: ReadPicture;
  readonly signal: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

export interface Recognized {
  readonly pages: number;
  /** Pages that were read, and those of them on which there was text. */
  readonly read: number;
  readonly withText: number;
  /** Pages that became pictures, and pages that were straightened. */
  readonly pictures: number;
  readonly turned: number;
  /** Pages that lie sideways or upside down, whose text was read in that direction; what they show is unchanged. */
  readonly readTurned: number;
  /** Numbers of pages on which little text was understood, in any direction. */
  readonly unreadable: readonly number[];
  readonly words: number;
  readonly imagesRemoved: number;
  /**
   * The text of all pages, form feeds between them; pages that were left alone give what they had. Empty unless asked
   * for.
   */
  readonly text: string;
}

/** Reads a picture of a page into files: words as hOCR, and a PDF with the text alone where one is asked for. */
export type ReadPicture = (
  picture: string,
  files: { readonly words: string; readonly layer?: string },
  dpi: number,
  signal: AbortSignal,
) => Promise<void>;
