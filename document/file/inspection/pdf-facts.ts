import type { DocMdpLevel } from '../../signatures/fields/signature-state.js';
import type { Damage } from '../damage/index.js';

/** Facts about an opened document. */
export interface PdfFacts {
  /** Number of pages that can be reached; /Count is not trusted. */
  readonly pages: number;
  readonly encrypted: boolean;
  /** False only for a locked document inspected with `allowLocked`. */
  readonly opensWithoutPassword: boolean;
  /** True when a signature field holds a signature with a /ByteRange (ISO 32000-1, 12.8.1). */
  readonly signed: boolean;
  /** Changes that a certified document still allows; set only when Quire's reader opened it. */
  readonly certified?: DocMdpLevel;
  /** Set when damage was looked for and found. */
  readonly damage?: Damage;
  /** The parser that opened it. */
  readonly engine: 'quire' | 'pdfium' | 'libpdf';
}
