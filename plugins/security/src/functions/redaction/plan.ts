import type { PDFDict } from 'pdf-lib';
import type { Colour } from '@quire/document/content/drawing';
import type { OpenedPdf } from '@quire/document/file/open';
import type { RedactArea } from '@quire/document/redaction/erasure';
import type { TextSearch } from '@quire/document/redaction/search';
import type { RedactionBox } from './boxes.js';

/** A part of a page to empty, and the boxes to draw over it. */
export interface PlannedArea extends RedactArea {
  readonly boxes: readonly RedactionBox[];
}

/** Everything to remove from a document. */
export interface RedactionPlan {
  /** Text to remove wherever it occurs. */
  readonly search?: TextSearch;
  /** Matches on pages that stay (`matchId`). Elsewhere in the document their terms are removed all the same. */
  readonly keep?: ReadonlySet<string>;
  /** Areas by page; called once the document is open. */
  readonly areas?: (opened: OpenedPdf) => ReadonlyMap<PDFDict, readonly PlannedArea[]>;
  /** Pages to empty, with the boxes to draw on them; a page without boxes is covered completely. */
  readonly wiped?: (opened: OpenedPdf) => ReadonlyMap<PDFDict, readonly RedactionBox[] | undefined>;
  /** Colour of boxes over matches and over whole pages. */
  readonly colour: Colour;
  /** Written into the boxes. */
  readonly caption?: string;
  /** Extra height in points above and below the boxes of matches; what it covers is removed too. */
  readonly padding: number;
}
