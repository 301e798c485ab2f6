import type { PDFContext, PDFDict } from 'pdf-lib';
import type { OpenedPdf } from '../open/index.js';
import type { ObjectCopier } from '../objects/index.js';
import type { NamedDestinations } from '../parts/destinations.js';
import type { Rewrites } from './rewrites.js';

/** A file to merge: its bytes and the client's name for it. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** An input once it is open. */
export interface OpenedInput {
  readonly name: string;
  readonly opened: OpenedPdf;
}

/** One input while it is grafted. */
export interface Graft {
  /** 0-based place among the inputs. */
  readonly index: number;
  readonly source: PDFContext;
  readonly catalog: PDFDict;
  readonly copier: ObjectCopier;
  readonly rewrites: Rewrites;
  readonly named: NamedDestinations;
}
