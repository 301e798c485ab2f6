import type { Damage } from '@quire/document/file/inspection';
import type { ResultStamp } from '@quire/document/structure/metadata';
import type { SignatureFacts, WireFile } from '../workers/wire-file.js';

/** Facts about files that were opened. */
export interface Inspection {
  /** Pages of each PDF, in order; other files have no entry. */
  readonly pages: readonly number[];
  /** Of each file, in order. */
  readonly signatures: readonly SignatureFacts[];
  /** Of all files together. */
  readonly damage: Damage;
  /** Paths of the damaged files. */
  readonly damaged: readonly string[];
}

export interface InspectOptions {
  readonly password?: string;
  /** The operation appends nothing to its files, so what was read of them may be used for its work. */
  readonly readsOn?: boolean;
  /** False for an operation that hardly decodes the contents of pages. */
  readonly keepsContents?: boolean;
  /** For an operation that opens its files itself: one that cannot be opened is no error, and pages are not counted. */
  readonly raw?: boolean;
}

/**
 * Facts that pipelines may branch on. `locked`: it needs a password to open; `encrypted`: also with restrictions only;
 * `invoice`: it is or carries an electronic invoice, of XML files too.
 */
export type DocumentFact = 'pages' | 'encrypted' | 'locked' | 'signed' | 'hasText' | 'invoice';

/** Terms of an invoice that placeholders stand for, as they are in its XML; empty where it has none. */
export interface InvoiceTexts {
  readonly number: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** `YYYY-MM-DD`. */
  readonly due: string;
  /** Code of UNTDID 1001: 380 for an invoice, 381 for a credit note. */
  readonly type: string;
  readonly seller: string;
  readonly buyer: string;
  /** The total with VAT (BT-112), as a decimal number. */
  readonly total: string;
  readonly currency: string;
}

export interface ReopenOptions {
  /** The expected number of pages of the result, if known. */
  readonly expected?: number;
  readonly password?: string;
}

/**
 * Access to documents that a run needs. It happens in worker processes only: an operation in a worker calls it directly
 * (`workers/open-documents.ts`), one in the server sends a task to a worker (`host-documents.ts`).
 */
export interface RunDocuments {
  /** Opens the PDFs among the files. Throws PDF_DAMAGED, PDF_ENCRYPTED or INPUT_TOO_COMPLEX for `fileInput`. */
  inspect(files: readonly WireFile[], maxPages: number, options: InspectOptions): Promise<Inspection>;
  /** Signatures of each file, in order. A file that cannot be opened has none. */
  findSignatures(files: readonly WireFile[]): Promise<readonly SignatureFacts[]>;
  /** True for a PDF so damaged that nothing can be appended to it. */
  needsRepair(file: WireFile): Promise<boolean>;
  /** Damage that was met while this run read these files, in those that are not among `known` (paths). */
  damageMet(files: readonly WireFile[], known: readonly string[]): Promise<Damage>;
  /** Of each file that this run wrote with our own writer, or found sound (`WireFile.sound`); undefined for others. */
  soundIdentities(files: readonly WireFile[]): Promise<readonly (string | undefined)[]>;
  /** Returns what `qpdf --check` reports as the first error in results; undefined when it reports none. */
  checkSyntax(files: readonly WireFile[], options: { readonly password?: string }): Promise<string | undefined>;
  /**
   * Opens a result with an engine that did not write it. Returns its number of pages; rejects if it does not open, or
   * has a password and opens without it.
   */
  reopen(file: WireFile, options: ReopenOptions): Promise<number>;
  /** Pages of each PDF as our own reader counts them; 0 for one that it cannot read. */
  countPages(files: readonly WireFile[]): Promise<readonly number[]>;
  /** Pages of each PDF in the document model that operations work on; 0 for one that does not open. */
  countModelPages(files: readonly WireFile[]): Promise<readonly number[]>;
  /** Returns a fact about a PDF or an XML file. Throws the errors of `inspectPdf` where a locked one hides it. */
  factOf(file: WireFile, fact: DocumentFact): Promise<number | boolean>;
  /** Returns terms of the invoice that a PDF carries or an XML file is. Throws INVOICE_NONE, INVOICE_UNREADABLE. */
  invoiceTexts(file: WireFile): Promise<InvoiceTexts>;
  /** Returns the author of each file; null for one that names none. */
  authorsOf(files: readonly WireFile[]): Promise<readonly (string | null)[]>;
  /**
   * Writes a copy of a PDF with these values in its metadata. Returns its size in bytes; undefined, and no file, for
   * one that is signed or does not open.
   */
  stamp(
    file: WireFile,
    target: string,
    stamp: ResultStamp,
    options: { readonly mode: 'append' | 'rewrite'; readonly password?: string },
  ): Promise<number | undefined>;
  /** Writes the files into a zip. Returns its size in bytes. */
  zip(files: readonly WireFile[], target: string): Promise<number>;
}

export type RunDocumentsMethod = keyof RunDocuments;
