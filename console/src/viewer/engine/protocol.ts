/** Messages between the page and the document worker. Pages are 0-based. */

/** Why a document, or one of its pages, cannot be shown. */
export type ViewFailure =
  | 'password'
  | 'wrongPassword'
  | 'security'
  | 'damaged'
  | 'empty'
  | 'notPdf'
  | 'noPages'
  | 'tooLarge'
  | 'unreadable'
  | 'network'
  | 'memory'
  | 'slow'
  | 'unsupported'
  | 'internal';

/**
 * Numbers per page in `OpenedDocument.boxes`: left, bottom, right, top of the crop box in points, those of the media
 * box, and the rotation.
 */
export const NUMBERS_PER_PAGE = 9;

export interface OpenedDocument {
  readonly pageCount: number;
  /** `NUMBERS_PER_PAGE` numbers for each page. */
  readonly boxes: Float32Array;
  readonly encrypted: boolean;
}

/** Part of a page in pixels, from the upper left of the page as displayed. */
export interface PixelRect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface RenderRequest {
  readonly page: number;
  /** Pixels of the whole page as displayed, `turns` included. */
  readonly width: number;
  readonly height: number;
  /** Clockwise quarter turns in addition to the page's own rotation. */
  readonly turns: number;
  /** Default: the whole page. */
  readonly clip?: PixelRect;
}

/** Words of one line, in points from the upper left of the page as displayed (its own rotation included). */
export interface TextRun {
  readonly text: string;
  /** The corner where the text begins, above its first letter. */
  readonly x: number;
  readonly y: number;
  /** Along the text and across it. */
  readonly width: number;
  readonly height: number;
  /** Clockwise degrees. */
  readonly angle: number;
  /** The last run of its line. */
  readonly ends: boolean;
}

/** A rectangle in points from the upper left of the page as displayed. */
export interface PageRect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface SearchMatch {
  readonly page: number;
  readonly rects: readonly PageRect[];
  /** The words around it, and where the match is in them. */
  readonly excerpt: string;
  readonly from: number;
  readonly to: number;
}

export interface SearchQuery {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWords: boolean;
}

export interface OutlineEntry {
  readonly title: string;
  /** Undefined when it leads to no page of this document. */
  readonly page: number | undefined;
  readonly children: readonly OutlineEntry[];
}

export type Request =
  | { readonly type: 'open'; readonly document: number; readonly file: Blob; readonly password: string | undefined }
  | ({ readonly type: 'render'; readonly document: number } & RenderRequest)
  | { readonly type: 'text'; readonly document: number; readonly page: number }
  | { readonly type: 'outline'; readonly document: number }
  | { readonly type: 'search'; readonly document: number; readonly query: SearchQuery; readonly from: number };

export type ToWorker =
  | { readonly id: number; readonly priority: number; readonly request: Request }
  | { readonly cancel: number }
  | { readonly close: number };

export type FromWorker =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: ViewFailure }
  /** Matches found so far, and the number of pages searched. */
  | { readonly id: number; readonly matches: readonly SearchMatch[]; readonly searched: number }
  /** The instance is broken; the request that broke it. */
  | { readonly crashed: number }
  /** Sent while long work goes on. */
  | { readonly alive: true };
