/**
 * Turns an office document into a PDF with an external program. Rejects with PROGRAM_MISSING, PROGRAM_FAILED or
 * TIMEOUT.
 */
export interface OfficeToPdf {
  /**
   * `input` and `outputFolder` are absolute paths inside the run's private folder; the extension of `name` (default: of
   * `input`) says the format. Gives the PDF's path.
   */
  convert(input: string, outputFolder: string, signal: AbortSignal, name?: string): Promise<string>;
}

/**
 * Rewrites damaged PDFs with external programs. Reaches workers; that none of the programs is installed is no error.
 */
export interface RebuildPdf {
  /** The programs that are there, the one to try first in front. */
  available(): Promise<readonly string[]>;
  /**
   * Reads the PDF at `input` and writes a new one to `output`: absolute paths inside the run's private folder.
   * Rejects with PROGRAM_MISSING, PROGRAM_FAILED, TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  rebuild(program: string, input: string, output: string, signal: AbortSignal): Promise<void>;
}

/** A part of PDF/A (ISO 19005-1 to -3) and its level: B, which asks that pages look the same everywhere. */
export interface PdfAFlavour {
  readonly part: 1 | 2 | 3;
  readonly conformance: 'B';
}

/** Turns PDFs into PDF/A with an external program. Reaches workers. */
export interface PdfToPdfA {
  /**
   * Reads the PDF at `input`, which needs no password, and writes PDF/A to `output`: absolute paths inside the run's
   * private folder. Some documents cannot be had so: then the result does not claim to be PDF/A, and the caller looks.
   * What is no page (attachments, metadata) may get lost. Rejects with PROGRAM_MISSING, PROGRAM_FAILED, TIMEOUT,
   * QUEUE_FULL or CANCELLED.
   */
  convert(flavour: PdfAFlavour, input: string, output: string, signal: AbortSignal): Promise<void>;
}

/**
 * A page description language that a PDF can be written in: PostScript, Encapsulated PostScript, PCL XL in colour, XML
 * Paper Specification.
 */
export type PageLanguage = 'ps' | 'eps' | 'pcl' | 'xps';

/** Translates between PDF and page description languages with an external program. Reaches workers. */
export interface PageLanguages {
  /**
   * Reads the PDF at `input`, which needs no password and begins with its header, and writes its pages to `output` (of
   * EPS: its first page): absolute paths inside the run's private folder. Rejects with PROGRAM_MISSING, PROGRAM_FAILED,
   * TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  fromPdf(language: PageLanguage, input: string, output: string, signal: AbortSignal): Promise<void>;
  /**
   * Runs the PostScript or EPS at `input`, an absolute path of the run's input or inside its private folder, and writes
   * the pages that it draws as PDF 1.4 to `output` there; EPS is cut to its bounding box. It reads no file, writes none
   * and starts nothing. Rejects with POSTSCRIPT_UNREADABLE (it ends in an error, or draws nothing), PROGRAM_MISSING,
   * TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  toPdf(quality: 'default' | 'prepress', input: string, output: string, signal: AbortSignal): Promise<void>;
}

/** Redraws PDFs for PDF/X with an external program. Reaches workers. */
export interface PdfToPdfX {
  /**
   * Reads the PDF at `input`, which needs no password, and writes its pages to `output`: absolute paths inside the
   * run's private folder. Fonts are embedded, all colours are DeviceRGB or DeviceGray, pictures have at most 300 dots
   * per inch (1200 of one bit), annotations are page content; PDF 1.6. What is no page gets lost. Rejects with
   * PROGRAM_MISSING, PROGRAM_FAILED, TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  draw(input: string, output: string, signal: AbortSignal): Promise<void>;
}

/** Converts the colours of a document with an external program. Reaches workers. */
export interface ConvertColours {
  /**
   * Reads the PDF at `input`, which needs no password, and writes one whose pages are the same in DeviceCMYK to
   * `output`: absolute paths inside the run's private folder. Pages come upright, their media box at the origin in
   * points; annotations are not drawn, and what is no page gets lost. Rejects with PROGRAM_MISSING, PROGRAM_FAILED,
   * TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  toCmyk(input: string, output: string, signal: AbortSignal): Promise<void>;
}

/**
 * A rule of a standard that a document breaks, however often. Texts are those of the validator and may quote the
 * document.
 */
export interface StandardFailure {
  /** Names the rule within the validator, where it has a name. */
  readonly ruleId: string | null;
  readonly message: string;
  /** The first place where it is broken, in the validator's model of the document. */
  readonly location: string | null;
  readonly specification: string | null;
  readonly clause: string | null;
  readonly testNumber: string | null;
}

/** How a document stands against one standard. */
export interface StandardCheck {
  /** PDF/A by part and level (`1b`, `2u`, `4f`), `ua1` and `ua2` (PDF/UA), `wt1a` and `wt1r` (WTPDF). */
  readonly standard: string;
  /** Name of the standard for people (`PDF/A-2b`). */
  readonly name: string;
  readonly profileName: string;
  readonly compliant: boolean;
  /** One for each broken rule; not empty where `compliant` is false. */
  readonly failures: readonly StandardFailure[];
}

/** What a document says that it is, and whether it is. */
export interface StandardsReport {
  /** It says in its XMP that it is PDF/A, rightly or not. */
  readonly declaresPdfA: boolean;
  /** One for each standard that it declares, PDF/A in front; empty when it declares none. */
  readonly checks: readonly StandardCheck[];
  /** Why there are no checks, where the program broke down over this document. */
  readonly crash?: string;
}

/**
 * Checks documents against the standards that they declare (PDF/A, PDF/UA, WTPDF) with an external program. Reaches
 * workers.
 */
export interface StandardsValidator {
  /**
   * Reads the PDF at `input`, an absolute path of the run's input or inside its private folder. Takes seconds: ask
   * first what the document declares (`mayDeclareStandards` of `@quire/document/structure/metadata`). Rejects with
   * PROGRAM_MISSING, PROGRAM_FAILED, PDF_DAMAGED (the program cannot read it), PDF_ENCRYPTED, TIMEOUT, QUEUE_FULL or
   * CANCELLED.
   */
  validate(input: string, signal: AbortSignal): Promise<StandardsReport>;
}

/** A format that the office program writes. */
export type OfficeFormat = 'pdf' | 'doc' | 'docx' | 'odt' | 'rtf' | 'ppt' | 'pptx' | 'odp' | 'xml';

/** Writes documents in other formats with the office program. Reaches workers. */
export interface OfficeExport {
  /**
   * Reads the document at `input`, whose extension says what it is, and writes it in another format to `output`:
   * absolute paths inside the run's private folder. Macros never run, nothing is fetched. Rejects with PROGRAM_MISSING,
   * PROGRAM_FAILED, OFFICE_UNREADABLE, TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  convert(format: OfficeFormat, input: string, output: string, signal: AbortSignal): Promise<void>;
}

/** What another server answered to `WebFetch`. */
export interface WebAnswer {
  /** Where it came from, after redirects. */
  readonly url: string;
  readonly status: number;
  /** As it was said; empty when it was not. */
  readonly mediaType: string;
  readonly bytes: number;
}

/**
 * Fetches web pages and what they show, from the public internet only (`Outbound` holds the rules). Reaches workers,
 * whose number of calls is bounded.
 */
export interface WebFetch {
  /**
   * Gets what is at an address of http or https, within 10 s and 16 MiB, into a file at `output`, an absolute path
   * inside the run's private folder. `field` is where the address comes from, for refusals. Rejects with
   * ADDRESS_REFUSED, REMOTE_UNREACHABLE, REMOTE_ANSWER, REMOTE_TIMEOUT and CANCELLED.
   */
  get(url: string, field: string, output: string, signal: AbortSignal): Promise<WebAnswer>;
}

/** How a page is printed. Lengths are in points. */
export interface PrintOptions {
  /** Size of the paper where the page's own style names none (default A4, upright). */
  readonly paper?: { readonly width: number; readonly height: number };
  /** Margins where the page's own style names none. */
  readonly margins?: { readonly top: number; readonly right: number; readonly bottom: number; readonly left: number };
  /** Scale of what is printed, 0.1 to 2 (default 1). */
  readonly zoom?: number;
  /** Prints `n / m` at the foot of each page. */
  readonly pageNumbers?: boolean;
}

/** Prints HTML with a browser: no script runs, nothing is fetched from anywhere. Reaches workers. */
export interface HtmlToPdf {
  /**
   * Prints the HTML file at `page`, which lies in the run's private folder, to `output` there. What the page refers to
   * by a relative address is taken from the folder of `page` and those below it, and from nowhere else; data URIs are
   * taken. The result is tagged and has an outline of the headings. Rejects with PROGRAM_MISSING, PROGRAM_FAILED,
   * TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  print(page: string, output: string, options: PrintOptions, signal: AbortSignal): Promise<void>;
}

/** What recognises text on this server. */
export interface RecognitionOffer {
  /** `tesseract` for the program, `tesseract.js` for the one that npm installs. */
  readonly engine: string;
  /**
   * Names of its languages (`eng`, `chi_sim`), in order; none of them is a model for directions, formulas or whole
   * scripts.
   */
  readonly languages: readonly string[];
  /** Pages that it works on at once. */
  readonly atOnce: number;
  /** Folder in which an operator's own language data lie, as `<language>.traineddata`; it may not be there yet. */
  readonly ownFolder?: string;
}

/** How a picture is read. */
export interface RecognitionOptions {
  /** Languages of the offer; the first one counts most. */
  readonly languages: readonly string[];
  /** Resolution of the picture. */
  readonly dpi: number;
}

/** Recognises the text of pictures (OCR). Reaches workers. */
export interface RecognizeText {
  offer(): Promise<RecognitionOffer>;
  /**
   * Reads the picture (PGM, PNG, JPEG or TIFF of one page) at `picture` and writes its words and where they stand to
   * `words`, as hOCR: absolute paths inside the run's private folder. Rejects with OCR_LANGUAGES_UNKNOWN, OCR_FAILED,
   * PROGRAM_MISSING, TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  words(picture: string, words: string, options: RecognitionOptions, signal: AbortSignal): Promise<void>;
  /**
   * The same, and writes to `layer` a PDF of one page of the picture's size that holds the text, invisible, and nothing
   * else.
   */
  layer(picture: string, words: string, layer: string, options: RecognitionOptions, signal: AbortSignal): Promise<void>;
}

/** Writes e-books in other formats with an external program. Reaches workers. */
export interface ConvertEbook {
  /**
   * Reads the EPUB at `input` and writes Kindle's format (KF8) to `output`, which ends in .azw3: absolute paths inside
   * the run's private folder. Rejects with PROGRAM_MISSING, PROGRAM_FAILED, TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  toAzw3(input: string, output: string, signal: AbortSignal): Promise<void>;
}
