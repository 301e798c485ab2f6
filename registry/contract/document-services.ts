/**
 * Converts an office document to PDF with an external program. Rejects with PROGRAM_MISSING, PROGRAM_NOT_STARTED,
 * PROGRAM_FAILED, DOCUMENT_UNPROCESSABLE or TIMEOUT.
 */
export interface OfficeToPdf {
  /**
   * `input` and `outputFolder` are absolute paths in the run's private folder; the extension of `name` (default: of
   * `input`) determines the format. Returns the path of the PDF.
   */
  convert(input: string, outputFolder: string, signal: AbortSignal, name?: string): Promise<string>;
}

/**
 * Rewrites damaged PDFs with external programs. Also available in workers. It is not an error that none of the programs
 * is installed.
 */
export interface RebuildPdf {
  /** The installed programs, in the order to try them. */
  available(): Promise<readonly string[]>;
  /**
   * Reads the PDF at `input` and writes a new one to `output`: absolute paths in the run's private folder. Rejects with
   * PROGRAM_MISSING, PROGRAM_NOT_STARTED, PROGRAM_FAILED, DOCUMENT_UNPROCESSABLE, TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  rebuild(program: string, input: string, output: string, signal: AbortSignal): Promise<void>;
}

/** A part of PDF/A (ISO 19005-1 to -3) at level B, which requires that pages look the same everywhere. */
export interface PdfAFlavour {
  readonly part: 1 | 2 | 3;
  readonly conformance: 'B';
}

/** Converts PDFs to PDF/A with an external program. Also available in workers. */
export interface PdfToPdfA {
  /**
   * Reads the PDF at `input`, which must not need a password, and writes PDF/A to `output`: absolute paths in the run's
   * private folder. Some documents cannot be converted: then the result does not claim to be PDF/A, and the caller must
   * check this. Content outside the pages (attachments, metadata) may be lost. Rejects with PROGRAM_MISSING,
   * PROGRAM_NOT_STARTED, PROGRAM_FAILED, DOCUMENT_UNPROCESSABLE, TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  convert(flavour: PdfAFlavour, input: string, output: string, signal: AbortSignal): Promise<void>;
}

/**
 * A page description language into which a PDF can be converted: PostScript, Encapsulated PostScript, PCL XL in colour,
 * XML Paper Specification.
 */
export type PageLanguage = 'ps' | 'eps' | 'pcl' | 'xps';

/** Converts between PDF and page description languages with an external program. Also available in workers. */
export interface PageLanguages {
  /**
   * Reads the PDF at `input`, which must not need a password and must begin with its header, and writes its pages to
   * `output` (EPS: the first page): absolute paths in the run's private folder. Rejects with PROGRAM_MISSING,
   * PROGRAM_NOT_STARTED, PROGRAM_FAILED, DOCUMENT_UNPROCESSABLE, TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  fromPdf(language: PageLanguage, input: string, output: string, signal: AbortSignal): Promise<void>;
  /**
   * Runs the PostScript or EPS at `input`, an absolute path of the run's input or in its private folder, and writes the
   * pages it draws as PDF 1.4 to `output` in that folder; EPS is cropped to its bounding box. The program can read or
   * write no other file and start no process. Rejects with POSTSCRIPT_UNREADABLE (it ends in an error, or draws
   * nothing), PROGRAM_MISSING, TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  toPdf(quality: 'default' | 'prepress', input: string, output: string, signal: AbortSignal): Promise<void>;
}

/** Redraws PDFs for PDF/X with an external program. Also available in workers. */
export interface PdfToPdfX {
  /**
   * Reads the PDF at `input`, which must not need a password, and writes its pages to `output`: absolute paths in the
   * run's private folder. Fonts are embedded, all colours are DeviceRGB or DeviceGray, images have at most 300 dots per
   * inch (1200 for one-bit images), annotations become page content; PDF 1.6. Content outside the pages is lost.
   * Rejects with PROGRAM_MISSING, PROGRAM_NOT_STARTED, PROGRAM_FAILED, DOCUMENT_UNPROCESSABLE, TIMEOUT, QUEUE_FULL or
   * CANCELLED.
   */
  draw(input: string, output: string, signal: AbortSignal): Promise<void>;
}

/** Converts the colours of a document with an external program. Also available in workers. */
export interface ConvertColours {
  /**
   * Reads the PDF at `input`, which must not need a password, and writes one with the same pages in DeviceCMYK to
   * `output`: absolute paths in the run's private folder. Pages come out upright, with their media box at the origin,
   * in points; annotations are not drawn, and content outside the pages is lost. Rejects with PROGRAM_MISSING,
   * PROGRAM_NOT_STARTED, PROGRAM_FAILED, DOCUMENT_UNPROCESSABLE, TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  toCmyk(input: string, output: string, signal: AbortSignal): Promise<void>;
}

/**
 * A rule of a standard that a document breaks, listed once. The texts come from the validator and may quote the
 * document.
 */
export interface StandardFailure {
  /** The validator's name of the rule, if it has one. */
  readonly ruleId: string | null;
  readonly message: string;
  /** The first place where it is broken, in the validator's model of the document. */
  readonly location: string | null;
  readonly specification: string | null;
  readonly clause: string | null;
  readonly testNumber: string | null;
}

/** The result of checking a document against one standard. */
export interface StandardCheck {
  /** PDF/A by part and level (`1b`, `2u`, `4f`), `ua1` and `ua2` (PDF/UA), `wt1a` and `wt1r` (WTPDF). */
  readonly standard: string;
  /** Display name of the standard (`PDF/A-2b`). */
  readonly name: string;
  readonly profileName: string;
  readonly compliant: boolean;
  /** One for each broken rule; not empty when `compliant` is false. */
  readonly failures: readonly StandardFailure[];
}

/** The standards that a document declares, and whether it conforms to them. */
export interface StandardsReport {
  /** Its XMP metadata declares PDF/A, rightly or not. */
  readonly declaresPdfA: boolean;
  /** One for each standard that it declares, PDF/A first; empty when it declares none. */
  readonly checks: readonly StandardCheck[];
  /** Why there are no checks, when the program crashed on this document. */
  readonly crash?: string;
}

/**
 * Checks documents against the standards that they declare (PDF/A, PDF/UA, WTPDF) with an external program. Also
 * available in workers.
 */
export interface StandardsValidator {
  /**
   * Reads the PDF at `input`, an absolute path of the run's input or in its private folder. Takes seconds: check first
   * whether the document declares a standard (`mayDeclareStandards` of `@quire/document/structure/metadata`). Rejects
   * with PROGRAM_MISSING, PROGRAM_NOT_STARTED, PROGRAM_FAILED, DOCUMENT_UNPROCESSABLE, PDF_DAMAGED (the program cannot
   * read it), PDF_ENCRYPTED, TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  validate(input: string, signal: AbortSignal): Promise<StandardsReport>;
}

/** An output format of the office program. */
export type OfficeFormat = 'pdf' | 'doc' | 'docx' | 'odt' | 'rtf' | 'ppt' | 'pptx' | 'odp' | 'xml';

/** Converts documents to other formats with the office program. Also available in workers. */
export interface OfficeExport {
  /**
   * Reads the document at `input`, whose extension determines its format, and writes it in another format to `output`:
   * absolute paths in the run's private folder. Macros never run, nothing is fetched. Rejects with PROGRAM_MISSING,
   * PROGRAM_NOT_STARTED, PROGRAM_FAILED, DOCUMENT_UNPROCESSABLE, OFFICE_UNREADABLE, TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  convert(format: OfficeFormat, input: string, output: string, signal: AbortSignal): Promise<void>;
}

/** The answer of another server to `WebFetch`. */
export interface WebAnswer {
  /** Final address, after redirects. */
  readonly url: string;
  readonly status: number;
  /** As sent by the server; empty when it sent none. */
  readonly mediaType: string;
  readonly bytes: number;
}

/**
 * Fetches web pages and their resources, from the public internet only (`Outbound` documents the rules). Also available
 * in workers, with a limited number of calls.
 */
export interface WebFetch {
  /**
   * Downloads an http or https address, within 10 s and 16 MiB, to `output`, an absolute path in the run's private
   * folder. `field` is the source of the address, for error messages. Rejects with ADDRESS_REFUSED, REMOTE_UNREACHABLE,
   * REMOTE_ANSWER, REMOTE_TIMEOUT and CANCELLED.
   */
  get(url: string, field: string, output: string, signal: AbortSignal): Promise<WebAnswer>;
}

/** Print settings; lengths are in points. */
export interface PrintOptions {
  /** Size of the paper where the page's own style sets none (default A4, portrait). */
  readonly paper?: { readonly width: number; readonly height: number };
  /** Margins where the page's own style sets none. */
  readonly margins?: { readonly top: number; readonly right: number; readonly bottom: number; readonly left: number };
  /** Scale of the content, 0.1 to 2 (default 1). */
  readonly zoom?: number;
  /** Prints `n / m` at the foot of each page. */
  readonly pageNumbers?: boolean;
}

/** Prints HTML with a browser that runs no script and fetches nothing. Also available in workers. */
export interface HtmlToPdf {
  /**
   * Prints the HTML file at `page`, in the run's private folder, to `output` in the same folder. Relative addresses are
   * loaded only from the folder of `page` and its subfolders; data URIs are allowed. The result is tagged and has an
   * outline of the headings. Rejects with PROGRAM_MISSING, PROGRAM_NOT_STARTED, PROGRAM_FAILED, DOCUMENT_UNPROCESSABLE,
   * TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  print(page: string, output: string, options: PrintOptions, signal: AbortSignal): Promise<void>;
}

/** The text recognition that this server offers. */
export interface RecognitionOffer {
  /** `tesseract` for the program, `tesseract.js` for the npm package. */
  readonly engine: string;
  /**
   * Names of its languages (`eng`, `chi_sim`), in order, without the models for orientation, formulas or whole scripts.
   */
  readonly languages: readonly string[];
  /** Number of pages that it processes concurrently. */
  readonly atOnce: number;
  /** Folder with the operator's own language data, as `<language>.traineddata`; it may not exist yet. */
  readonly ownFolder?: string;
}

export interface RecognitionOptions {
  /** Languages of the offer, the most important one first. */
  readonly languages: readonly string[];
  /** Resolution of the image. */
  readonly dpi: number;
}

/** Recognises the text of images (OCR). Also available in workers. */
export interface RecognizeText {
  offer(): Promise<RecognitionOffer>;
  /**
   * Reads the image (PGM, PNG, JPEG or one-page TIFF) at `picture` and writes its words with their positions to
   * `words`, as hOCR: absolute paths in the run's private folder. Rejects with OCR_LANGUAGES_UNKNOWN, OCR_FAILED,
   * PROGRAM_MISSING, TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  words(picture: string, words: string, options: RecognitionOptions, signal: AbortSignal): Promise<void>;
  /**
   * Does the same, and writes to `layer` a PDF with one page of the image's size that contains only the invisible text.
   */
  layer(picture: string, words: string, layer: string, options: RecognitionOptions, signal: AbortSignal): Promise<void>;
}

/** Converts e-books with an external program. Also available in workers. */
export interface ConvertEbook {
  /**
   * Reads the EPUB at `input` and writes Kindle's format (KF8) to `output`, which ends in .azw3: absolute paths in the
   * run's private folder. Rejects with PROGRAM_MISSING, PROGRAM_NOT_STARTED, PROGRAM_FAILED, DOCUMENT_UNPROCESSABLE,
   * TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  toAzw3(input: string, output: string, signal: AbortSignal): Promise<void>;
}
