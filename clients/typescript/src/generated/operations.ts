// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../file-result.js';
import type { Input } from '../inputs.js';
import type { CallOptions } from '../transport.js';

/** A structure, or its JSON text. */
export type Json = string | object;

export interface AddAttachmentsOptions {
  /** Convert the document to PDF/A-3b first. Default: false. */
  readonly convertToPdfA3b?: boolean;
  /** Files to attach, at most 50 MB each and 200 MB together; repeat the field for several. */
  readonly attachments: Input | readonly Input[];
}

export interface AddCommentsOptions {
  /** JSON array of notes. */
  readonly comments: Json;
}

export interface AddImageOptions {
  /** Distance in points from the left edge of the page to the image. From -1000000 to 1000000 pt. Default: 0. */
  readonly x?: number;
  /**
   * Distance in points from the bottom of the page to the image's lower edge. From -1000000 to 1000000 pt. Default:
   * 0.
   */
  readonly y?: number;
  /** Add the image to every page instead of only the first. Default: false. */
  readonly everyPage?: boolean;
  /** The image to add (.png .jpg .jpeg .gif .bmp .tiff .tif .webp .svg). */
  readonly imageFile: Input;
}

export interface AddPageNumbersOptions {
  /**
   * Margin: small, medium, large or x-large, which is 2, 3.5, 5 or 7.5 percent of the page's width and height. Any
   * other value means medium. Default: medium.
   */
  readonly customMargin?: string;
  /** Font size in points. From 1 to 14400 pt. Default: 12. */
  readonly fontSize?: number;
  /** Font: helvetica, courier or times. Any other value means helvetica. Default: helvetica. */
  readonly fontType?: string;
  /** Colour as #RRGGBB, 0xRRGGBB or a decimal number; an unreadable value means black. Default: #000000. */
  readonly fontColor?: string;
  /** Minimum number of digits; shorter numbers get leading zeros. Whole number from 0 to 100. Default: 0. */
  readonly zeroPad?: number;
  /**
   * Position on the page: 1 to 3 top left, centre and right, 4 to 6 middle, 7 to 9 bottom; values outside 1 to 9 are
   * limited to that range. Whole number from 1 to 9. Default: 8.
   */
  readonly position?: number;
  /** Number for the first numbered page. Whole number from 1. Default: 1. */
  readonly startingNumber?: number;
  /**
   * Pages to number, in this order: numbers, ranges and formulas with n, separated by commas (1,3,5-9 or 2n+1), or
   * all. Default: all.
   */
  readonly pagesToNumber?: string;
  /**
   * Text to write: {n} is the number, {total} the document's page count, {filename} its name without extension.
   * Default: {n}.
   */
  readonly customText?: string;
}

export interface AddPasswordOptions {
  /** Password that gives all permissions; if empty, the user password does. */
  readonly ownerPassword?: string;
  /** User password, needed to open the document; if empty, anyone can open it. */
  readonly password?: string;
  /** Key length in bits: 256 (AES), 128 (AES) or 40 (RC4, weak). Whole number. Default: 256. */
  readonly keyLength?: 40 | 128 | 256;
  /** Forbid inserting, removing and rotating pages, and creating bookmarks. Default: false. */
  readonly preventAssembly?: boolean;
  /** Forbid copying text and images. Default: false. */
  readonly preventExtractContent?: boolean;
  /** Forbid extracting text for accessibility, such as screen readers. Default: false. */
  readonly preventExtractForAccessibility?: boolean;
  /** Forbid filling in form fields. Default: false. */
  readonly preventFillInForm?: boolean;
  /** Forbid changing the content. Default: false. */
  readonly preventModify?: boolean;
  /** Forbid adding and changing annotations. Default: false. */
  readonly preventModifyAnnotations?: boolean;
  /** Forbid printing. Default: false. */
  readonly preventPrinting?: boolean;
  /** Forbid printing in high quality. Default: false. */
  readonly preventPrintingFaithful?: boolean;
  /**
   * If false, the XMP metadata can be read without the password, for example by search engines; not possible with 40
   * bits. Default: true.
   */
  readonly encryptMetadata?: boolean;
}

export interface AddScannerEffectOptions {
  /** Quality of the scanner. Default: high. */
  readonly quality?: 'low' | 'medium' | 'high';
  /** How skewed the sheets are: 0, 2, 5 or 8 degrees. Default: slight. */
  readonly rotation?: 'none' | 'slight' | 'moderate' | 'severe';
  /** Colours of the scan. Default: grayscale. */
  readonly colorspace?: 'grayscale' | 'color';
  /**
   * Width in pixels of the border around the sheet (the scanner's lid). Whole number from 0 to 10000 px. Default: 20.
   */
  readonly border?: number;
  /** Degrees clockwise to add to the skew of rotation. Whole number from -360 to 360 °. Default: 0. */
  readonly rotate?: number;
  /**
   * Maximum random variation of the skew between sheets, in degrees to either side. Whole number from 0 to 360 °.
   * Default: 2.
   */
  readonly rotateVariance?: number;
  /** Brightness factor; used with advancedEnabled only. From 0 to 10. Default: 1. */
  readonly brightness?: number;
  /** Contrast factor; used with advancedEnabled only. From 0 to 10. Default: 1. */
  readonly contrast?: number;
  /** Blur in pixels; used with advancedEnabled only. From 0 to 100 px. Default: 1. */
  readonly blur?: number;
  /** Amount of noise, from 0 to 255; used with advancedEnabled only. From 0 to 255. Default: 8. */
  readonly noise?: number;
  /** Tint the paper yellowish, like old paper. Default: false. */
  readonly yellowish?: boolean;
  /** Dots per inch, at least 72; used with advancedEnabled only. Whole number from 1 dpi. Default: 300. */
  readonly resolution?: number;
  /** Use blur, noise, brightness, contrast and resolution as sent. Default: false. */
  readonly advancedEnabled?: boolean;
}

export interface AddStampOptions {
  /** Whether to stamp the text or the image in stampImage; case does not matter. */
  readonly stampType: 'text' | 'image';
  /**
   * Text of the stamp, with placeholders. A line break, or the two characters \n, starts a new line. Default: Quire.
   */
  readonly stampText?: string;
  /** Alphabet of the text; its font is preferred for every character. Default: roman. */
  readonly alphabet?: 'roman' | 'arabic' | 'japanese' | 'korean' | 'chinese' | 'thai';
  /** Font size, or height of the image, in points. More than 0 to 14400 pt. Default: 40. */
  readonly fontSize?: number;
  /** Angle in degrees, counter-clockwise. Default: 0. */
  readonly rotation?: number;
  /** From 0.0 (invisible) to 1.0 (opaque). From 0 to 1. Default: 0.5. */
  readonly opacity?: number;
  /**
   * Position on the page: 1 to 3 top left, centre and right, 4 to 6 middle, 7 to 9 bottom. Whole number from 1 to 9.
   * Default: 8.
   */
  readonly position?: number;
  /**
   * Distance in points from the left edge; replaces the position if both overrides are 0 or more. From -1000000 to
   * 1000000 pt. Default: -1.
   */
  readonly overrideX?: number;
  /** Distance in points from the bottom edge; see overrideX. From -1000000 to 1000000 pt. Default: -1. */
  readonly overrideY?: number;
  /**
   * Margin: small, medium, large or x-large, which is 2, 3.5, 5 or 7.5 percent of the average of page width and
   * height. Any other value means medium. Default: medium.
   */
  readonly customMargin?: string;
  /** Text colour in hexadecimal, with or without #; an unreadable value means light grey. Default: #d3d3d3. */
  readonly customColor?: string;
  /** Pages: numbers, ranges and formulas in n, separated by commas (1,3,5-9 or 2n+1), or all. Default: all. */
  readonly pageNumbers?: string;
  /** Image for an image stamp (.png .jpg .jpeg .gif .bmp). */
  readonly stampImage?: Input;
}

export interface AddWatermarkOptions {
  /** Whether the watermark is the text or the image in watermarkImage; case does not matter. */
  readonly watermarkType: 'text' | 'image';
  /** Text of the watermark, required for text. The two characters \n start a new line. */
  readonly watermarkText?: string;
  /**
   * Alphabet of the text, which selects the font: roman, arabic, japanese, korean, chinese or thai. Any other value
   * means roman. Default: roman.
   */
  readonly alphabet?: string;
  /** Font size, or height of the image, in points. From 1 to 14400 pt. Default: 30. */
  readonly fontSize?: number;
  /** Rotation of each tile in degrees, counter-clockwise. Default: 0. */
  readonly rotation?: number;
  /** From 0.0 (invisible) to 1.0 (opaque); values outside are limited to that range. From 0 to 1. Default: 0.5. */
  readonly opacity?: number;
  /** Horizontal space between tiles, in points. Whole number from 0 pt. Default: 50. */
  readonly widthSpacer?: number;
  /** Vertical space between tiles, in points. Whole number from 0 pt. Default: 50. */
  readonly heightSpacer?: number;
  /** Text colour in hexadecimal, with or without #; an unreadable value means light grey. Default: #d3d3d3. */
  readonly customColor?: string;
  /** Convert every page of the result to one image; bookmarks, links and attachments stay. Default: false. */
  readonly convertPDFToImage?: boolean;
  /**
   * Image for an image watermark; of an animation the first frame. Images other than JPEG are limited to 50
   * megapixels (.png .jpg .jpeg .gif .bmp).
   */
  readonly watermarkImage?: Input;
}

export interface ApplyPurviewLabelOptions {
  /** Number of a PURVIEW connection. Whole number from 1. */
  readonly connectionId: number;
  /** GUID of the label. */
  readonly labelId: string;
  /** Name of the label. */
  readonly labelName?: string;
  /** STANDARD: by default or automatically; PRIVILEGED: chosen by a person. Default: STANDARD. */
  readonly method?: 'STANDARD' | 'PRIVILEGED';
  /**
   * Content marking, as a sum: 1 header, 2 footer, 4 watermark, 8 encryption. Whole number from 0 to 15. Default: 0.
   */
  readonly contentBits?: number;
}

export interface AssemblePagesOptions {
  /** JSON array of the pages in order: file, page and rotate, or blank, width and height. */
  readonly pages: Json;
}

export interface AuditArithmeticOptions {
  /** Differences below this are ignored. From 0 to 1000000000. Default: 0.01. */
  readonly tolerance?: number;
}

/** Answer of `auditArithmetic`. */
export type AuditArithmeticAnswer = {
  /** Always math-audit */
  readonly type: 'math-audit';
  /** Names this audit */
  readonly sessionId: string;
  readonly discrepancies: readonly {
    readonly page: number;
    readonly kind: 'tally' | 'arithmetic' | 'consistency' | 'statement';
    readonly severity: 'error' | 'warning';
    readonly description: string;
    readonly stated: string;
    readonly expected: string;
    readonly context: string;
  }[];
  readonly pagesExamined: readonly number[];
  /** Questions to the language model */
  readonly roundsTaken: number;
  readonly summary: string;
  /** Nothing was found */
  readonly clean: boolean;
  readonly unauditablePages: readonly number[];
};

export interface AutoRedactOptions {
  /** Terms or patterns, one per line; surrounding spaces and blank lines are ignored. */
  readonly listOfText: string;
  /** Treat each line as a regular expression in Java syntax. Default: false. */
  readonly useRegex?: boolean;
  /** Match whole words only. Default: false. */
  readonly wholeWordSearch?: boolean;
  /** Colour of the boxes in hexadecimal, with or without #; any other value means black. Default: #000000. */
  readonly redactColor?: string;
  /**
   * Extra height in points above and below each box; what it covers is removed as well. From 0 to 14400 pt. Default:
   * 0.
   */
  readonly customPadding?: number;
  /** Convert every page of the result to one image. Default: false. */
  readonly convertPDFToImage?: boolean;
  /**
   * How the result is checked: text reads the text of the file; ocr also draws every page and reads it with OCR,
   * which takes seconds per page, and fails if a term can still be read. Default: text.
   */
  readonly verify?: 'text' | 'ocr';
  /**
   * Languages for verify=ocr, named as in GET /api/v1/ui-data/ocr-pdf; English, or what is installed, if absent.
   * Default: [].
   */
  readonly languages?: string | readonly (string | number)[];
}

export interface AutoRenameOptions {
  /** Use the first line of text if the largest text is not usable as a name. Default: false. */
  readonly useFirstTextAsFallback?: boolean;
}

export interface CallExternalApiOptions {
  /** Number of an API connection. Whole number from 1. */
  readonly connectionId: number;
  /** Path below the connection's address; may carry a query. */
  readonly path?: string;
  /** Method of the call. Default: POST. */
  readonly method?: 'POST' | 'PUT' | 'PATCH';
  /** How the file is sent: as a form, in base64 within JSON, or as the body itself. Default: multipart. */
  readonly bodyMode?: 'multipart' | 'json' | 'binary';
  /** Name of the file in the form (multipart). Default: file. */
  readonly fileFieldName?: string;
  /** How the answer is used. Default: report. */
  readonly responseMode?: 'report' | 'replace';
  /** Place of the result URL in the JSON answer. */
  readonly resultUrlPath?: string;
  /** Header of the answer that holds the result URL; wins over resultUrlPath. */
  readonly resultUrlHeader?: string;
  /** Which file of an answered zip is the result: a pattern (*.pdf), or its place from 0 on. */
  readonly responseSelect?: string;
  /** Place in the JSON answer where true must stand. */
  readonly requireTrue?: string;
  /** JSON object of further form fields or JSON members. Default: {}. */
  readonly fields?: Json;
  /** JSON with placeholders that is the whole body. */
  readonly bodyTemplate?: string;
  /** JSON object of further headers. Default: {}. */
  readonly headers?: Json;
  /** Sends what is known of the document along. Default: false. */
  readonly includeContext?: boolean;
  /** Sends the file. Default: true. */
  readonly includeFile?: boolean;
}

export interface ChunkDocumentOptions {
  /**
   * How layout is read: basic by where things stand and by tags; advanced by a layout model, which this server has
   * not (503); auto takes what there is. Default: auto.
   */
  readonly mode?: 'auto' | 'basic' | 'advanced';
  /** Recognise the text of pages that have none (scans) first. Default: false. */
  readonly withOcr?: boolean;
  /**
   * Languages for withOcr, the one that counts most in front; by default English where it is installed. Default: [].
   */
  readonly languages?: string | readonly (string | number)[];
  /**
   * Most characters of a chunk; less than 64 counts as 64, more than 32768 as 32768. Whole number from 64 to 32768.
   * Default: 512.
   */
  readonly chunkSize?: number;
  /**
   * Most characters that a chunk repeats of the one before it; less than 0 counts as 0, more than 4096 as 4096; must
   * be below chunkSize. Whole number from 0 to 4096. Default: 64.
   */
  readonly overlap?: number;
}

/** Answer of `chunkDocument`. */
export type ChunkDocumentAnswer = {
  readonly documentName: string;
  readonly mode: string;
  readonly chunkSize: number;
  readonly overlap: number;
  readonly pages: number;
  readonly chunks: readonly {
    /** From 0 */
    readonly index: number;
    /** Markdown */
    readonly text: string;
    /** Page of its first character, from 1 */
    readonly pageStart?: number;
    /** Page of its last character */
    readonly pageEnd?: number;
    /** Headings above the chunk, outermost first */
    readonly headingPath: readonly string[];
  }[];
};

export interface CompressPdfOptions {
  /** Compression level from 1 to 9; ignored with expectedOutputSize. Whole number from 1 to 9. Default: 5. */
  readonly optimizeLevel?: number;
  /** Target size: a number with B, KB, MB, GB or TB (1 KB is 1024 bytes); MB without a unit. */
  readonly expectedOutputSize?: string;
  /** Linearize the file, so that viewers can show it while it loads. Default: false. */
  readonly linearize?: boolean;
  /** Rewrite page content in a regular form first. Default: false. */
  readonly normalize?: boolean;
  /** Convert images to greyscale; text and drawings keep their colours. Default: false. */
  readonly grayscale?: boolean;
  /** Convert images to black and white line art first. Default: false. */
  readonly lineArt?: boolean;
  /** Brightness in percent from which line art turns white; limited to 0 to 100. From 0 to 100 %. Default: 55. */
  readonly lineArtThreshold?: number;
  /** How strongly line art emphasises edges; limited to 1 to 3. Whole number from 1 to 3. Default: 1. */
  readonly lineArtEdgeLevel?: number;
}

export interface ConvertCbrToPdfOptions {
  /** Scales large images down for reading on a screen. Default: false. */
  readonly optimizeForEbook?: boolean;
}

export interface ConvertCbzToPdfOptions {
  /** Scales large images down for reading on a screen. Default: false. */
  readonly optimizeForEbook?: boolean;
}

export interface ConvertEbookToPdfOptions {
  /** Prints a table of contents with page numbers at the beginning. Default: false. */
  readonly includeTableOfContents?: boolean;
  /** Prints page numbers at the bottom of pages. Default: false. */
  readonly includePageNumbers?: boolean;
  /** Makes the file smaller for small screens. Default: false. */
  readonly optimizeForEbook?: boolean;
}

export interface ConvertEmlToPdfOptions {
  /**
   * Embeds the attachments in the PDF, which opens with its attachment list; each entry of the printed list gets an
   * annotation. Default: false.
   */
  readonly includeAttachments?: boolean;
  /** Attachments larger than this (in MiB) are listed but not embedded. Whole number from 1 to 100 MB. Default: 10. */
  readonly maxAttachmentSizeMB?: number;
  /** Returns the page as a self-contained HTML file instead of a PDF. Default: false. */
  readonly downloadHtml?: boolean;
  /** Also shows CC and BCC. Default: true. */
  readonly includeAllRecipients?: boolean;
}

export interface ConvertHtmlToPdfOptions {
  /** Scale of the printed page. From 0.1 to 2. Default: 1. */
  readonly zoom?: number;
}

export interface ConvertImagesToPdfOptions {
  /**
   * fillPage stretches to the paper; maintainAspectRatio scales and centres on it; fitDocumentToImage makes the page
   * as many points as the image has pixels. Default: fillPage.
   */
  readonly fitOption?: 'fillPage' | 'fitDocumentToImage' | 'maintainAspectRatio';
  /** Paper of the pages; no effect with fitDocumentToImage. Default: A4. */
  readonly pageSize?: 'A4' | 'LETTER';
  /** Colour mode: color, greyscale or blackwhite; any other value means color. Default: color. */
  readonly colorType?: string;
  /** Uses landscape pages for images that are wider than high. Default: false. */
  readonly autoRotate?: boolean;
}

export interface ConvertPdfToCbrOptions {
  /** Resolution of the images, at most the setting system.maxDPI; 0 or less means 300. Whole number. Default: 150. */
  readonly dpi?: number;
}

export interface ConvertPdfToCbzOptions {
  /** Resolution of the images, at most the setting system.maxDPI; 0 or less means 300. Whole number. Default: 150. */
  readonly dpi?: number;
}

export interface ConvertPdfToCsvOptions {
  /** Pages: numbers, ranges and formulas in n, separated by commas (1,3,5-9 or 2n+1), or all. Default: all. */
  readonly pageNumbers?: string;
}

export interface ConvertPdfToEpubOptions {
  /** Starts a new file and a table-of-contents entry at each chapter. Default: true. */
  readonly detectChapters?: boolean;
  /** KINDLE_EINK_TEXT: greyscale images scaled for e-ink screens. Default: TABLET_PHONE_IMAGES. */
  readonly targetDevice?: 'TABLET_PHONE_IMAGES' | 'KINDLE_EINK_TEXT';
  /** Format of the e-book. Default: EPUB. */
  readonly outputFormat?: 'EPUB' | 'AZW3';
}

export interface ConvertPdfToImagesOptions {
  /** Image format, which is also the file extension. Default: png. */
  readonly imageFormat?: 'png' | 'jpeg' | 'jpg' | 'gif' | 'webp' | 'tif' | 'tiff';
  /**
   * single stacks the pages in one image; multiple, or any other value, gives one image per page. Default: multiple.
   */
  readonly singleOrMultiple?: string;
  /** Colour mode: color, greyscale or blackwhite; any other value means color. Default: color. */
  readonly colorType?: string;
  /** Resolution; at most the setting system.maxDPI. Whole number from 1 dpi. Default: 300. */
  readonly dpi?: number;
  /** Pages: numbers, ranges and formulas in n, separated by commas (1,3,5-9 or 2n+1), or all. Default: all. */
  readonly pageNumbers?: string;
  /** Also draws annotations and form fields. Default: false. */
  readonly includeAnnotations?: boolean;
}

export interface ConvertPdfToPdfAOptions {
  /**
   * pdfa and pdfa-2 mean 2b, pdfa-1 means 1b, pdfa-3 means 3b; values that start with pdfx mean PDF/X; case does not
   * matter, and anything else means pdfa-2b. Default: pdfa-2b.
   */
  readonly outputFormat?: 'pdfa-1b' | 'pdfa-2b' | 'pdfa-2u' | 'pdfa-3b' | 'pdfa-3u' | 'pdfx';
  /** Refuses a document that cannot be made fully compliant; PDF/A only. Default: false. */
  readonly strict?: boolean;
}

export interface ConvertPdfToPresentationOptions {
  /** Format of the result. Default: pptx. */
  readonly outputFormat?: 'ppt' | 'pptx' | 'odp';
}

export interface ConvertPdfToTextOptions {
  /** Format of the result. */
  readonly outputFormat: 'txt' | 'rtf';
}

export interface ConvertPdfToTextEditorOptions {
  /** A smaller answer: only where text is and which fonts it uses. Default: false. */
  readonly lightweight?: boolean;
}

export interface ConvertPdfToVectorOptions {
  /** Language of the result. Default: eps. */
  readonly outputFormat?: 'ps' | 'eps' | 'pcl' | 'xps';
}

export interface ConvertPdfToWordOptions {
  /** Format of the result. Default: docx. */
  readonly outputFormat?: 'doc' | 'docx' | 'odt';
}

export interface ConvertPdfToXlsxOptions {
  /** Pages: numbers, ranges and formulas in n, separated by commas (1,3,5-9 or 2n+1), or all. Default: all. */
  readonly pageNumbers?: string;
}

export interface ConvertSvgToPdfOptions {
  /** Returns one PDF with a page for each drawing instead of one PDF each. Default: false. */
  readonly combineIntoSinglePdf?: boolean;
}

export interface ConvertUrlToPdfOptions {
  /** Address of the page, with http:// or https://. */
  readonly urlInput: string;
}

export interface ConvertVectorToPdfOptions {
  /** Optimises the PDF for printing: images keep their resolution, colours stay unchanged. Default: false. */
  readonly prepress?: boolean;
}

/** Answer of `countAnnotations`. */
export type CountAnnotationsAnswer = {
  /** Annotations of all pages */
  readonly totalCount: number;
  /** Count by `/Subtype`; empty if there are none */
  readonly typeBreakdown: Readonly<Record<string, number>>;
};

/** Answer of `countPages`. */
export type CountPagesAnswer = {
  /** Pages */
  readonly pageCount: number;
};

export interface CreatePdfFromDocumentOptions {
  /** The document. */
  readonly document: Json;
  /** Name of the PDF; one that does not end in .pdf becomes generated-document.pdf. */
  readonly filename: string;
}

export interface CropPagesOptions {
  /** Crop each page to its visible content; x, y, width and height are then ignored. Default: false. */
  readonly autoCrop?: boolean;
  /** Left edge in points; required unless autoCrop is set. From -1000000 to 1000000 pt. */
  readonly x?: number;
  /**
   * Bottom edge in points, measured upwards from the page's origin; required unless autoCrop is set. From -1000000 to
   * 1000000 pt.
   */
  readonly y?: number;
  /** Width in points, above 0; required unless autoCrop is set. More than 0 to 1000000 pt. */
  readonly width?: number;
  /** Height in points, above 0; required unless autoCrop is set. More than 0 to 1000000 pt. */
  readonly height?: number;
  /** Remove the content outside instead of hiding it. Default: true. */
  readonly removeDataOutsideCrop?: boolean;
}

export interface DeleteAttachmentOptions {
  /** Exact name, as list-attachments returns it. */
  readonly attachmentName: string;
}

export interface DeleteFormFieldsOptions {
  /** Names of fields, as JSON. */
  readonly names: string;
}

export interface EditPageLabelsOptions {
  /** JSON array of ranges: pageNumber (from 1), style, prefix and start. */
  readonly labels: Json;
}

export interface EditTableOfContentsOptions {
  /** JSON list of {title, pageNumber, children}; pages count from 1. */
  readonly bookmarkData: string;
}

export interface EditTextOptions {
  /** JSON list of {find, replace}, or one such object; an empty or missing replace deletes the match. */
  readonly edits: string;
  /** Match whole words only: no letter A to Z, digit or underscore on either side. Default: false. */
  readonly wholeWordSearch?: boolean;
  /** Pages: numbers, ranges and formulas in n, separated by commas (1,3,5-9 or 2n+1), or all. Default: all. */
  readonly pageNumbers?: string;
}

export interface ExportFormToCsvOptions {
  /**
   * A file with a JSON object of field names and texts that are put in before the export, by the rules of form/fill;
   * what a field does not take is passed over.
   */
  readonly data?: Input;
}

export interface ExportFormToXlsxOptions {
  /**
   * A file with a JSON object of field names and texts that are put in before the export, by the rules of form/fill;
   * what a field does not take is passed over.
   */
  readonly data?: Input;
}

/** Answer of `extractBookmarks`. */
export type ExtractBookmarksAnswer = readonly {
  readonly title: string;
  readonly pageNumber: number;
  /** Child bookmarks */
  readonly children: readonly unknown[];
}[];

export interface ExtractFieldsOptions {
  /**
   * Up to 100 fields as a JSON array: name, type (string, number, date, boolean, currency, list; string when absent),
   * description, pattern (a regular expression that the value matches), required.
   */
  readonly fields: Json;
  /** Asks the language model, if one is set up, for fields that code is not sure of. Default: true. */
  readonly useModel?: boolean;
  /** Recognise the text of pages that have none (scans), the first 100 of them. Default: true. */
  readonly withOcr?: boolean;
  /**
   * Languages of scanned pages, the one that counts most in front; by default English where it is installed. Default:
   * [].
   */
  readonly languages?: string | readonly (string | number)[];
}

export interface ExtractFieldsAsJsonOptions {
  /**
   * Up to 100 fields as a JSON array: name, type (string, number, date, boolean, currency, list; string when absent),
   * description, pattern (a regular expression that the value matches), required.
   */
  readonly fields: Json;
  /** Asks the language model, if one is set up, for fields that code is not sure of. Default: true. */
  readonly useModel?: boolean;
  /** Recognise the text of pages that have none (scans), the first 100 of them. Default: true. */
  readonly withOcr?: boolean;
  /**
   * Languages of scanned pages, the one that counts most in front; by default English where it is installed. Default:
   * [].
   */
  readonly languages?: string | readonly (string | number)[];
}

/** Answer of `extractFieldsAsJson`. */
export type ExtractFieldsAsJsonAnswer = {
  /** Pages of the document */
  readonly pages: number;
  readonly fields: readonly {
    readonly name: string;
    readonly type: string;
    readonly found: boolean;
    /** Value of the requested type; null if nothing was found */
    readonly value: unknown;
    readonly confidence: number;
    readonly source?: 'form' | 'label' | 'table' | 'pattern' | 'type' | 'model';
    readonly page?: number;
    readonly quotation?: string;
    readonly box?: readonly number[];
  }[];
  /** Required fields that were not found */
  readonly missing: readonly string[];
  /** A language model was used */
  readonly model: boolean;
  /** Error code if the model failed */
  readonly modelFault?: string;
  /** Scanned pages whose text was recognised */
  readonly ocrPages?: number;
  readonly ocrEngine?: string;
  readonly ocrLanguages?: string;
  /** Code of the error with which recognition failed; the pages that have text were read even so */
  readonly ocrFault?: string;
  /** The document has more pages than were read */
  readonly truncated?: boolean;
};

export interface ExtractImageScansOptions {
  /** Skew in degrees from which a photo is straightened. Whole number from 0 to 90 °. Default: 5. */
  readonly angleThreshold?: number;
  /**
   * How much a colour channel may differ from the background, from 0 to 255. Whole number from 0 to 255. Default: 20.
   */
  readonly tolerance?: number;
  /** Minimum area of a photo's upright bounding box, in pixels. Whole number from 0. Default: 8000. */
  readonly minArea?: number;
  /** Minimum area inside a photo's outline, in pixels. Whole number from 0. Default: 500. */
  readonly minContourArea?: number;
  /** Pixels to trim from each side of a photo. Whole number from 0 to 10000 px. Default: 1. */
  readonly borderSize?: number;
}

export interface ExtractImagesOptions {
  /** Format of the images, and their file extension. Default: png. */
  readonly format?: 'png' | 'jpeg' | 'gif';
}

/** Answer of `extractPageLabels`. */
export type ExtractPageLabelsAnswer = readonly {
  /** First page of the range, counted from 1 */
  readonly pageNumber: number;
  /** How its pages are numbered; `none` shows the prefix alone */
  readonly style: 
    | 'decimal'
    | 'romanLower'
    | 'romanUpper'
    | 'lettersLower'
    | 'lettersUpper'
    | 'none';
  /** Text before each number */
  readonly prefix: string;
  /** Number of its first page */
  readonly start: number;
}[];

export interface ExtractTablesOptions {
  /**
   * How layout is read: basic by where things stand and by tags; advanced by a layout model, which this server has
   * not (503); auto takes what there is. Default: auto.
   */
  readonly mode?: 'auto' | 'basic' | 'advanced';
  /** Recognise the text of pages that have none (scans) first. Default: false. */
  readonly withOcr?: boolean;
  /**
   * Languages for withOcr, the one that counts most in front; by default English where it is installed. Default: [].
   */
  readonly languages?: string | readonly (string | number)[];
  /** One CSV file for each table, or all tables as JSON. Default: csv. */
  readonly outputFormat?: 'csv' | 'json';
  /** Pages: numbers, ranges and formulas in n, separated by commas (1,3,5-9 or 2n+1), or all. Default: all. */
  readonly pageNumbers?: string;
}

export interface FillFormOptions {
  /** Values by field name, as JSON; nothing is filled in without. */
  readonly data?: string;
  /** Make the filled fields page content and remove the form. Default: false. */
  readonly flatten?: boolean;
}

export interface FillTemplateOptions {
  /** Values for the names in the template: a JSON object. */
  readonly data: Json;
  /**
   * Names without a value: refuse the template and list them, keep them as written, or leave them empty. Default:
   * error.
   */
  readonly missing?: 'error' | 'keep' | 'empty';
}

export interface FilterContainsImageOptions {
  /** Pages to look at: numbers, ranges and formulas in n, separated by commas, or all. Default: all. */
  readonly pageNumbers?: string;
}

export interface FilterContainsTextOptions {
  /** Text to look for; any text when absent. */
  readonly text?: string;
  /** Pages to look at: numbers, ranges and formulas in n, separated by commas, or all. Default: all. */
  readonly pageNumbers?: string;
}

export interface FilterFileSizeOptions {
  /** How the document's value must compare with the given one. */
  readonly comparator: 'Greater' | 'Equal' | 'Less';
  /** Size in bytes to compare with. Whole number. Default: 0. */
  readonly fileSize?: number;
}

export interface FilterPageCountOptions {
  /** How the document's value must compare with the given one. */
  readonly comparator: 'Greater' | 'Equal' | 'Less';
  /** Page count to compare with. Whole number. Default: 0. */
  readonly pageCount?: number;
}

export interface FilterPageRotationOptions {
  /** How the document's value must compare with the given one. */
  readonly comparator: 'Greater' | 'Equal' | 'Less';
  /** Rotation in degrees to compare with. Whole number. Default: 0. */
  readonly rotation?: number;
}

export interface FilterPageSizeOptions {
  /** How the document's value must compare with the given one. */
  readonly comparator: 'Greater' | 'Equal' | 'Less';
  /** Standard size to compare with, in any case. Default: A4. */
  readonly standardPageSize?: 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6' | 'LETTER' | 'LEGAL';
}

export interface FlattenPdfOptions {
  /** Flatten only the form and leave the rest of the pages as it is. Default: false. */
  readonly flattenOnlyForms?: boolean;
  /**
   * Resolution of the page images in dots per inch; limited to 72 up to the server's maximum (system.maxDPI). Whole
   * number.
   */
  readonly renderDpi?: number;
}

/** Answer of `getBasicInfo`. */
export type GetBasicInfoAnswer = {
  /** Number of pages in the page tree */
  readonly pageCount: number;
  /** Version of PDF, the higher of header and catalog */
  readonly pdfVersion: number;
  /** Bytes */
  readonly fileSize: number;
};

/** Answer of `getDocumentProperties`. */
export type GetDocumentPropertiesAnswer = {
  /** Title */
  readonly title: string | null;
  /** Author */
  readonly author: string | null;
  /** Subject */
  readonly subject: string | null;
  /** Keywords */
  readonly keywords: string | null;
  /** Program that the document was written with */
  readonly creator: string | null;
  /** Program that created the PDF */
  readonly producer: string | null;
  /** Creation date, ISO 8601 */
  readonly creationDate: string | null;
  /** Date of the last change, ISO 8601 */
  readonly modificationDate: string | null;
};

/** Answer of `getFormInfo`. */
export type GetFormInfoAnswer = {
  /** Number of top-level fields */
  readonly fieldCount: number;
  /** The document has an XFA form */
  readonly hasXFA: boolean;
  /** The form says that it contains signatures */
  readonly isSignaturesExist: boolean;
};

/** Answer of `getPageDimensions`. */
export type GetPageDimensionsAnswer = readonly {
  /** Points */
  readonly width: number;
  /** Points */
  readonly height: number;
}[];

/** Answer of `getSecurityInfo`. */
export type GetSecurityInfoAnswer = {
  /** The file is encrypted */
  readonly isEncrypted: boolean;
  /** Bits of the key; only when encrypted */
  readonly keyLength?: number;
  /** Only when encrypted */
  readonly permissions?: {
    /** Printing is forbidden */
    readonly preventPrinting: boolean;
    /** Changing the content is forbidden */
    readonly preventModify: boolean;
    /** Copying text and pictures is forbidden */
    readonly preventExtractContent: boolean;
    /** Commenting and filling in is forbidden */
    readonly preventModifyAnnotations: boolean;
  };
};

export interface IngestDocumentOptions {
  /**
   * How layout is read: basic by where things stand and by tags; advanced by a layout model, which this server has
   * not (503); auto takes what there is. Default: auto.
   */
  readonly mode?: 'auto' | 'basic' | 'advanced';
  /** Recognise the text of pages that have none (scans) first. Default: false. */
  readonly withOcr?: boolean;
  /**
   * Languages for withOcr, the one that counts most in front; by default English where it is installed. Default: [].
   */
  readonly languages?: string | readonly (string | number)[];
  /**
   * Most characters of a chunk; less than 64 counts as 64, more than 32768 as 32768. Whole number from 64 to 32768.
   * Default: 512.
   */
  readonly chunkSize?: number;
  /**
   * Most characters that a chunk repeats of the one before it; less than 0 counts as 0, more than 4096 as 4096; must
   * be below chunkSize. Whole number from 0 to 4096. Default: 64.
   */
  readonly overlap?: number;
  /** Names the document in the index: what was indexed under it is replaced; by default the SHA-256 of the bytes. */
  readonly documentId?: string;
  /** Returns the document too. Default: true. */
  readonly includeOriginal?: boolean;
  /** Stores the chunks for search. Default: true. */
  readonly index?: boolean;
  /** Returns the text as Markdown. Default: false. */
  readonly exportMarkdown?: boolean;
  /** Returns the chunks as JSON Lines. Default: false. */
  readonly exportChunksJsonl?: boolean;
}

export interface LayOutPagesOptions {
  /** DEFAULT uses pagesPerSheet, CUSTOM uses rows and cols. Default: DEFAULT. */
  readonly mode?: 'DEFAULT' | 'CUSTOM';
  /**
   * Pages per sheet: 2 (side by side) or a square number (4, 9, 16 and so on); ignored with CUSTOM. Whole number from
   * 1 to 100000. Default: 2.
   */
  readonly pagesPerSheet?: number;
  /** Rows per sheet, for CUSTOM. Whole number from 1 to 300. Default: 1. */
  readonly rows?: number;
  /** Columns per sheet, for CUSTOM. Whole number from 1 to 300. Default: 2. */
  readonly cols?: number;
  /** Whether pages fill a row or a column first. Default: BY_ROWS. */
  readonly arrangement?: 'BY_ROWS' | 'BY_COLUMNS';
  /** RTL starts at the right. Default: LTR. */
  readonly readingDirection?: 'LTR' | 'RTL';
  /** Orientation of the sheets. Default: PORTRAIT. */
  readonly orientation?: 'PORTRAIT' | 'LANDSCAPE';
  /** Free space on each side within a cell, in points. Whole number from 0 pt. Default: 0. */
  readonly innerMargin?: number;
  /** Free space at the top of a sheet, in points. Whole number from 0 pt. Default: 0. */
  readonly topMargin?: number;
  /** Free space at the bottom of a sheet, in points. Whole number from 0 pt. Default: 0. */
  readonly bottomMargin?: number;
  /** Free space at the left of a sheet, in points. Whole number from 0 pt. Default: 0. */
  readonly leftMargin?: number;
  /** Free space at the right of a sheet, in points. Whole number from 0 pt. Default: 0. */
  readonly rightMargin?: number;
  /** Draw a black line around each page. Default: false. */
  readonly addBorder?: boolean;
  /** Width of the border in points; 0 means 1. Whole number to 1000 pt. Default: 1. */
  readonly borderWidth?: number;
}

/** Answer of `listAttachments`. */
export type ListAttachmentsAnswer = readonly {
  readonly filename: string;
  readonly size: number;
  readonly contentType: string | null;
  readonly description: string | null;
  readonly creationDate: string | null;
  readonly modificationDate: string | null;
}[];

/** Answer of `listComments`. */
export type ListCommentsAnswer = readonly {
  /** Page, counted from 0 */
  readonly pageIndex: number;
  /** `/Subtype` of the annotation */
  readonly type: string;
  readonly text: string;
  readonly author: string | null;
  readonly subject: string | null;
  /** ISO 8601 */
  readonly creationDate: string | null;
  /** ISO 8601 */
  readonly modificationDate: string | null;
  /** Points */
  readonly x: number;
  /** Points */
  readonly y: number;
  /** Points */
  readonly width: number;
  /** Points */
  readonly height: number;
  /** Index in this list of the comment that it answers */
  readonly replyTo: number | null;
}[];

/** Answer of `listFonts`. */
export type ListFontsAnswer = {
  /** Length of `fonts` */
  readonly fontCount: number;
  /** Resource names, each once */
  readonly fonts: readonly string[];
};

/** Answer of `listFormFields`. */
export type ListFormFieldsAnswer = {
  /** Empty for a document without a form */
  readonly fields: readonly {
    /** Partial names from the top, joined by periods */
    readonly name: string;
    /** Name for people */
    readonly label: string;
    readonly type: 'text' | 'checkbox' | 'combobox' | 'listbox' | 'radio' | 'button' | 'signature';
    /** Present value, several choices joined by commas; absent for none */
    readonly value?: string;
    /**
     * Values that it can take: of choices stored ones, then shown ones; of check boxes and radio buttons export
     * values. Absent for none
     */
    readonly options?: readonly string[];
    readonly required: boolean;
    /** 0-based page of its first widget; -1 for none */
    readonly pageIndex: number;
    /** A list box that takes several options */
    readonly multiSelect: boolean;
    /** Absent for none */
    readonly tooltip?: string;
    /** 0-based number among the fields of its page, in the order of the form */
    readonly pageOrder: number;
  }[];
  /**
   * Field name to present value: true or false for check boxes, an empty list for lists of several, a text for
   * others; no buttons and signatures
   */
  readonly template: Readonly<Record<string, string | boolean | readonly string[]>>;
  /** The document has an XFA form: beside these fields, or instead of them. Absent for none */
  readonly xfa?: 'hybrid' | 'dynamic';
};

/** Answer of `locateFormFields`. */
export type LocateFormFieldsAnswer = readonly {
  /** Partial names from the top, joined by periods */
  readonly name: string;
  /** Name for people */
  readonly label: string;
  readonly type: 'text' | 'checkbox' | 'combobox' | 'listbox' | 'radio' | 'button' | 'signature';
  /** Present value, several choices joined by commas; absent for none */
  readonly value?: string;
  /**
   * Values that it can take: of choices stored ones, then shown ones; of check boxes and radio buttons export values.
   * Absent for none
   */
  readonly options?: readonly string[];
  /** Shown texts of the options; absent if they equal the values */
  readonly displayOptions?: readonly string[];
  readonly required: boolean;
  readonly readOnly: boolean;
  /** A list box that takes several options */
  readonly multiSelect: boolean;
  /** A text of several lines */
  readonly multiline: boolean;
  /** A text that is shown as asterisks */
  readonly password: boolean;
  /** A text with `maxLength` cells, one for each character */
  readonly comb: boolean;
  /** A combo box that takes other texts than its options */
  readonly editable: boolean;
  /** Most characters of a text; absent for any number */
  readonly maxLength?: number;
  /** Options of a combo or list box, in order; absent for none */
  readonly choices?: readonly {
    /** Stored value, which `form/fill` takes */
    readonly value: string;
    /** Shown text */
    readonly label: string;
  }[];
  /** Present choices of a list box that takes several; absent for none */
  readonly values?: readonly string[];
  /** Of signature fields only */
  readonly signed?: boolean;
  /** Signature field whose signature locks this field; absent for a field that may change */
  readonly lockedBy?: string;
  /** Absent for none */
  readonly tooltip?: string;
  /** Where it is shown; absent for nowhere */
  readonly widgets?: readonly {
    /** 0-based */
    readonly pageIndex: number;
    /** From the left edge of the crop box */
    readonly x: number;
    /** From the top edge of the crop box to the top of the widget */
    readonly y: number;
    readonly width: number;
    readonly height: number;
    /** Of check boxes and radio buttons: the value of this choice, as in `value`;  absent otherwise */
    readonly exportValue?: string;
    /** Absent if it depends on the field size or is unknown */
    readonly fontSize?: number;
    /** Of texts and choices; absent otherwise */
    readonly alignment?: 'left' | 'center' | 'right';
    /** Degrees by which the content is turned counterclockwise on the page; absent for 0 */
    readonly rotation?: 90 | 180 | 270;
    /** Text of a push button; absent for none */
    readonly caption?: string;
    /** Screens do not show it; absent for those that do */
    readonly hidden?: true;
    /**
     * 0-based place among the widgets of its page when people press the tab key: by rows or columns where the page
     * says so, else in the order of its annotations
     */
    readonly tabOrder: number;
  }[];
}[];

export interface MakeBookletOptions {
  /** Draw a black line around each half, including blank ones. Default: false. */
  readonly addBorder?: boolean;
  /** RIGHT, in upper or lower case, binds at the right edge; any other value means LEFT. Default: LEFT. */
  readonly spineLocation?: string;
  /** Leave free space at the spine. Default: false. */
  readonly addGutter?: boolean;
  /**
   * Width of the gutter in points; a negative value means 0, and half a sheet or more means one point less than half.
   * From 0 pt. Default: 12.
   */
  readonly gutterSize?: number;
  /** Print on both sides; without it flipOnShortEdge is ignored. Default: true. */
  readonly doubleSided?: boolean;
  /** FIRST returns only the front sides, SECOND only the back sides. Default: BOTH. */
  readonly duplexPass?: 'BOTH' | 'FIRST' | 'SECOND';
  /** The printer turns sheets over the short edge: the halves of back sides swap places. Default: false. */
  readonly flipOnShortEdge?: boolean;
}

export interface MergePdfsOptions {
  /**
   * Order of the inputs; both dates put the newest first, and files without a title or date come last. Default:
   * orderProvided.
   */
  readonly sortType?: 
    | 'orderProvided'
    | 'byFileName'
    | 'byDateModified'
    | 'byDateCreated'
    | 'byPDFTitle';
  /** Remove signature fields; their appearance stays on the page. Default: true. */
  readonly removeCertSign?: boolean;
  /** Add one bookmark per input, before those of the inputs. Default: false. */
  readonly generateToc?: boolean;
  /** File names in the desired order, one per line; takes precedence over sortType. */
  readonly fileOrder?: string;
}

export interface ModifyFormFieldsOptions {
  /** Changes, as JSON. */
  readonly updates: string;
}

export interface OcrPdfOptions {
  /**
   * Languages of the text, most important first, named as in GET /api/v1/ui-data/ocr-pdf; repeat the field, or
   * separate them by commas or +.
   */
  readonly languages: string | readonly (string | number)[];
  /** Also return the text, in a zip with the document. Default: false. */
  readonly sidecar?: boolean;
  /** Straighten skewed pages. Default: false. */
  readonly deskew?: boolean;
  /** Clean the page images for recognition. Default: false. */
  readonly clean?: boolean;
  /** Show the cleaned page images in the result. Default: false. */
  readonly cleanFinal?: boolean;
  /** Which pages to recognise: those without text, or all; Normal means skip-text. Default: skip-text. */
  readonly ocrType?: 'skip-text' | 'force-ocr';
  /** How the text layer is created. Default: hocr. */
  readonly ocrRenderType?: 'hocr' | 'sandwich';
  /** Remove all images from the result. Default: false. */
  readonly removeImagesAfter?: boolean;
}

export interface OverlayPdfsOptions {
  /** Which overlay page each base page gets. */
  readonly overlayMode: 'SequentialOverlay' | 'InterleavedOverlay' | 'FixedRepeatOverlay';
  /**
   * Required for FixedRepeatOverlay, otherwise ignored: how often each overlay file is repeated, one number per file.
   */
  readonly counts?: string | readonly (string | number)[];
  /** 0 puts the overlays over the page content, any other number under it. Whole number. Default: 0. */
  readonly overlayPosition?: number;
  /** One or more PDFs to put over the pages, in order (.pdf). */
  readonly overlayFiles: Input | readonly Input[];
}

export interface ParseDocumentOptions {
  /**
   * How layout is read: basic by where things stand and by tags; advanced by a layout model, which this server has
   * not (503); auto takes what there is. Default: auto.
   */
  readonly mode?: 'auto' | 'basic' | 'advanced';
  /** Recognise the text of pages that have none (scans) first. Default: false. */
  readonly withOcr?: boolean;
  /**
   * Languages for withOcr, the one that counts most in front; by default English where it is installed. Default: [].
   */
  readonly languages?: string | readonly (string | number)[];
  /** Blocks, pages and Markdown as JSON, or the Markdown alone. Default: json. */
  readonly outputFormat?: 'json' | 'markdown';
}

export interface PreviewRedactionOptions {
  /**
   * JSON list of {text, regex, wholeWord, matchCase}: phrases, or regular expressions in Java syntax with regex; the
   * last three are false if absent.
   */
  readonly terms?: Json;
  /** Ready patterns, repeated or joined by commas: email, phone, iban, card, date, address. Default: []. */
  readonly presets?: string | readonly (string | number)[];
}

/** Answer of `previewRedaction`. */
export type PreviewRedactionAnswer = {
  /** Pages of the document */
  readonly pages: number;
  /** In the order of pages and lines */
  readonly matches: readonly {
    /** For `keep` of redact-execute */
    readonly id: string;
    /** From 1 */
    readonly page: number;
    /** Numbers of the terms that match here, from 1; those of `presets` follow those of `terms` */
    readonly terms: readonly number[];
    /** Text before the match */
    readonly before: string;
    /** The match as it was read */
    readonly text: string;
    /** Text after the match */
    readonly after: string;
    /** The letters, line by line */
    readonly letters: readonly (readonly number[])[];
    /** The boxes that are drawn over them */
    readonly boxes: readonly (readonly number[])[];
  }[];
  /**
   * What is removed or changed outside of pages: `annotations`, `widgets` (form fields), `strings`, `streams`,
   * `names`, `actions`, `files`, `hiddenPages`; those without any are absent
   */
  readonly elsewhere: Readonly<Record<string, number>>;
  /** Characters that cannot be searched, because their fonts do not say which they are */
  readonly unreadable: number;
  /** Names of these fonts */
  readonly unreadableFonts: readonly string[];
};

export interface RagIngestOptions {
  /**
   * How layout is read: basic by where things stand and by tags; advanced by a layout model, which this server has
   * not (503); auto takes what there is. Default: auto.
   */
  readonly mode?: 'auto' | 'basic' | 'advanced';
  /** Recognise the text of pages that have none (scans) first. Default: false. */
  readonly withOcr?: boolean;
  /**
   * Languages for withOcr, the one that counts most in front; by default English where it is installed. Default: [].
   */
  readonly languages?: string | readonly (string | number)[];
  /**
   * Most characters of a chunk; less than 64 counts as 64, more than 32768 as 32768. Whole number from 64 to 32768.
   * Default: 512.
   */
  readonly chunkSize?: number;
  /**
   * Most characters that a chunk repeats of the one before it; less than 0 counts as 0, more than 4096 as 4096; must
   * be below chunkSize. Whole number from 0 to 4096. Default: 64.
   */
  readonly overlap?: number;
  /** Names the document in the index: what was indexed under it is replaced; by default the SHA-256 of the bytes. */
  readonly documentId?: string;
  /** Returns the document too. Default: true. */
  readonly includeOriginal?: boolean;
  /** Stores the chunks for search. Default: true. */
  readonly index?: boolean;
  /** Returns the text as Markdown. Default: false. */
  readonly exportMarkdown?: boolean;
  /** Returns the chunks as JSON Lines. Default: false. */
  readonly exportChunksJsonl?: boolean;
}

export interface ReadPurviewLabelOptions {
  /** Number of a PURVIEW connection. Whole number from 1. */
  readonly connectionId: number;
}

export interface RearrangePagesOptions {
  /** How to order the pages, in upper or lower case; CUSTOM uses pageNumbers. Default: CUSTOM. */
  readonly customMode?: 
    | 'CUSTOM'
    | 'REVERSE_ORDER'
    | 'DUPLEX_SORT'
    | 'BOOKLET_SORT'
    | 'SIDE_STITCH_BOOKLET_SORT'
    | 'ODD_EVEN_SPLIT'
    | 'REMOVE_FIRST'
    | 'REMOVE_LAST'
    | 'REMOVE_FIRST_AND_LAST'
    | 'DUPLICATE';
  /**
   * New order for CUSTOM: numbers, ranges and formulas with n, separated by commas (3,1,5-9 or 2n+1), or all; for
   * DUPLICATE the number of copies of each page. Default: all.
   */
  readonly pageNumbers?: string;
}

export interface RedactAreasOptions {
  /**
   * JSON list of {page, x, y, width, height, color}, or one such object; pages count from 1, x and y from the top
   * left; may be empty.
   */
  readonly redactions?: string;
  /**
   * Pages to empty and cover completely: numbers, ranges and formulas with n, separated by commas, or all; none if
   * absent.
   */
  readonly pageNumbers?: string;
  /** Colour of whole pages in hexadecimal, with or without #; any other value means black. Default: #000000. */
  readonly pageRedactionColor?: string;
  /** Convert every page of the result to one image. Default: false. */
  readonly convertPDFToImage?: boolean;
}

export interface RedactPdfOptions {
  /** Phrases to redact, matched exactly except for case; repeat the field for several. Default: []. */
  readonly textValues?: string | readonly (string | number)[];
  /** Regular expressions in Java syntax; repeat the field for several. Default: []. */
  readonly regexPatterns?: string | readonly (string | number)[];
  /**
   * JSON list of {text, regex, wholeWord, matchCase}: phrases, or regular expressions in Java syntax with regex; the
   * last three are false if absent.
   */
  readonly terms?: Json;
  /** Ready patterns, repeated or joined by commas: email, phone, iban, card, date, address. Default: []. */
  readonly presets?: string | readonly (string | number)[];
  /**
   * Ids of matches that stay, from redact-preview of the same file and terms; repeat the field, or join them by
   * commas. Default: [].
   */
  readonly keep?: string | readonly (string | number)[];
  /** Pages to empty, from 1; values that are not page numbers are ignored. Default: []. */
  readonly wipePages?: string | readonly (string | number)[];
  /** JSON list of {startString, endString}; without endString the range goes to the end of the document. */
  readonly ranges?: string;
  /** JSON list of {pageIndex, x1, y1, x2, y2}; pages count from 0, coordinates are points from the bottom left. */
  readonly imageBoxes?: string;
  /** Pages to remove images from, from 1; empty means all pages, absent means none. */
  readonly redactImagePages?: string | readonly (string | number)[];
  /**
   * JSON {color, caption, padding, convertToImage, strategy}; caption is written into the boxes; strategy is AUTO,
   * OVERLAY_ONLY or IMAGE_FINALIZE, which converts every page to one image.
   */
  readonly style?: string;
  /**
   * How the result is checked: text reads the text of the file; ocr also draws every page and reads it with OCR,
   * which takes seconds per page, and fails if a term can still be read. Default: text.
   */
  readonly verify?: 'text' | 'ocr';
  /**
   * Languages for verify=ocr, named as in GET /api/v1/ui-data/ocr-pdf; English, or what is installed, if absent.
   * Default: [].
   */
  readonly languages?: string | readonly (string | number)[];
}

export interface RemoveBlanksOptions {
  /**
   * A pixel counts as white if all its channels are at least 255 minus this value. Whole number from 0 to 255.
   * Default: 10.
   */
  readonly threshold?: number;
  /** Percentage of white pixels from which a page counts as blank. From 0.1 to 100 %. Default: 99.9. */
  readonly whitePercent?: number;
}

export interface RemovePagesOptions {
  /** Pages to remove: numbers, ranges and formulas with n, separated by commas (1,3,5-9 or 2n+1). */
  readonly pageNumbers: string;
}

export interface RemovePasswordOptions {
  /** User or owner password; empty if the document opens without one. */
  readonly password?: string;
}

export interface RenameAttachmentOptions {
  /** Exact current name, as list-attachments returns it. */
  readonly attachmentName: string;
  /** New name, with its extension. */
  readonly newName: string;
}

export interface ReplaceColorsOptions {
  /** How to change the colours. Default: HIGH_CONTRAST_COLOR. */
  readonly replaceAndInvertOption?: 
    | 'HIGH_CONTRAST_COLOR'
    | 'CUSTOM_COLOR'
    | 'FULL_INVERSION'
    | 'COLOR_SPACE_CONVERSION';
  /** The colours for HIGH_CONTRAST_COLOR. Default: WHITE_TEXT_ON_BLACK. */
  readonly highContrastColorCombination?: 
    | 'WHITE_TEXT_ON_BLACK'
    | 'BLACK_TEXT_ON_WHITE'
    | 'YELLOW_TEXT_ON_BLACK'
    | 'GREEN_TEXT_ON_BLACK';
  /** Background colour for CUSTOM_COLOR: 24 bits as a decimal number, 0xRRGGBB or #RRGGBB. */
  readonly backGroundColor?: string;
  /** Text colour for CUSTOM_COLOR: 24 bits as a decimal number, 0xRRGGBB or #RRGGBB. */
  readonly textColor?: string;
}

export interface RotatePdfOptions {
  /** Clockwise angle in degrees, a multiple of 90 (0, 90, 180, 270). Whole number. Default: 90. */
  readonly angle?: number;
}

export interface SanitizePdfOptions {
  /** Remove scripts, and actions that start programs. Default: true. */
  readonly removeJavaScript?: boolean;
  /** Remove attachments and media. Default: true. */
  readonly removeEmbeddedFiles?: boolean;
  /** Remove XMP metadata. Default: false. */
  readonly removeXMPMetadata?: boolean;
  /** Remove the document information: title, author, dates, programs. Default: false. */
  readonly removeMetadata?: boolean;
  /** Remove links and actions that lead or send data outside the document. Default: false. */
  readonly removeLinks?: boolean;
  /** Remove embedded fonts. Default: false. */
  readonly removeFonts?: boolean;
}

export interface ScalePagesOptions {
  /** Paper size of all pages; KEEP uses the size of the first page. */
  readonly pageSize: 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6' | 'LETTER' | 'LEGAL' | 'KEEP';
  /**
   * LANDSCAPE, in upper or lower case, uses the paper in landscape; any other value means PORTRAIT. Ignored with
   * KEEP. Default: PORTRAIT.
   */
  readonly orientation?: string;
  /**
   * Factor in addition to fitting the page to the paper: 1 fits exactly, less leaves a margin, more is cut off at the
   * edges, 0 shows nothing. From 0 to 10000. Default: 1.
   */
  readonly scaleFactor?: number;
}

export interface SendEmailOptions {
  /** Email address of the recipient; separate several by commas. */
  readonly to: string;
  /** Subject, one line. Default: A file from Quire. */
  readonly subject?: string;
  /** Body of the message, as HTML. Default: <p>The file that you were sent is attached.</p>. */
  readonly body?: string;
}

export interface SignPdfOptions {
  /**
   * Where key and certificate come from: files (PEM, PKCS12 and PFX, JKS) or the server itself (SERVER).
   * WINDOWS_STORE and PKCS11 are refused by a server.
   */
  readonly certType: 'PKCS12' | 'PFX' | 'PEM' | 'JKS' | 'SERVER';
  /** Password of the keystore or the key; ignored for SERVER. */
  readonly password?: string;
  /** Entry of the keystore; without it, or if there is none with that name, the first usable one. */
  readonly alias?: string;
  /** Makes the signature visible. Default: false. */
  readonly showSignature?: boolean;
  /** Why it is signed. Default: Signed by Quire. */
  readonly reason?: string;
  /** Where it is signed. Default: Quire. */
  readonly location?: string;
  /** Who signs, in the signature dictionary; the visible signature names the certificate's owner. Default: Quire. */
  readonly name?: string;
  /** Page of the visible signature, from 1. Whole number from 1. Default: 1. */
  readonly pageNumber?: number;
  /** Draws a seal behind the text of the visible signature. Default: true. */
  readonly showLogo?: boolean;
  /**
   * PAdES baseline level: B-B, or B-T, B-LT and B-LTA with a time stamp. Without it B-T where tsaUrl is sent, else
   * B-B.
   */
  readonly signatureLevel?: 'B-B' | 'B-T' | 'B-LT' | 'B-LTA';
  /**
   * Time stamp authority, one of those that the settings allow; blank takes `security.timestamp.defaultTsaUrl` where
   * the level needs one.
   */
  readonly tsaUrl?: string;
  /**
   * Certifies the document: 1 allows no change afterwards, 2 form filling and signing, 3 annotations too. 0 only
   * signs it. Whole number. Default: 0.
   */
  readonly certificationLevel?: 0 | 1 | 2 | 3;
  /** Signs with RSA-PSS instead of PKCS#1 v1.5; for RSA keys. Default: false. */
  readonly rsaPss?: boolean;
  /** Private key for PEM: PEM or DER of PKCS#1, SEC 1 or PKCS#8, encrypted or not. */
  readonly privateKeyFile?: Input;
  /**
   * Certificate for PEM: PEM, DER or PKCS#7; of several the one that belongs to the key signs, those above it go
   * along.
   */
  readonly certFile?: Input;
  /** Keystore for PKCS12 and PFX. */
  readonly p12File?: Input;
  /** Keystore for JKS; a PKCS#12 that Java calls so is read too. */
  readonly jksFile?: Input;
}

export interface SmartSplitOptions {
  /** Rule for the parts, in words. */
  readonly rule: string;
  /** Most parts; a rule that makes more is refused. Whole number from 1 to 500. Default: 500. */
  readonly maxParts?: number;
}

export interface SplitAtDividersOptions {
  /** Also remove the page after each divider: the back of the divider sheet. Default: false. */
  readonly duplexMode?: boolean;
}

export interface SplitBySizeOrCountOptions {
  /** 0 by file size, 1 by pages per part, 2 by number of parts. Whole number from 0 to 2. Default: 0. */
  readonly splitType?: number;
  /**
   * For type 0 a size: a number with B, KB, MB, GB or TB (1 KB is 1024 bytes), MB without a unit; for types 1 and 2 a
   * whole number above 0. Default: 10MB.
   */
  readonly splitValue?: string;
}

export interface SplitForPosterPrintOptions {
  /** Paper size of the sheets. Default: A4. */
  readonly pageSize?: 'A4' | 'Letter' | 'A3' | 'A5' | 'Legal' | 'Tabloid';
  /** Sheets side by side. Whole number from 1 to 10. Default: 2. */
  readonly xFactor?: number;
  /** Sheets above each other. Whole number from 1 to 10. Default: 2. */
  readonly yFactor?: number;
  /** Order the sheets of a row from right to left. Default: false. */
  readonly rightToLeft?: boolean;
}

export interface SplitPagesOptions {
  /**
   * Last pages of the parts: numbers, ranges and formulas with n, separated by commas (1,3,5-9 or 2n+1), or all.
   * Default: all.
   */
  readonly pageNumbers?: string;
}

export interface SplitPdfByChaptersOptions {
  /** Copy title, author and other metadata of the document into each part. Default: false. */
  readonly includeMetadata?: boolean;
  /** Keep every bookmark that starts on the same page as the next one as a separate part. Default: false. */
  readonly allowDuplicates?: boolean;
  /** Depth of the bookmarks that count as chapters; 0 is the top level only. Whole number from 0. Default: 0. */
  readonly bookmarkLevel?: number;
}

export interface SplitPdfBySectionsOptions {
  /** Which pages to split; the others stay whole. Default: SPLIT_ALL. */
  readonly splitMode?: 
    | 'CUSTOM'
    | 'SPLIT_ALL_EXCEPT_FIRST_AND_LAST'
    | 'SPLIT_ALL_EXCEPT_FIRST'
    | 'SPLIT_ALL_EXCEPT_LAST'
    | 'SPLIT_ALL';
  /**
   * Pages to split, required with splitMode CUSTOM and otherwise ignored: numbers, ranges and formulas with n,
   * separated by commas (1,3,5-9 or 2n+1), or all.
   */
  readonly pageNumbers?: string;
  /** Number of vertical cuts: one less than the number of columns. Whole number from 0 to 50. Default: 0. */
  readonly horizontalDivisions?: number;
  /** Number of horizontal cuts: one less than the number of rows. Whole number from 0 to 50. Default: 1. */
  readonly verticalDivisions?: number;
  /** Return one PDF with all sections in order instead of a zip with one PDF per section. Default: false. */
  readonly merge?: boolean;
}

export interface SuggestSchemaOptions {
  /** Most fields that are named. Whole number from 1 to 20. Default: 10. */
  readonly maxFields?: number;
  /** Lets the language model name and describe them, where one is set up. Default: true. */
  readonly useModel?: boolean;
  /** Recognise the text of pages that have none (scans), the first 100 of them. Default: true. */
  readonly withOcr?: boolean;
  /**
   * Languages of scanned pages, the one that counts most in front; by default English where it is installed. Default:
   * [].
   */
  readonly languages?: string | readonly (string | number)[];
}

/** Answer of `suggestSchema`. */
export type SuggestSchemaAnswer = {
  readonly fields: readonly {
    readonly name: string;
    readonly type: 'string' | 'number' | 'date' | 'boolean' | 'currency' | 'list';
    readonly label: string;
    readonly description?: string;
    readonly example?: string;
    readonly source: 'form' | 'label' | 'table' | 'model';
    readonly page?: number;
    readonly box?: readonly number[];
  }[];
  /** A language model was asked */
  readonly model: boolean;
  /** Code of the error with which it failed */
  readonly modelFault?: string;
  /** Scanned pages whose text was recognised */
  readonly ocrPages?: number;
  readonly ocrEngine?: string;
  readonly ocrLanguages?: string;
  /** Code of the error with which recognition failed; the pages that have text were read even so */
  readonly ocrFault?: string;
};

export interface TimestampPdfOptions {
  /**
   * Time stamp authority: one of the presets, the default or a custom server of the settings (`GET
   * /api/v1/config/app-config` lists them). Blank takes `security.timestamp.defaultTsaUrl`.
   */
  readonly tsaUrl?: string;
}

export interface UpdateMetadataOptions {
  /** Remove all metadata; all other fields are then ignored. Default: false. */
  readonly deleteAll?: boolean;
  /** Title; removed when not sent. */
  readonly title?: string;
  /** Author; removed when not sent. */
  readonly author?: string;
  /**
   * Creation date as yyyy/MM/dd HH:mm:ss, in the time zone of the server, or ISO 8601 with a zone; removed when not
   * sent.
   */
  readonly creationDate?: string;
  /** Program that created the document; removed when not sent. */
  readonly creator?: string;
  /** Keywords; removed when not sent. */
  readonly keywords?: string;
  /**
   * Modification date as yyyy/MM/dd HH:mm:ss, in the time zone of the server, or ISO 8601 with a zone; removed when
   * not sent.
   */
  readonly modificationDate?: string;
  /** Program that converted it to PDF; removed when not sent. */
  readonly producer?: string;
  /** Subject; removed when not sent. */
  readonly subject?: string;
  /** Whether colours were trapped for printing. */
  readonly trapped?: 'True' | 'False' | 'Unknown' | 'undefined';
  /** Additional entries by name. */
  readonly allRequestParams?: Readonly<Record<string, string | number | boolean>>;
}

export interface ValidateSignaturesOptions {
  /**
   * X.509 certificate (PEM, DER) or PKCS#7 bundle; the only trust anchors of this call. An empty file counts as none.
   */
  readonly certFile?: Input;
}

/** Answer of `validateSignatures`. */
export type ValidateSignaturesAnswer = readonly {
  readonly valid: boolean;
  readonly chainValid: boolean;
  readonly trustValid: boolean;
  readonly chainValidationError: string | null;
  readonly certPathLength: number;
  readonly notExpired: boolean;
  readonly coversEntireDocument: boolean;
  readonly revocationChecked: boolean;
  readonly revocationStatus: 'not-checked' | 'good' | 'revoked' | 'soft-fail' | 'unknown' | null;
  readonly validationTimeSource: 'current' | 'signing-time' | 'timestamp' | 'document-timestamp' | null;
  readonly signerName: string | null;
  readonly signatureDate: string | null;
  readonly reason: string | null;
  readonly location: string | null;
  readonly errorMessage: string | null;
  readonly issuerDN: string | null;
  readonly subjectDN: string | null;
  readonly serialNumber: string | null;
  readonly validFrom: string | null;
  readonly validUntil: string | null;
  readonly signatureAlgorithm: string | null;
  readonly keySize: number;
  readonly version: string | null;
  readonly keyUsages: readonly (
    | 'Digital Signature'
    | 'Non-Repudiation'
    | 'Key Encipherment'
    | 'Data Encipherment'
    | 'Key Agreement'
    | 'Certificate Signing'
    | 'CRL Signing'
    | 'Encipher Only'
    | 'Decipher Only')[] | null;
  readonly selfSigned: boolean;
  readonly fieldName: string | null;
  readonly subFilter: string | null;
  readonly integrity: 'intact' | 'broken' | 'unverifiable';
  readonly digestAlgorithm: string | null;
  readonly coversWholeFile: boolean;
  readonly changesSinceSigning: 'none' | 'allowed' | 'refused' | 'unknown';
  readonly changes: readonly string[];
  readonly certificationLevel: 1 | 2 | 3 | null;
  readonly timestampTime: string | null;
  readonly warnings: readonly string[];
}[];

/** Answer of `verifyPdf`. */
export type VerifyPdfAnswer = readonly {
  readonly standard: string;
  readonly standardName: string;
  readonly validationProfile: string | null;
  readonly validationProfileName: string | null;
  readonly complianceSummary: string;
  readonly declaredPdfa: boolean;
  readonly compliant: boolean;
  readonly totalFailures: number;
  readonly totalWarnings: number;
  readonly failures: readonly {
    readonly ruleId: string | null;
    readonly message: string;
    readonly location: string | null;
    readonly specification: string | null;
    readonly clause: string | null;
    readonly testNumber: string | null;
  }[];
  readonly warnings: readonly {
    readonly ruleId: string | null;
    readonly message: string;
    readonly location: string | null;
    readonly specification: string | null;
    readonly clause: string | null;
    readonly testNumber: string | null;
  }[];
}[];

export interface WriteCommentsOptions {
  /** Subject of the comments. */
  readonly prompt: string;
}

/** A method for each operation. */
export interface Operations {
  /**
   * Attach files to a PDF.
   *
   * Each file is embedded under its own name, with its size, media type, checksum and description; its dates are set
   * to the current time. An existing attachment with the same name is replaced. If two uploaded files share a name,
   * the second gets a number (`name_1.ext`). Viewers show the list of attachments when they open the document.
   *
   * With `convertToPdfA3b` the document is first converted to PDF/A-3, level B, the way `convert/pdf/pdfa` does it:
   * in place if possible, otherwise with pages that Ghostscript renders again. The result declares PDF/A-3 only if
   * veraPDF confirms it; `X-Tool-Report` has `way`, `checked` and `compliant`. Without veraPDF, Ghostscript's own
   * verdict counts. A document that is already PDF/A-3 is not converted.
   *
   * A document that declares a part of PDF/A which forbids such attachments loses that declaration (`withdrawn`).
   *
   * POST /api/v1/misc/add-attachments
   */
  addAttachments(file: Input, options: AddAttachmentsOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Add sticky notes to pages.
   *
   * `comments` is a JSON array of objects with `pageIndex` (from 0), `x`, `y`, `width`, `height` (the note's
   * rectangle in points, origin at the bottom left), `text`, and optionally `author`, `subject` and `anchorText`. A
   * note with `anchorText` is placed at the first line of the page that contains the letters and digits of that text,
   * ignoring case; if no line does, the coordinates are used.
   *
   * A note is skipped if its text is blank or longer than 100000 characters, if it has no width or height (unless it
   * is anchored), or if the page does not exist. `X-Tool-Report` holds `added` and `skipped`.
   *
   * POST /api/v1/misc/add-comments
   */
  addComments(file: Input, options: AddCommentsOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Add an image to the first page or every page.
   *
   * The image keeps its natural size: one pixel is one point. Of a TIFF, only the first page is used. An SVG is drawn
   * as vectors: a pixel is a point, and units of length are kept. Scripts in an SVG are dropped; an SVG that refers
   * to other files is refused. On rotated pages the image is upright as the reader sees it.
   *
   * POST /api/v1/misc/add-image
   */
  addImage(file: Input, options: AddImageOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Add page numbers.
   *
   * The number rises by one for each numbered page, in the order of `pagesToNumber`. The text uses a standard font,
   * and an embedded font for characters that the standard font lacks; if the document declares PDF/A, all of the text
   * uses an embedded font. Positions and margins are measured from the media box, or from the crop box if the text
   * would not be fully visible otherwise. On rotated pages the text is upright as the reader sees it.
   *
   * POST /api/v1/misc/add-page-numbers
   */
  addPageNumbers(file: Input, options?: AddPageNumbersOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Protect a PDF with a password and permissions.
   *
   * With `keyLength` 256 the document is encrypted with AES-256 (revision 6 of the standard security handler), with
   * 128 with AES-128, and with 40 with RC4, which is easy to break and only meant for viewers older than 2001.
   * Without `ownerPassword`, the user password is also the owner password. Without either password the document is
   * still encrypted and anyone can open it, with the restrictions. Viewers enforce restrictions voluntarily: whoever
   * can open a document can also get its content.
   *
   * Each `prevent` field denies one permission (ISO 32000-1, table 22). With 40 bits, unless a permission is denied
   * that such a key cannot express, viewers treat assembling as modifying, and filling in form fields as annotating.
   * PDF 2.0 viewers always allow extraction for accessibility. Passwords are used exactly as sent, spaces included:
   * up to 127 bytes of UTF-8 with 256 bits, otherwise up to 32 Latin-1 characters. Characters that viewers encode
   * differently (ligatures, joiners) are refused.
   *
   * A document that opens with the empty password is encrypted again; a locked one must go through remove-password
   * first. PDF/A and PDF/X forbid encryption: a document that declares them loses that declaration (`withdrawn` in
   * `X-Tool-Report`).
   *
   * POST /api/v1/security/add-password
   */
  addPassword(file: Input, options?: AddPasswordOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Make a PDF look scanned.
   *
   * Each page becomes one image of the same page size. Bookmarks, links, page labels, attachments and metadata stay;
   * text is removed. Every run gives a slightly different result.
   *
   * Blur, noise, brightness, contrast and resolution come from `quality` unless `advancedEnabled` is set; the other
   * fields always apply. Pages are rendered with at most 8192 pixels per side and 16777216 in total: large pages get
   * a lower resolution, but never below 72 dpi.
   *
   * POST /api/v1/misc/scanner-effect
   */
  addScannerEffect(file: Input, options?: AddScannerEffectOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Stamp text or an image on pages.
   *
   * Placeholders in the text: `@date{pattern}` with Java date letters, `@datetime`, `@date`, `@time`, `@year`,
   * `@month`, `@day`, `@page_number`, `@page_count`, `@total_pages`, `@page`, `@filename_full`, `@filename`,
   * `@author`, `@title`, `@subject`, `@uuid` (different on each page); `@@` is a literal @. Dates are in the server's
   * local time.
   *
   * Positions and margins are measured from the media box, or from the crop box if the stamp would not be fully
   * visible otherwise. On rotated pages the stamp is upright as the reader sees it. Lengths are points, whatever unit
   * the page uses. A rotated text is aligned to its position as a whole; an image is rotated around its lower left
   * corner and kept within the page.
   *
   * POST /api/v1/misc/add-stamp
   */
  addStamp(file: Input, options: AddStampOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Add a text or image watermark.
   *
   * The watermark is repeated in tiles over every page. Tiles start at the lower left corner of the media box, in the
   * page's own units; page rotation and crop box are ignored. Text stays text and can be searched in all alphabets. A
   * page that is smaller than the image gets no watermark (`unmarked` in `X-Tool-Report` counts such pages); if that
   * applies to all pages, the call is refused.
   *
   * With `convertPDFToImage`, pages are rendered at `system.maxDPI`, or at the highest resolution within the pixel
   * limits. The images show what viewers show of the page; page boxes, bookmarks, links, page labels and attachments
   * stay. A document that declares PDF/A-1 loses that declaration if the watermark is not opaque, because PDF/A-1
   * forbids transparency.
   *
   * POST /api/v1/security/add-watermark
   */
  addWatermark(file: Input, options: AddWatermarkOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Write a Purview sensitivity label into a PDF.
   *
   * Writes the properties `MSIP_Label_<labelId>_…` into the information dictionary, with the tenant of the
   * connection. Another label of the same tenant is replaced, those of other tenants stay. Nothing is asked of
   * Microsoft, and nothing is encrypted.
   *
   * POST /api/v1/integration/purview-apply-label
   */
  applyPurviewLabel(file: Input, options: ApplyPurviewLabelOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Put a document together from pages of several files.
   *
   * `pages` lists the pages of the result in order. `{"file": 2, "page": 5, "rotate": 90}` is the fifth page of the
   * second file, turned clockwise by 90 degrees in addition to its own rotation; `file` is 1 and `rotate` is 0 when
   * absent. `{"blank": true, "width": 595, "height": 842}` is an empty page with its size in points, A4 when absent.
   * A page may be listed several times; every copy is a page of its own with its own annotations, while a form field
   * on it remains one field with one value.
   *
   * Bookmarks, links, named destinations, form fields, page labels, layers, tags and attachments are kept as in
   * `general/merge-pdfs` and `general/rearrange-pages`: pages that are not listed are removed with everything that
   * only they used, and a file of which no page is listed is ignored. Pages of several files lose their signature
   * fields, whose appearance stays.
   *
   * POST /api/v1/general/assemble-pages
   */
  assemblePages(
    files: Input | readonly Input[],
    options: AssemblePagesOptions,
    call?: CallOptions,
  ): Promise<FileResult>;
  /**
   * Find arithmetic contradictions in a PDF.
   *
   * Everything is calculated here, with exact decimals: totals of tables and of lists of amounts (`tally`), quantity
   * times price and arithmetic that is written out (`arithmetic`), shares, sums, differences and changes in percent
   * in sentences (`statement`), and amounts such as an invoice total that are named twice differently
   * (`consistency`).
   *
   * The language model reads the sentences that hold several numbers, and proposes claims in them; a proposal counts
   * when its quotation is on the page and its numbers are in the quotation, and it is calculated like all others.
   * Nothing but such sentences leaves the server.
   *
   * Numbers are read as `1,234.56`, `1.234,56`, `1 234,56` and `1'234.56`. A number that can be read in two ways is
   * reported only when it is wrong in both. `warning`: rounding may explain it, or a person should look whether the
   * numbers belong together.
   *
   * `unauditablePages` have no text: recognise it first with `misc/ocr-pdf`. As a step of a pipeline the JSON takes
   * the place of the file.
   *
   * POST /api/v1/ai/tools/math-auditor-agent
   */
  auditArithmetic(file: Input, options?: AuditArithmeticOptions, call?: CallOptions): Promise<AuditArithmeticAnswer>;
  /**
   * Search for text or patterns and redact them.
   *
   * Matches are removed from the file: from page content and the forms it draws, annotations, field values,
   * bookmarks, names, attachments, metadata and earlier revisions. A box is drawn in their place. Where a font says
   * one text and shows another, both are searched, and so is text that the glyphs of a Type 3 font draw. Terms in
   * names that no page shows (resources, fonts, tags, roles) are replaced, in identifiers, languages and inline
   * images removed. Two engines then read the result again; if a match is left, the call fails with 422 and returns
   * no file. With `verify=ocr`, the pages of the result are also drawn and read with OCR. Case is always ignored.
   * Plain terms are also found across line ends, hyphenation, spaced-out letters, ligatures and any number of spaces.
   * Patterns use Java regular expression syntax; they see a page as words separated by one space and lines separated
   * by one line feed, and they have a time limit (422). Text in images is not found; `verify=ocr` fails with 422 if
   * it can be read. `X-Tool-Report` holds `matches`; `unreadable` and `unreadableFonts`, the number of characters
   * whose font does not say which characters they are, and the names of these fonts; and `kept`, names with a term
   * that cannot be changed. The last three are also in `X-Warnings`.
   *
   * POST /api/v1/security/auto-redact
   */
  autoRedact(file: Input, options: AutoRedactOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Rename a PDF after its title text.
   *
   * The new name is the text with the largest font size in the first 200 lines of the document; consecutive lines of
   * that size are joined. The characters `/ \ ? % * : | " < >` are removed. If there is no such text, or it has 255
   * characters or more, the file keeps its name, or with `useFirstTextAsFallback` takes the first usable line as its
   * name. The document itself is returned byte for byte.
   *
   * POST /api/v1/misc/auto-rename
   */
  autoRename(file: Input, options?: AutoRenameOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Send a file to a saved API connection.
   *
   * In `report` mode the file is returned unchanged, and `X-Tool-Report` contains `status`, `contentType` and, for
   * JSON, the `body` (`bodyTruncated`: the beginning of a long one as text; `bodyParseError`: the text of invalid
   * JSON), otherwise `bodyBytes`. In `replace` mode the answer replaces the file: the answer itself, the content of
   * the result URL in its header or JSON, or the file of a zip that `responseSelect` names.
   *
   * Placeholders in `path` (percent-encoded), `fields`, `headers` and `bodyTemplate`: `{{document.filename}}`, and of
   * `document` also safeFilename, extension, contentType, resolvedContentType, sizeBytes, sha256, base64, pageCount,
   * encrypted, title, author, subject, keywords, creator, producer, created, modified; `{{classification.…}}`;
   * labelId, name, siteId, method, protected of `sensitivityLabel`; policyName, runId, timestamp of `run`. What a
   * document does not say is empty; a name that is not known is refused. With `bodyTemplate`, `fields` and `bodyMode`
   * have no effect.
   *
   * Redirects are not followed, and an answer has at most 64 MiB. A service that cannot be reached, is too slow, or
   * answers anything else than success or something of no use is 502 or 504. Loopback and private addresses are
   * called only with `policies.allowPrivateApiEndpoints`, metadata services of clouds never.
   *
   * POST /api/v1/integration/external-api-call
   */
  callExternalApi(file: Input, options: CallExternalApiOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Split a document into text chunks.
   *
   * Chunks are Markdown with at most `chunkSize` characters (UTF-16 code units), in reading order, without running
   * headers and page numbers; images contribute their text and alternative text. Each chunk is within one section,
   * starts with its headings, and has its pages and the headings above it.
   *
   * A chunk ends where a block ends, otherwise at the end of a sentence, item or row, otherwise between words; a word
   * is split only if it is longer than a chunk. It repeats up to `overlap` characters of the previous chunk in its
   * section, from the start of a sentence or word; at most three quarters of a chunk.
   *
   * Together the chunks contain all the text, and the same document always gives the same chunks. Scanned pages need
   * `withOcr`; a document without text gives no chunk. No language model is used.
   *
   * POST /api/v1/docparse/chunk-document
   */
  chunkDocument(file: Input, options?: ChunkDocumentOptions, call?: CallOptions): Promise<ChunkDocumentAnswer>;
  /**
   * Tell what kind of document it is, and store it there.
   *
   * A language model is given the text of the first two and the last two pages, and chooses one of a fixed list of
   * kinds. The entry `Classification` of the information dictionary then holds it as JSON: `id` (`invoice`), `name`
   * (`Invoice`) and `confidence` (0 to 1); `X-Tool-Report` holds the same. A document whose pages have no text comes
   * back as it was, with `labelled` false in the report.
   *
   * POST /api/v1/ai/tools/classify-and-label
   */
  classifyDocument(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
  /**
   * Combine all pages into one long page.
   *
   * Pages keep their size and are stacked upright along the left edge, the first at the top. Each page becomes a
   * layer (`Layer0`, `Layer1` and so on) in addition to the layers of the document. A page may not be longer than
   * 14400 units; if the pages together are longer, a larger unit is used (`UserUnit`) and the size in points is still
   * exact. Links, bookmarks, form fields, comments, tags and attachments stay, moved with their pages; page labels
   * are removed.
   *
   * POST /api/v1/general/pdf-to-single-page
   */
  combineToSinglePage(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
  /**
   * Compress a PDF by level or target size.
   *
   * Levels 1 to 3 are lossless: they compress streams and objects better, encode 1-bit images as CCITT fax, and
   * remove unused objects. Levels 4 to 9 also downscale and recompress images, more strongly with each level, and
   * reduce composite TrueType fonts to the glyphs in use. With `expectedOutputSize` a level is chosen for you and
   * raised until the size is reached or level 9 is; missing the target is not an error. If nothing smaller can be
   * produced, the file is returned unchanged, even where it is damaged; `X-Warnings` says so. `X-Tool-Report` holds
   * `level`, `achieved`, `unchanged`, `inputBytes` and `outputBytes`.
   *
   * POST /api/v1/misc/compress-pdf
   */
  compressPdf(file: Input, options?: CompressPdfOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert a CBR comic to PDF.
   *
   * One page for each image (jpg, jpeg, png, gif, bmp, webp, also in folders) with as many points as the image has
   * pixels, in natural order of the full names. JPEGs are not recompressed. Unreadable images are left out and
   * counted as `skipped` in X-Tool-Report. Many comics are a zip named .cbr or a RAR named .cbz: the first bytes
   * decide. RAR 2.9 to 5 is supported; encrypted, split and (before version 5) solid RAR archives are refused.
   *
   * POST /api/v1/convert/cbr/pdf
   */
  convertCbrToPdf(file: Input, options?: ConvertCbrToPdfOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert a CBZ comic to PDF.
   *
   * One page for each image (jpg, jpeg, png, gif, bmp, webp, also in folders) with as many points as the image has
   * pixels, in natural order of the full names. JPEGs are not recompressed. Unreadable images are left out and
   * counted as `skipped` in X-Tool-Report. Many comics are a zip named .cbr or a RAR named .cbz: the first bytes
   * decide. RAR 2.9 to 5 is supported; encrypted, split and (before version 5) solid RAR archives are refused.
   *
   * POST /api/v1/convert/cbz/pdf
   */
  convertCbzToPdf(file: Input, options?: ConvertCbzToPdfOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert an e-book to PDF.
   *
   * EPUB, MOBI, AZW3, FB2 and plain text are printed on A4, or on the page size of a fixed-layout book; DOCX is
   * converted by LibreOffice. Links between chapters work, the table of contents becomes bookmarks, the cover comes
   * first. All used fonts are always embedded, so `embedAllFonts` has no effect. `optimizeForEbook` scales images
   * down to 150 dpi and compresses the file; it needs no other program. DRM-protected books are refused. For DOCX,
   * `includeTableOfContents` and `includePageNumbers` have no effect.
   *
   * POST /api/v1/convert/ebook/pdf
   */
  convertEbookToPdf(file: Input, options?: ConvertEbookToPdfOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert an email to PDF or HTML.
   *
   * Internet mail (`.eml`) and Outlook messages (`.msg`) are recognised by their content. The page shows subject,
   * sender, recipients, the date in UTC, the body (HTML preferred) and a list of attachments; attached emails are
   * attachments. Images inside the email are shown; external images are never loaded, their description is shown
   * instead. Content signed with S/MIME or wrapped in `winmail.dat` is shown; encrypted content is reported as
   * encrypted. Without `includeAllRecipients`, CC and BCC are left out. For a PDF, `X-Tool-Report` contains
   * `attachments`, `embedded` and `simplified` (the formatted body could not be printed, so its text was).
   *
   * POST /api/v1/convert/eml/pdf
   */
  convertEmlToPdf(file: Input, options?: ConvertEmlToPdfOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert Word, Excel, PowerPoint and other files to PDF.
   *
   * Any file with an extension of 2 to 4 letters or digits is tried; LibreOffice decides. The result is tagged and
   * has bookmarks for headings, links and form fields. Macros never run and nothing is loaded from elsewhere:
   * references of OOXML, ODF (zipped or flat), RTF and SVG files to other servers and files, fields that include
   * files and formulas that read them are removed first, and their saved content is shown; references to hosts in
   * `system.html.urlSecurity.allowedDomains` stay, but LibreOffice has no network and shows an empty frame. HTML
   * keeps formatting, tables, links and embedded images. Clickable links stay. Text and CSV may be UTF-8, UTF-16 or
   * windows-1252; CSV may be separated by comma, semicolon, tab or bar. A PDF is returned unchanged.
   *
   * POST /api/v1/convert/file/pdf
   */
  convertFileToPdf(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert HTML to PDF.
   *
   * A browser prints the page: `@page`, page breaks and print styles apply; otherwise the paper is A4 with margins of
   * 75 CSS pixels. The PDF is tagged and has bookmarks for headings; links work. From a zip, the page named `index`
   * closest to the root is printed, otherwise the first page closest to the root; images, style sheets and fonts in
   * the zip are found by relative addresses. No script runs and nothing is loaded from elsewhere. The page is cleaned
   * first: scripts, forms, frames, objects and references to other servers are removed, styles stay.
   * `system.disableSanitize` skips the cleaning, so forms are shown (but are not fillable).
   *
   * POST /api/v1/convert/html/pdf
   */
  convertHtmlToPdf(file: Input, options?: ConvertHtmlToPdfOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert images to PDF.
   *
   * All files become one PDF in upload order. Each frame of a TIFF is a page; of animations the first frame is used.
   * JPEG data is kept unchanged, other images are stored losslessly, including transparency. The EXIF orientation is
   * applied, except for TIFF.
   *
   * POST /api/v1/convert/img/pdf
   */
  convertImagesToPdf(
    files: Input | readonly Input[],
    options?: ConvertImagesToPdfOptions,
    call?: CallOptions,
  ): Promise<FileResult>;
  /**
   * Convert Markdown to PDF.
   *
   * CommonMark with pipe tables, footnotes, task lists, strikethrough and automatic links; code is highlighted if its
   * language is named. Headings can be linked (`#like-this`) and become bookmarks. HTML in the text is cleaned as in
   * `convert/html/pdf`, whose other rules apply too. YAML metadata at the beginning is not printed; its `title`
   * becomes the document title. From a zip, `index.md` at the root is printed, otherwise the first `.md` or
   * `.markdown` file closest to the root; images in the zip are found by relative addresses.
   *
   * POST /api/v1/convert/markdown/pdf
   */
  convertMarkdownToPdf(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert a PDF to a CBR comic.
   *
   * Every page becomes a PNG with annotations and form fields: page_001.png, page_002.png and so on. The archive uses
   * RAR 2.9, which every reader knows, without further compression, because PNG is already compressed.
   *
   * POST /api/v1/convert/pdf/cbr
   */
  convertPdfToCbr(file: Input, options?: ConvertPdfToCbrOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert a PDF to a CBZ comic.
   *
   * Every page becomes a PNG with annotations and form fields: page_001.png, page_002.png and so on. The zip is not
   * compressed further, because PNG is already compressed.
   *
   * POST /api/v1/convert/pdf/cbz
   */
  convertPdfToCbz(file: Input, options?: ConvertPdfToCbzOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Extract tables to CSV.
   *
   * Finds tables drawn with lines or filled cells on the selected pages (default: all). The CSV has commas, CR LF,
   * every field quoted, in UTF-8. A merged cell has its text in its first position; lines within a cell are separated
   * by line feeds. One table gives a CSV file, several give a zip, none gives 204. Text is written as printed, even
   * if it starts with `=`, `+`, `-` or `@`: import it into a spreadsheet as text. Form field values count as text.
   * Scanned pages need OCR first.
   *
   * POST /api/v1/convert/pdf/csv
   */
  convertPdfToCsv(file: Input, options?: ConvertPdfToCsvOptions, call?: CallOptions): Promise<FileResult | undefined>;
  /**
   * Convert a PDF to EPUB or AZW3.
   *
   * Reflowable text: chapters, headings, lists, tables, images, links, footnotes, the first page as cover, a table of
   * contents and the PDF pages as page list (EPUB 3, with EPUB 2 navigation). Chapters start at the top-level
   * bookmarks, otherwise at the largest headings and at headings that look like chapter titles. Running headers, page
   * numbers, colours and fonts are left out. `AZW3` is converted from the EPUB by Calibre.
   *
   * POST /api/v1/convert/pdf/epub
   */
  convertPdfToEpub(file: Input, options?: ConvertPdfToEpubOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert a PDF to HTML.
   *
   * The zip contains `<base>.html` and its images. The page has the content of the PDF in reading order: headings,
   * paragraphs, lists, tables with merged cells, images, internal and external links, footnotes, and the bookmarks at
   * the top; each PDF page is a section `page-<n>`. Running headers, footers, page numbers, form fields, comments and
   * exact positions are left out. The page runs no script and loads nothing from elsewhere.
   *
   * POST /api/v1/convert/pdf/html
   */
  convertPdfToHtml(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert pages to images.
   *
   * The image has the size of the crop box in points times dpi / 72, rounded down. `multiple` gives a zip with one
   * image per page, numbered in the requested order; `single` stacks the pages from top to bottom (TIFF: one frame
   * per page). WebP images are scaled down to 16383 pixels per side.
   *
   * POST /api/v1/convert/pdf/img
   */
  convertPdfToImages(file: Input, options?: ConvertPdfToImagesOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert a PDF to Markdown.
   *
   * One UTF-8 file: CommonMark with pipe tables and footnotes. Headings come from the tags, the bookmarks, or the
   * size and weight of the text. Nested lists, tables with and without lines (also across page breaks; a merged cell
   * has its text in its first position), code, emphasis and web links are kept. Columns are read one after another
   * and hyphenated words are joined. Running headers and page numbers are left out. An image is replaced by a line
   * with its size, resolution, format and colour. Internal links become text; underlining, colours and sizes are
   * dropped. There is no OCR.
   *
   * POST /api/v1/convert/pdf/markdown
   */
  convertPdfToMarkdown(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert a PDF to PDF/A or PDF/X.
   *
   * A result claims PDF/A only if veraPDF confirms it. The server tries, in this order: the document unchanged;
   * repaired in place (tags, bookmarks, links, fields, layers and files stay as far as the standard allows); with its
   * pages redrawn by Ghostscript (tags and layers are lost); redrawn completely (form fields are lost too). Where
   * Ghostscript fails on the document, its pages become images, and `X-Warnings` says so. `X-Tool-Report` says which
   * `way` was used, whether the result was `checked` and is `compliant`, what it `claims`, and what was lost.
   *
   * If no way gives a compliant result, the one with the fewest violations is returned **without the claim**, and the
   * report lists rules; with `strict` it is refused instead. If only the rules of level U are violated, level B is
   * claimed. Without veraPDF, Ghostscript's own check counts and `checked` is false; `strict` needs veraPDF.
   *
   * Part 1 allows no transparency, layers or embedded files; part 2 results have no embedded files; part 3 keeps
   * them. Scripts and other actions are removed, and signatures become invalid and are removed (their appearance
   * stays).
   *
   * PDF/X is PDF/X-4: RGB with an output intent, fonts embedded, images at most 300 dpi (1200 for 1-bit images),
   * annotations flattened. There is no free validator for it: the claim rests on rules that the server checks itself
   * (`docs/guides/pdf-a.md`).
   *
   * POST /api/v1/convert/pdf/pdfa
   */
  convertPdfToPdfA(file: Input, options?: ConvertPdfToPdfAOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert a PDF to PowerPoint.
   *
   * One slide for each page. Text stays at its position in text boxes with its font, size, colour, rotation and
   * links; consecutive lines form one box. Everything else on the page becomes images at 150 dpi behind the text, one
   * for each separate part (at most 40, otherwise one). Slides have the size of the first page, because a
   * presentation has one size; other pages are scaled and centred. A heading that is also a bookmark becomes the
   * slide title. OCR text behind a scan is kept invisible. Not kept: lists, tables and drawings as such, form fields
   * other than as images, tags. `pptx` needs no program; `ppt` and `odp` are converted from it by LibreOffice.
   *
   * POST /api/v1/convert/pdf/presentation
   */
  convertPdfToPresentation(
    file: Input,
    options?: ConvertPdfToPresentationOptions,
    call?: CallOptions,
  ): Promise<FileResult>;
  /**
   * Extract text, or convert a PDF to RTF.
   *
   * `txt`: UTF-8, the lines of each page in reading order, an empty line after each page; right-to-left text in
   * logical order; no OCR and no form field values. `rtf`: reflowable text like `convert/pdf/word`, written by
   * LibreOffice.
   *
   * POST /api/v1/convert/pdf/text
   */
  convertPdfToText(file: Input, options: ConvertPdfToTextOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert a PDF to an editable JSON document.
   *
   * Coordinates are points from the lower left corner of the page as it is shown before rotation (its crop box, times
   * `UserUnit`). A text element is what one operator shows; `textMatrix` leads from text space, in which the font has
   * the size `fontSize`, to the page. `fontId` names a font of `fonts[]` by what it is made of, so it stays the same
   * when the document is rewritten; `zOrder` is the place in the order of painting. Null members and empty lists are
   * left out.
   *
   * Images are inside (JPEG as it is, all else PNG), because this call reports no session; with `lightweight` they
   * are not, `lazyImages` is true, and font programs, form fields, resources, streams and trees are left out as well.
   * To fetch page by page, begin with `convert/pdf/text-editor/metadata`. `conversionCandidates`, `pdfProgram` and
   * `pdfProgramFormat` are never there: no font is converted for PDF. `webProgram` is the embedded program as
   * browsers load it, with a map of characters made of what the document says of its codes.
   *
   * Beside the members of the interface there are `ref` of trees and pages (objects of one name are one object),
   * `sharedObjects` (what is large or used often, by that name), `documentCatalog` (bookmarks, destinations, page
   * labels, layers, tags, attachments), `acroForm`, and `mediaBox`, `cropBox`, `userUnit`, `group` and
   * `structParents` of pages: whoever sends them back to `convert/text-editor/pdf` gets the whole document again. A
   * string in a tree is base64 of its bytes.
   *
   * POST /api/v1/convert/pdf/text-editor
   */
  convertPdfToTextEditor(file: Input, options?: ConvertPdfToTextEditorOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert a PDF to PostScript, EPS, PCL or XPS.
   *
   * The whole document becomes one file, drawn by Ghostscript: `ps` is PostScript, `pcl` is PCL XL in colour, `xps`
   * is XML Paper Specification. EPS allows only one page, so the pages of a longer document are stacked into one, the
   * first on top. Annotations are drawn; bookmarks, links and fields cannot be kept in these formats. If Ghostscript
   * crashes on the document, its pages are converted as images, and `X-Warnings` says so.
   *
   * POST /api/v1/convert/pdf/vector
   */
  convertPdfToVector(file: Input, options?: ConvertPdfToVectorOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert a PDF to Word.
   *
   * Reflowable text: headings, paragraphs with indents and spacing, numbered lists, tables with merged cells, images,
   * internal and external links, footnotes, running headers and page numbers, columns, page sizes. Not kept: form
   * fields, comments, layers, drawings other than as images, exact positions. `docx` needs no program; `doc` and
   * `odt` are converted from it by LibreOffice.
   *
   * POST /api/v1/convert/pdf/word
   */
  convertPdfToWord(file: Input, options?: ConvertPdfToWordOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Extract tables to Excel.
   *
   * Finds the same tables as convert/pdf/csv on the selected pages (default: all). Each table becomes a sheet named
   * `Page 3`, or `Page 3 Table 2` if the page has several. All cells are text, so nothing is treated as a formula or
   * a date; merged cells stay merged, bold cells bold. No table gives 204. A cell holds at most 32767 characters.
   *
   * POST /api/v1/convert/pdf/xlsx
   */
  convertPdfToXlsx(file: Input, options?: ConvertPdfToXlsxOptions, call?: CallOptions): Promise<FileResult | undefined>;
  /**
   * Convert a PDF to XML.
   *
   * The XML is a flat OpenDocument text (OpenDocument 1.3, part 3) as LibreOffice writes it when it opens the PDF as
   * a text document: pages one after another, lines of text in positioned frames with their fonts, images as base64.
   * Headings, lists, tables and links are not marked. Pages with more than 2,500 lines and shapes keep their text and
   * images only; a warning names them.
   *
   * POST /api/v1/convert/pdf/xml
   */
  convertPdfToXml(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert SVG to PDF.
   *
   * A page has as many points as the drawing has pixels, or its true size if that is given in units of length; a
   * drawing without a size fills 595 x 842 points. Text stays text. Scripts, events and foreign content are removed;
   * drawings that refer to other files are refused; embedded images are kept. If there are several drawings, those
   * that cannot be drawn are left out and counted as `skipped` in X-Tool-Report.
   *
   * POST /api/v1/convert/svg/pdf
   */
  convertSvgToPdf(
    files: Input | readonly Input[],
    options?: ConvertSvgToPdfOptions,
    call?: CallOptions,
  ): Promise<FileResult>;
  /**
   * Convert an editable JSON document to PDF.
   *
   * Takes the result of `convert/pdf/text-editor`, edited or not. Existing content streams stay, except for elements
   * that differ: a changed text is rewritten at its position with its own font (following text does not move), or
   * with fonts of the server if that font lacks characters; texts and images missing from the lists are removed; new
   * ones are drawn on top. A missing list leaves its elements unchanged; an empty one removes them. A page without
   * content streams is drawn from its elements. Images whose `id` ends in the digest of their `imageData` belong to
   * the document and stay.
   *
   * Missing members have defaults (612 x 792 points, a sans-serif font, 12 points, black); unknown members are
   * ignored; a member of the wrong type is refused with its JSON pointer. Nothing is loaded from elsewhere.
   * Bookmarks, destinations, labels, layers, tags and attachments are in `documentCatalog`; without it the result has
   * none. Signatures and conformance claims (PDF/A) are removed; signature fields stay, unsigned. Changes of `zOrder`
   * alone are ignored. The JSON may have up to 512 MiB.
   *
   * POST /api/v1/convert/text-editor/pdf
   */
  convertTextEditorToPdf(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert a web page to PDF.
   *
   * Off until `system.enableUrlToPDF` is set. The server loads the page and its style sheets, images and fonts from
   * the public internet only; up to five redirects are followed, and each address is checked. The printing browser
   * has no network and runs no scripts, so pages built by scripts stay empty. Parts of the page that cannot be loaded
   * are left out; at most 300 files and 96 MiB are loaded. Pages that refer to `file:` addresses are refused.
   * Otherwise as in `convert/html/pdf`.
   *
   * POST /api/v1/convert/url/pdf
   */
  convertUrlToPdf(options: ConvertUrlToPdfOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Convert PostScript or EPS to PDF.
   *
   * Ghostscript runs the PostScript, which cannot read or write files or start programs; the result is PDF 1.4. EPS
   * is cropped to its bounding box, also in its DOS form. A PDF is returned unchanged. PCL and XPS are refused.
   * PostScript that fails or exceeds its limits is refused with its error; `prepress` keeps more detail of images and
   * colours.
   *
   * POST /api/v1/convert/vector/pdf
   */
  convertVectorToPdf(file: Input, options?: ConvertVectorToPdfOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Count annotations by type.
   *
   * All annotations of all pages are counted, form widgets and pop-ups among them. Keys are names of the standard
   * (`Link`, `Text`, `Widget`, `Highlight`); annotations that do not say what they are count as `Unknown`.
   *
   * POST /api/v1/analysis/annotation-info
   */
  countAnnotations(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<CountAnnotationsAnswer>;
  /**
   * Count the pages of a PDF.
   *
   * Counts the pages in the page tree and ignores `/Count`. Only the page tree is read, which takes milliseconds for
   * any file size.
   *
   * POST /api/v1/analysis/page-count
   */
  countPages(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<CountPagesAnswer>;
  /**
   * Lay a structured document out as a PDF.
   *
   * There is no file part: `document` is JSON with `title`, `subtitle`, `referenceNumber`, `style` (`primaryColor`,
   * `backgroundColor`, `bodyTextColor` as `#RRGGBB`) and `sections`. A section can have `heading`, `body` (paragraphs
   * separated by empty lines), `pairs` (`[[key, value]]`), a table of `columns`, `rows` and `totalRow`, `items`,
   * `signatories` (names, or objects with `name`, `title`, `organisation`, `date`). Its `type` is free text; these
   * have a special layout: `numbered_list`, `checklist`, `note`, `quote`, `two_columns` (of text), `page_break`,
   * `divider`. No model is used; available while `aiEngine.enabled` is on. Tables repeat their header on every page;
   * documents with several pages get page numbers.
   *
   * POST /api/v1/ai/tools/create-pdf-from-html-agent
   */
  createPdfFromDocument(options: CreatePdfFromDocumentOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Crop all pages to a rectangle or to their content.
   *
   * The rectangle is in points in each page's own coordinates, before any rotation; it becomes the page's media box
   * and is not moved to 0, 0. `autoCrop` renders each page at 150 dpi and crops it to everything that is not white;
   * blank pages keep their size. With `removeDataOutsideCrop`, text, drawings, images, annotations and form fields
   * that are completely outside are removed from the file, and images that are partly outside lose the pixels there
   * (lossy images are recompressed); drawings that reach inside stay whole. Without it, only the boxes change.
   * Bookmarks, links, form fields, page labels and tags of the remaining content stay.
   *
   * POST /api/v1/general/crop
   */
  cropPages(file: Input, options?: CropPagesOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Decompress all streams of a PDF.
   *
   * Every stream is stored without a filter and object streams are not used, so that the file can be read as text.
   * JPEG, CCITT fax and JBIG2 images become raw samples in their own colour space, up to 384 MiB in total. JPEG 2000
   * images, broken streams and streams that cannot be decoded exactly stay as they are. A document that would grow
   * beyond 1 GiB is refused. `X-Tool-Report` holds `decoded` (streams stored without a filter) and `kept` (streams
   * left as they were).
   *
   * POST /api/v1/misc/decompress-pdf
   */
  decompressPdf(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
  /**
   * Delete an attachment from a PDF.
   *
   * Deletes the first attachment with that name: its bytes, its entry among the associated files, and the annotations
   * that show it.
   *
   * POST /api/v1/misc/delete-attachment
   */
  deleteAttachment(file: Input, options: DeleteAttachmentOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Remove form fields.
   *
   * `names` is JSON, as a field, a part of its own media type or a file: a list of names, or of objects with `name`,
   * `targetName` or `fieldName`; an object with such a list as `fields`; one such object; one text. Names are full
   * ones (`person.name`), else partial ones; that of a group (`person`) is that of all its fields.
   *
   * Fields are removed with all their widgets, tags, and entries in the calculation order and in action lists;
   * nothing of them stays in the file. Unknown names are skipped: `X-Tool-Report` counts what was `deleted` and
   * contains `deletedNames` and `unknown`. An XFA form is removed (`xfa: removed`).
   *
   * POST /api/v1/form/delete-fields
   */
  deleteFormFields(file: Input, options: DeleteFormFieldsOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Set the page labels of a PDF.
   *
   * Page labels are the numbers that viewers show for pages and accept to go to one; nothing is printed on the pages
   * (`misc/add-page-numbers` does that). `labels` lists ranges in the format that `general/extract-page-labels`
   * returns, in any order; a range ends where the next one begins. `style` is `decimal` (1, 2, 3) when absent, or
   * `romanLower` (i, ii, iii), `romanUpper` (I, II, III), `lettersLower` (a to z, then aa, bb), `lettersUpper` or
   * `none`, which shows the prefix alone. `prefix` is empty and `start` is 1 when absent. Pages before the first
   * range are numbered 1, 2, 3. All labels are replaced; `[]` removes them.
   *
   * POST /api/v1/general/edit-page-labels
   */
  editPageLabels(file: Input, options: EditPageLabelsOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Replace the bookmarks of a PDF.
   *
   * `bookmarkData` has the format that `general/extract-bookmarks` returns. Page numbers are limited to those of the
   * document; `[]` removes all bookmarks.
   *
   * POST /api/v1/general/edit-table-of-contents
   */
  editTableOfContents(file: Input, options: EditTableOfContentsOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Find and replace text.
   *
   * Text is matched exactly, including case, in the text of each page and its form XObjects: a match may span several
   * pieces of text, and a gap or a line end counts as a space. Edits run in order, each on the result of those
   * before; finding nothing is not an error. The new text uses the font of the text that it replaces if that has the
   * characters, otherwise an embedded font. The rest of the line moves along; other lines stay in place. The old text
   * is removed from the file. Text in annotations, form fields and images is not searched. `X-Tool-Report` holds
   * `replaced`.
   *
   * POST /api/v1/general/edit-text
   */
  editText(file: Input, options: EditTextOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Export form field names and values as CSV.
   *
   * UTF-8 without byte order mark, lines ended by a line feed, every value quoted, no value nothing at all. In the
   * order of `form/fields`; without a form, the headings alone. With `data`, which must be a file part, its values
   * are put in before, as `form/fill` would: names may be partial, texts are trimmed, null clears. The document stays
   * as it is. `X-Tool-Report` holds `fields`, and, of what was not put in, `unknown` and `refused` names (20 at
   * most); `xfa` is `hybrid` or `dynamic` for a document with an XFA form.
   *
   * POST /api/v1/form/extract-csv
   */
  exportFormToCsv(file: Input, options?: ExportFormToCsvOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Export form field names and values as a workbook.
   *
   * One sheet, `Form Fields`, with text cells only, so nothing is treated as a formula or a date. A cell holds at
   * most 32767 characters; `cut` in the report counts longer texts. In the order of `form/fields`; without a form,
   * the headings alone. With `data`, which must be a file part, its values are put in before, as `form/fill` would:
   * names may be partial, texts are trimmed, null clears. The document stays as it is. `X-Tool-Report` holds
   * `fields`, and, of what was not put in, `unknown` and `refused` names (20 at most); `xfa` is `hybrid` or `dynamic`
   * for a document with an XFA form.
   *
   * POST /api/v1/form/extract-xlsx
   */
  exportFormToXlsx(file: Input, options?: ExportFormToXlsxOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Extract the attachments of a PDF.
   *
   * Each file keeps its own name without folders. Names that clash get a number (`name_1.ext`); a file without a name
   * becomes `unknown_attachment_<milliseconds>`. Entries of the zip carry the attachment's modification date, or else
   * its creation date. Files over 50 MB, files beyond 200 MB in total, and files that cannot be unpacked are skipped;
   * `X-Tool-Report` holds `extracted`, `skipped` and `skippedNames`.
   *
   * POST /api/v1/misc/extract-attachments
   */
  extractAttachments(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
  /**
   * Get the bookmarks of a PDF as JSON.
   *
   * Named destinations and GoTo actions are resolved to page numbers, which count from 1; a bookmark without a target
   * page gets 1. `general/edit-table-of-contents` accepts the same format.
   *
   * POST /api/v1/general/extract-bookmarks
   */
  extractBookmarks(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<ExtractBookmarksAnswer>;
  /**
   * Extract typed fields into the report header.
   *
   * The PDF is returned unchanged. `X-Tool-Report` holds `values` by name, `evidence` by name (page, source,
   * confidence), `missing` required fields and `model`; `evidence`, then long values, are left out if the header is
   * too small for them (`cut`). `docparse/extract-fields/json` returns everything.
   *
   * Fields are found in form fields, labels with the text after, beside or below them, tables, by `pattern`, and by
   * typical values (IBAN with valid check digits, email addresses, invoice numbers and so on); common names are known
   * in English, German, French and Spanish. Every value has its page, quotation and, if it is at one position, its
   * box (left, top, right, bottom in points of the page as shown, from the upper left corner). Dates are ISO 8601,
   * amounts `{"amount", "currency"}` with ISO 4217.
   *
   * If a language model is set up, it is asked for fields that code is not sure of; its answer is accepted only if
   * its quotation is on that page. Without a model, or if it fails, everything else works (`modelFault`). Scanned
   * pages are read with OCR first unless `withOcr` is false; `ocrPages` says how many there were, `ocrFault` why it
   * failed.
   *
   * POST /api/v1/docparse/extract-fields
   */
  extractFields(file: Input, options: ExtractFieldsOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Extract typed fields of a PDF as JSON.
   *
   * Fields are found in form fields, labels with the text after, beside or below them, tables, by `pattern`, and by
   * typical values (IBAN with valid check digits, email addresses, invoice numbers and so on); common names are known
   * in English, German, French and Spanish. Every value has its page, quotation and, if it is at one position, its
   * box (left, top, right, bottom in points of the page as shown, from the upper left corner). Dates are ISO 8601,
   * amounts `{"amount", "currency"}` with ISO 4217.
   *
   * If a language model is set up, it is asked for fields that code is not sure of; its answer is accepted only if
   * its quotation is on that page. Without a model, or if it fails, everything else works (`modelFault`). Scanned
   * pages are read with OCR first unless `withOcr` is false; `ocrPages` says how many there were, `ocrFault` why it
   * failed.
   *
   * POST /api/v1/docparse/extract-fields/json
   */
  extractFieldsAsJson(
    file: Input,
    options: ExtractFieldsAsJsonOptions,
    call?: CallOptions,
  ): Promise<ExtractFieldsAsJsonAnswer>;
  /**
   * Crop photos out of scans.
   *
   * A photo is a connected area that differs from the background by more than `tolerance` in a colour channel. If it
   * is skewed by at least `angleThreshold` degrees, it is cut out along its smallest enclosing rectangle and
   * straightened; otherwise along its upright bounding box. PDF pages are rendered at the setting system.maxDPI, as
   * far as the pixel limits allow; a TIFF may have several frames. Photos are numbered across all pages, in reading
   * order. A single photo is returned as a PNG, several as a zip.
   *
   * POST /api/v1/misc/extract-image-scans
   */
  extractImageScans(file: Input, options?: ExtractImageScansOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Extract the images of a PDF.
   *
   * Each image is extracted once, at its own size and in sRGB, and named after the first page that uses it:
   * `<base>_page_<page>_<number>`. On each page, images of the page's own resources come first, then those inside
   * form XObjects, then inline images. PNG keeps transparency; JPEG and GIF show it as white. Image masks become
   * black on white. A document without images returns an empty zip. `X-Tool-Report` holds `images` and `unreadable`,
   * the number of images that could not be decoded and were skipped.
   *
   * POST /api/v1/misc/extract-images
   */
  extractImages(file: Input, options?: ExtractImagesOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Get the page labels of a PDF as JSON.
   *
   * Page labels are the numbers that viewers show for pages, such as iv or A-3. A range ends where the next one
   * begins: its first page has the number `start`, and each label is `prefix` followed by the number in `style`. A
   * document without page labels, whose pages viewers number 1, 2, 3, returns an empty list.
   * `general/edit-page-labels` accepts the same format.
   *
   * POST /api/v1/general/extract-page-labels
   */
  extractPageLabels(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<ExtractPageLabelsAnswer>;
  /**
   * Extract tables as CSV or JSON.
   *
   * Tables with and without lines on the selected pages (default: all). A table across page breaks is one table, on
   * the page where it starts; repeated header rows are left out.
   *
   * `csv`: commas, CR LF, every field quoted, UTF-8; a merged cell has its text in its first position, lines of a
   * cell are separated by line feeds. One table gives a CSV file, several give a zip, none gives 204. Text is written
   * as printed, even if it starts with `=`, `+`, `-` or `@`: import it into a spreadsheet as text.
   *
   * `json`: `tables`, each with `page`, `pageEnd`, `number` on its page, `bbox` (left, top, right, bottom in points
   * of the page as shown, from the upper left corner), `ruled`, `columns`, `headerRows`, `rows` of texts, and `cells`
   * with row, column, rowSpan, colSpan, header and text. No table gives an empty list.
   *
   * On scanned pages, read with `withOcr`, tables are found by the positions of words.
   *
   * POST /api/v1/docparse/extract-tables
   */
  extractTables(file: Input, options?: ExtractTablesOptions, call?: CallOptions): Promise<FileResult | undefined>;
  /**
   * Fill in form fields.
   *
   * `data` is JSON, as a field, a part of its own media type or a file: an object of field names and values; the
   * answer of `form/fields` (its `template` counts); an object with `fields`, or a list, of objects with `name` and
   * `value`. Names are full ones (`person.name`), else partial ones (`name`). Texts are trimmed.
   *
   * Texts: a value that is longer than the field allows is refused, null clears. Check boxes: true, 1, yes, on,
   * checked or the name of the state checks, anything else unchecks. Radio buttons: an export value; null and blank
   * keep the selection. Choices: stored or shown values in any case, several as a list or separated by commas;
   * unknown options are dropped, except in editable combo boxes; an empty rest clears. Push buttons and signatures
   * are skipped. Read-only fields are filled in as well.
   *
   * Changed fields are redrawn, in every script that the built-in fonts support, and nothing is left to viewers. No
   * script runs: `X-Tool-Report` names fields that scripts would have calculated (`notCalculated`) or formatted
   * (`notFormatted`), and `unknown` names, `ignored` buttons and `dropped` values. An XFA form is removed (`xfa:
   * removed`), because XFA viewers would show the old values; a form that has only XFA is refused.
   *
   * A signed document keeps its signatures: the changes are appended, and what a signature locks is refused. With
   * `flatten`, the filled fields become page content and the form goes.
   *
   * POST /api/v1/form/fill
   */
  fillForm(file: Input, options?: FillFormOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Fill a document template with data.
   *
   * The template is a DOCX, PPTX, ODT or ODP, sent as `templateFile`, or as `fileInput`, so that pipelines may go on
   * with what comes out.
   *
   * - `{{customer.name}}` is replaced by that member of `data`, in the look of the text around it; line feeds and
   * tabs are kept.
   * - `{{#items}} … {{/items}}` comes once for each item of a list. Where it begins and ends in cells of one table
   * row, the row is repeated; where in different rows, these rows; else paragraphs, tables and what else stands
   * between, or the text within one paragraph. Rows and paragraphs with nothing but such a mark are left out. Of a
   * value that is not a list it comes once, and not at all of `false`, `null`, 0, an empty text or list.
   * - `{{^items}} … {{/items}}` comes where the other would not.
   * - Names are looked up in the item, then around it. `{{.}}` is the item, `{{@number}}` its number from 1,
   * `{{@index}}` from 0, `{{@first}}`, `{{@last}}` and `{{@count}}`.
   * - `{{%logo}}` is a picture (PNG, JPEG, GIF) as base64 or data URI; `{{logo}}` is one where the value is
   * `{"image": "…", "width": 120, "height": 40, "alt": "…"}`, lengths in points. Not on slides.
   *
   * Headers, footers, foot- and endnotes, text boxes and the notes of slides are filled too. Nothing is evaluated.
   * Templates with macros, or with parts that lie elsewhere, are refused; links to click stay.
   *
   * POST /api/v1/docparse/fill-template
   */
  fillTemplate(file: Input, options: FillTemplateOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Keep a PDF that contains an image.
   *
   * Image objects among a page's resources count, also inside forms, drawn or not. Inline images and images of
   * annotations do not.
   *
   * POST /api/v1/filter/filter-contains-image
   */
  filterContainsImage(
    file: Input,
    options?: FilterContainsImageOptions,
    call?: CallOptions,
  ): Promise<FileResult | undefined>;
  /**
   * Keep a PDF that contains a text.
   *
   * Searches page by page, case-sensitive; a phrase across a line break does not match. Without `text`, any text
   * keeps the file. Pages that do not exist match nothing.
   *
   * POST /api/v1/filter/filter-contains-text
   */
  filterContainsText(
    file: Input,
    options?: FilterContainsTextOptions,
    call?: CallOptions,
  ): Promise<FileResult | undefined>;
  /**
   * Keep a file by its size in bytes.
   *
   * The file is not opened, so any file type is accepted, even damaged or locked files.
   *
   * POST /api/v1/filter/filter-file-size
   */
  filterFileSize(file: Input, options: FilterFileSizeOptions, call?: CallOptions): Promise<FileResult | undefined>;
  /**
   * Keep a PDF by its page count.
   *
   * The document's own count is compared with the given one: 5 pages, `pageCount=3`, `Greater` keeps the file. A file
   * that is not kept answers 204 and leaves a pipeline.
   *
   * POST /api/v1/filter/filter-page-count
   */
  filterPageCount(file: Input, options: FilterPageCountOptions, call?: CallOptions): Promise<FileResult | undefined>;
  /**
   * Keep a PDF by the rotation of its first page.
   *
   * The page's rotation is 0, 90, 180 or 270 degrees clockwise; the given value is compared as it is, so 450 equals
   * none.
   *
   * POST /api/v1/filter/filter-page-rotation
   */
  filterPageRotation(
    file: Input,
    options: FilterPageRotationOptions,
    call?: CallOptions,
  ): Promise<FileResult | undefined>;
  /**
   * Keep a PDF by the size of its first page.
   *
   * Areas are compared (width times height of the media box), so portrait and landscape are alike. Areas within 0.4
   * percent of the standard are equal to it.
   *
   * POST /api/v1/filter/filter-page-size
   */
  filterPageSize(file: Input, options: FilterPageSizeOptions, call?: CallOptions): Promise<FileResult | undefined>;
  /**
   * Flatten forms, or convert pages to images.
   *
   * With `flattenOnlyForms`, the visible content of the fields becomes page content and the form is removed, XFA
   * included. Text stays text, and other annotations stay. Fields that are hidden or only for printing leave nothing
   * behind. Fields without an appearance are drawn from their values. A document without a form is returned
   * rewritten.
   *
   * Without it, each page becomes one RGB image of what it shows, in the same place and size. Text, form fields,
   * tags, layers and scripts are removed; bookmarks, links, page labels, attachments and metadata stay. Without
   * `renderDpi`, pages are rendered at the highest resolution that the server allows, or lower where the document
   * would get too large.
   *
   * POST /api/v1/misc/flatten
   */
  flattenPdf(file: Input, options?: FlattenPdfOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Report page count, version and size of a PDF.
   *
   * `pdfVersion` is a number: the version in the file header, or in the catalog if that is later. `fileSize` is the
   * size of the upload in bytes.
   *
   * POST /api/v1/analysis/basic-info
   */
  getBasicInfo(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<GetBasicInfoAnswer>;
  /**
   * Report title, author and dates of a PDF.
   *
   * The entries are those of the information dictionary; custom entries and XMP are not read (see
   * `security/get-info-on-pdf`). All eight members are always present, null if missing. Dates are ISO 8601 with the
   * zone in the file, `Z` without one.
   *
   * POST /api/v1/analysis/document-properties
   */
  getDocumentProperties(
    file: Input,
    options?: Record<never, never>,
    call?: CallOptions,
  ): Promise<GetDocumentPropertiesAnswer>;
  /**
   * Report whether a PDF has a form, and its size.
   *
   * Only top-level fields are counted; a group counts once. `isSignaturesExist` is the flag of the form; signatures
   * are not searched. Without a form: 0, false, false.
   *
   * POST /api/v1/analysis/form-fields
   */
  getFormInfo(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<GetFormInfoAnswer>;
  /**
   * Report the size of every page.
   *
   * The size of the crop box within the media box, in page units: rotation and `UserUnit` are not applied. Numbers
   * have single precision.
   *
   * POST /api/v1/analysis/page-dimensions
   */
  getPageDimensions(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<GetPageDimensionsAnswer>;
  /**
   * Get detailed information about a PDF.
   *
   * The file is not changed. The result has the members `Metadata`, `BasicInfo`, `DocumentInfo`, `Compliancy`,
   * `Encryption`, `Permissions`, `FormFields`, `Other`, `PerPageInfo` (by `Page 1`, `Page 2` …) and `SummaryData`.
   *
   * Fonts, images and XObjects of a page are those of its resources and of the forms and patterns in them, each
   * listed once, whether they are drawn or not; inline images are not included. Words, lines (`ParagraphCount`) and
   * characters are those of the page content, without annotations. `Content` in the structure tree is the text of an
   * element's own marked content. Sizes take `UserUnit` into account; boxes do not.
   *
   * A document that declares PDF/A, PDF/UA or WTPDF in its XMP metadata is checked by veraPDF; without veraPDF those
   * keys of `Compliancy` are absent. A section that cannot be read is empty; the other sections are complete.
   * `X-Tool-Report` lists such sections: `unread`, and `cut` for a structure tree that is returned only in part;
   * `unchecked` gives the reason why standards were not checked.
   *
   * POST /api/v1/security/get-info-on-pdf
   */
  getPdfInfo(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
  /**
   * Report encryption and permissions of a PDF.
   *
   * Flags are true for what is forbidden. Without encryption `isEncrypted` is the only member. A document that needs
   * a password is refused.
   *
   * POST /api/v1/analysis/security-info
   */
  getSecurityInfo(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<GetSecurityInfoAnswer>;
  /**
   * Chunk, index and export the text of a PDF.
   *
   * The answer is a zip with the document under its own name (`includeOriginal`), `<base>.md` (`exportMarkdown`) and
   * `<base>.chunks.jsonl` (`exportChunksJsonl`: one chunk a line, `{documentId, index, text, pageStart, pageEnd,
   * headingPath}`). `X-Tool-Report` contains `documentId`, `chunksIndexed`, `pages`, `sourcePages`, `truncated` and
   * `indexed`. In pipelines and jobs these are single files.
   *
   * Chunks are made as by docparse/chunk-document. `index` keeps them in the index of the caller on this server, in
   * place of what was there under the same `documentId`; POST docparse/search finds them again. It needs no language
   * model; where an embedding model is set up, it is sent the chunks, so that they are found by what they mean as
   * well. While login is off there is one index for everybody.
   *
   * The settings `aiEngine.limits.maxPages` and `maxCharacters` cut long documents at a page; then `truncated` is
   * true. A document without text is refused with 422: send `withOcr`, or recognise it first.
   *
   * POST /api/v1/docparse/ingest
   */
  ingestDocument(file: Input, options?: IngestDocumentOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Put several pages on each sheet (N-up).
   *
   * Sheets are A4. Each page is scaled evenly to fit its cell and centred, upright as the reader sees it. Links,
   * bookmarks, form fields, comments, tags, layers and attachments stay, moved and scaled with their pages; page
   * labels are removed, because a sheet shows several of the pages that they number.
   *
   * POST /api/v1/general/multi-page-layout
   */
  layOutPages(file: Input, options?: LayOutPagesOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * List the attachments of a PDF.
   *
   * Lists the attachments of the document, however deeply the name tree is nested. Files in file attachment
   * annotations are not included. `size` is the size that the document declares, or -1 if it declares none; dates are
   * ISO 8601. Unknown values are null.
   *
   * POST /api/v1/misc/list-attachments
   */
  listAttachments(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<ListAttachmentsAnswer>;
  /**
   * List the comments of a PDF.
   *
   * Lists sticky notes, highlights, drawings, stamps and other comments of readers (markup annotations) in the order
   * of the pages; links, form fields and pop-ups are not included. `pageIndex` counts from 0, and the rectangle is in
   * points from the lower left corner, as in `misc/add-comments`. `replyTo` is the index in the list of the comment
   * that this one answers. Dates are ISO 8601; unknown values are null. At most 10,000 comments are returned;
   * `X-Tool-Report` has `cut` if there are more.
   *
   * POST /api/v1/misc/list-comments
   */
  listComments(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<ListCommentsAnswer>;
  /**
   * List the font resource names of a PDF.
   *
   * Names are resource names (`F1`, `TT0`), not font families; the same name on two pages counts once. Inherited
   * resources count; those of forms and annotations do not.
   *
   * POST /api/v1/analysis/font-info
   */
  listFonts(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<ListFontsAnswer>;
  /**
   * List form fields and a template for filling.
   *
   * By page, then in the order of the form. Fields without a name or a type are left out; `X-Tool-Report` says how
   * many (`leftOut`), and `xfa` when the document has an XFA form: `hybrid` beside these fields, `dynamic` instead of
   * them. A document without a form answers an empty list. `template` goes into `form/fill` as it is.
   *
   * POST /api/v1/form/fields
   */
  listFormFields(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<ListFormFieldsAnswer>;
  /**
   * List form fields with their boxes on the pages.
   *
   * By page, from top to bottom (tops within 10 points are one line), from left to right; fields that no page shows
   * come last. Lengths are units of the page, points unless it says otherwise (`UserUnit`), from the upper left
   * corner of the crop box, as the page is before `Rotate` turns it. Widgets that begin outside of the crop box are
   * left out. A document without a form answers an empty list. `X-Tool-Report`: `leftOut` counts fields without a
   * name or a type; `xfa` is `hybrid` or `dynamic` for a document with an XFA form.
   *
   * POST /api/v1/form/fields-with-coordinates
   */
  locateFormFields(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<LocateFormFieldsAnswer>;
  /**
   * Arrange pages for printing as a booklet.
   *
   * Produces sheets for a saddle-stitched booklet: print them, fold them together in the middle, and the pages are in
   * order. A sheet has the size of the first page's crop box, in landscape. Blank pages are added at the end until
   * the page count is a multiple of four. The gutter is free space at the spine, half of it on each side. Links,
   * bookmarks, form fields, comments, tags, layers and attachments stay, moved and scaled with their pages; page
   * labels are removed. A result with one pass only contains nothing of the pages in the other pass.
   *
   * POST /api/v1/general/booklet-imposition
   */
  makeBooklet(file: Input, options?: MakeBookletOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Merge several PDFs into one.
   *
   * Bookmarks, links, named destinations, form fields, page labels, layers, tags and attachments of all inputs are
   * kept. If two inputs use the same name, the later one gets a number: `name_2`.
   *
   * POST /api/v1/general/merge-pdfs
   */
  mergePdfs(files: Input | readonly Input[], options?: MergePdfsOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Change properties of form fields.
   *
   * `updates` is a JSON list, as a field, a part of its own media type or a file, of objects with `targetName` (a
   * full name, else a partial one, as the document has it) and what is to change: `name` (a partial one; where
   * another field has it, `_1`, `_2` follows), `label`, `tooltip` (blank takes them away), `required`, `multiSelect`
   * (of list boxes), `options` (of choices), `defaultValue` (the value that the field has from now on, blank clears
   * it) and `type`. What is missing or null stays.
   *
   * Another `type` (`text`, `checkbox`, `combobox`, `listbox`; `radio`, `button` and `signature` become `text`) makes
   * a new field in the place of the first widget, with its frame, tags, label and, where it can be held, value.
   * Unknown targets, fields that no page shows and unknown types are passed over: `X-Tool-Report` holds `unknown` and
   * `skipped`, and `renamed` for names that got a number.
   *
   * Changed fields are redrawn; field names in actions, scripts and locks follow. An XFA form is removed (`xfa:
   * removed`). A document without a form is returned unchanged.
   *
   * POST /api/v1/form/modify-fields
   */
  modifyFormFields(file: Input, options: ModifyFormFieldsOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Make scanned pages searchable (OCR).
   *
   * Recognises the text of scanned pages and places it invisibly over the words, so that it can be searched and
   * copied. Uses Tesseract if the server has it, otherwise an engine from npm; several pages are recognised in
   * parallel.
   *
   * `skip-text` (also the meaning of `Normal` and of no value): pages with text are left alone; the others keep
   * everything they show and get a text layer. `force-ocr`: all pages are recognised. If the text of a page is
   * invisible, for example from earlier OCR, it is replaced by a new layer; a page with visible text becomes an image
   * with a text layer. Links, form fields, annotations, bookmarks, page labels and attachments always stay; tags stay
   * where the page content does.
   *
   * `hocr` stretches each word over its place along the baseline; `sandwich` uses the text layer that the OCR engine
   * writes. Both are invisible.
   *
   * `deskew` straightens pages that are skewed by 0.1 to 7 degrees, without changing their images. `clean` whitens
   * the paper and removes specks for recognition only; `cleanFinal` also shows the cleaned pages in the result, as
   * images. `removeImagesAfter` removes all images, so that a scan looks blank and only its text remains.
   *
   * A text layer adds a few kilobytes per page. If pages become images, the result has at most one and a half times
   * the size of the document plus 100 KB per page: black and white pages are encoded as CCITT fax, others as JPEG
   * with the best quality that fits.
   *
   * Languages that are not installed are skipped and reported (`dropped` in `X-Tool-Report`, next to `languages`,
   * `engine`, `read`, `withText` and `words`); if none is left, the call fails with 400. With `sidecar` the result is
   * a zip with the document and its text, with a form feed between pages; pages that were left alone contribute the
   * text they already had.
   *
   * POST /api/v1/misc/ocr-pdf
   */
  ocrPdf(file: Input, options: OcrPdfOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Overlay other PDFs on a PDF, or put them under it.
   *
   * Overlay pages are centred on the base page as the reader sees it (rotated and cropped), upright and unscaled.
   * `SequentialOverlay` gives base page k the k-th page of all overlay files one after another, starting over at the
   * end; `InterleavedOverlay` gives it the first page of each file in turn; `FixedRepeatOverlay` puts the first page
   * of file i on counts[i] times as many base pages as file i has pages, and leaves the rest as they are. Everything
   * in the base document stays: bookmarks, links, form fields, tags. Layers of the overlays are kept; their
   * annotations and form fields are not. A PDF/A or PDF/X declaration stays only if all overlays have the same one.
   *
   * POST /api/v1/general/overlay-pdfs
   */
  overlayPdfs(file: Input, options: OverlayPdfsOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Parse layout blocks, tables and Markdown.
   *
   * `json`: `blocks` in reading order, each with `id`, `type` (heading, paragraph, list, table, figure, caption,
   * header, footer, footnote, code, other), `page`, `pageEnd` where it goes on over page breaks, `bbox` and `text`;
   * headings have `level`, lists `ordered` and `items` with `level` and `marker`, tables `columns`, `headerRows`,
   * `rows` of texts and `cells` with their spans, figures `alt` and `image`, footnotes `mark`, text from the right
   * `direction`. Then `pages` with their sizes and columns, and the whole as `markdown`.
   *
   * `bbox` is left, top, right and bottom in points (1/72 inch) of the page as it is shown, from its upper left
   * corner, on the page where the block begins.
   *
   * Columns are read one after another; headings come from tags, bookmarks, size and weight; running headers, footers
   * and page numbers are header and footer blocks; tables are found with and without lines. `markdown` returns the
   * Markdown alone.
   *
   * Scanned pages have no text unless `withOcr` is sent; `X-Tool-Report` says what was recognised. No language model
   * is used.
   *
   * POST /api/v1/docparse/parse-document
   */
  parseDocument(file: Input, options?: ParseDocumentOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * List the matches that redaction would remove.
   *
   * Searches exactly as redact-execute does, with both of its readers on every page, and changes nothing. Send the
   * `id` of matches that must stay to redact-execute as `keep`, with the same file, `terms` and `presets`.
   *
   * Matches that overlap are one match with several `terms`. `letters` and `boxes` are corners of quadrilaterals (x0,
   * y0, … x3, y3), one for each line of the match, in points of the own coordinates of the page. `elsewhere` counts
   * what redaction of these terms would remove or change outside of the content of pages, where no match can be kept:
   * annotations, form fields, strings such as titles and bookmarks, attachments. If anything is redacted on a page,
   * author, subject, keywords and XMP are removed in any case.
   *
   * POST /api/v1/security/redact-preview
   */
  previewRedaction(file: Input, options?: PreviewRedactionOptions, call?: CallOptions): Promise<PreviewRedactionAnswer>;
  /**
   * Index a PDF, by the older address of ingest.
   *
   * The same as docparse/ingest, but a single file is answered as it is and not in a zip: without exports, the
   * document itself, unchanged.
   *
   * POST /api/v1/docparse/rag-ingest
   */
  ragIngest(file: Input, options?: RagIngestOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Report the Purview sensitivity labels of a PDF.
   *
   * The file is answered as it came. `X-Tool-Report` holds `labelled`, and of a label of the tenant of the connection
   * `labelId`, `labelName`, `method`, `setDate`, `contentBits` and `protected`; `otherTenantLabels` lists those of
   * others.
   *
   * POST /api/v1/integration/purview-read-label
   */
  readPurviewLabel(file: Input, options: ReadPurviewLabelOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Reorder, remove or duplicate pages.
   *
   * CUSTOM puts exactly the listed pages in the listed order; pages that are not listed are removed together with
   * everything that only they used. DUPLEX_SORT gives 1, n, 2, n-1 and so on; with an odd page count the middle page
   * is last, while BOOKLET_SORT leaves it out. SIDE_STITCH_BOOKLET_SORT orders each four pages as 4, 1, 2, 3 and
   * fills up with the last page. DUPLICATE repeats every page `pageNumbers` times (2 if that is not a number). A copy
   * of a page has the same content and its own annotations; a form field on it remains one field with one value.
   *
   * POST /api/v1/general/rearrange-pages
   */
  rearrangePages(file: Input, options?: RearrangePagesOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Redact areas or whole pages.
   *
   * Text, annotations, and parts of images and drawings under an area are removed from the file; a box is drawn in
   * their place. A letter is removed if the area touches it. Two engines then read the result again; if text is left
   * in an area, the call fails with 422 and returns no file. Areas are in points from the top left corner of the crop
   * box, in the page's stored orientation: page rotation and UserUnit are ignored. Areas are limited to the page;
   * areas without a size and areas on pages that do not exist are ignored.
   *
   * POST /api/v1/security/redact
   */
  redactAreas(file: Input, options?: RedactAreasOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Redact text, ranges, images and pages in one call.
   *
   * At least one target is required. Text is redacted as in auto-redact, areas as in redact, and the result is
   * checked before it is returned (422). A list field that is sent once may contain commas: the whole value and each
   * of its parts are searched for, in `regexPatterns` only if every part is a valid pattern. A range goes from its
   * start phrase to the next end phrase in reading order, column by column; ranges whose phrases are not found are
   * skipped and counted in `X-Tool-Report` (`rangesSkipped`). The strategy OVERLAY_ONLY removes text just as AUTO
   * does: text never remains under a box. Matches named in `keep` stay (`keptMatches` in the report): of their terms,
   * every other match on pages is removed where it stands, and outside of the content of pages (bookmarks,
   * properties, annotations, form fields, attachments) every one; the result is checked for them only at these
   * places.
   *
   * POST /api/v1/security/redact-execute
   */
  redactPdf(file: Input, options?: RedactPdfOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Remove blank pages.
   *
   * A page with text is not blank; a page that draws nothing is blank. Every other page is rendered at the setting
   * system.maxDPI, as far as the pixel limits allow, and its white pixels are counted. The zip holds
   * `<base>_nonBlankPages.pdf`, and also `<base>_blankPages.pdf` if there are blank pages; if all pages are blank, it
   * holds only `<base>_allBlankPages.pdf`.
   *
   * POST /api/v1/misc/remove-blanks
   */
  removeBlanks(file: Input, options?: RemoveBlanksOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Remove all images from the pages.
   *
   * Images and image masks are removed together with the operators that draw them, also inside form XObjects and
   * inline in the content, and so are page thumbnails; nothing of them remains in the file. Images in annotations and
   * patterns stay. A PDF without images is returned rewritten. `X-Tool-Report` holds `removed`.
   *
   * POST /api/v1/general/remove-image-pdf
   */
  removeImages(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
  /**
   * Delete pages.
   *
   * Everything that only the removed pages used is removed with them: content, links and bookmarks to them, and form
   * fields without another widget.
   *
   * POST /api/v1/general/remove-pages
   */
  removePages(file: Input, options: RemovePagesOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Remove the password from a PDF.
   *
   * Accepts the user password or the owner password, exactly as it is, spaces included; an empty password opens
   * documents that need none. All restrictions are removed together with the encryption. A document that is not
   * encrypted is rewritten. Encryption for certificates, which has no password, cannot be removed.
   *
   * POST /api/v1/security/remove-password
   */
  removePassword(file: Input, options?: RemovePasswordOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Remove digital signatures.
   *
   * Signature fields go and what a visible one shows stays on the page. A PDF without signatures is answered too.
   *
   * POST /api/v1/security/remove-cert-sign
   */
  removeSignatures(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
  /**
   * Rename an attachment of a PDF.
   *
   * The first attachment with that name is renamed everywhere in the document. A new name that another attachment
   * already has is refused, because that attachment would be lost.
   *
   * POST /api/v1/misc/rename-attachment
   */
  renameAttachment(file: Input, options: RenameAttachmentOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Repair a damaged PDF.
   *
   * Several engines are tried in order until a result opens with all its pages, bookmarks, form fields and
   * attachments and passes a structure check: first Quire's own parser, then PDFium, then libpdf, and finally those
   * of qpdf, mutool and Ghostscript that are installed on the server (none of them is required). Each engine has a
   * time limit (`limits.repairRungSeconds`). A valid PDF is returned rewritten; encryption without a password is
   * kept.
   *
   * `X-Tool-Report` holds `engine`, the engine that produced the result (`quire`, `pdfium`, `libpdf`, `qpdf`,
   * `mutool`, `ghostscript`); `warnings`, what was wrong with the file, if known; and `passedOver`, the engines tried
   * before and why their results were rejected. If none succeeds, the detail of `REPAIR_FAILED` gives the reason of
   * each engine.
   *
   * POST /api/v1/misc/repair
   */
  repairPdf(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
  /**
   * Invert or replace colours, or convert to CMYK.
   *
   * `HIGH_CONTRAST_COLOR` and `CUSTOM_COLOR` show all text in one colour on a background of another; text stays text.
   * Painted areas on which the text would be unreadable take the background colour, and lines that would become
   * invisible take the text colour (contrast below 3:1). Images stay as they are.
   *
   * `FULL_INVERSION` gives every page the complement of its colours. Pages are not converted to images, so text can
   * still be selected and nothing loses resolution.
   *
   * `COLOR_SPACE_CONVERSION` converts pages, form fields and notes to DeviceCMYK with Ghostscript, and returns 503 if
   * that is not installed. Bookmarks, links, forms, page labels, attachments and metadata stay; tags and layers do
   * not.
   *
   * POST /api/v1/misc/replace-invert-pdf
   */
  replaceColors(file: Input, options?: ReplaceColorsOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Rotate all pages.
   *
   * The angle is added to the current rotation of each page. Any multiple of 90 is accepted, including negative
   * values and values above 360.
   *
   * POST /api/v1/general/rotate-pdf
   */
  rotatePdf(file: Input, options?: RotatePdfOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Remove scripts, files, metadata, links or fonts.
   *
   * Each type of content is removed wherever it occurs: name trees, the document, pages, bookmarks, annotations, form
   * fields at any depth, and chained actions.
   *
   * - `removeJavaScript`: scripts, including those of renditions, 3D artwork and XFA forms, and launch actions, which
   * start programs, and texts where only numbers belong, such as a font matrix, from which viewers have run scripts.
   * An XFA form whose scripts cannot be separated is removed as a whole.
   * - `removeEmbeddedFiles`: attached and associated files, portfolios, sounds, movies, 3D artwork and rich media
   * with their annotations, and actions that open or play them.
   * - `removeXMPMetadata`: XMP metadata of the document, its parts and its JPEG images, and with it the standards
   * that it declares.
   * - `removeMetadata`: the document information, private data of programs, and metadata in JPEG images (Exif, IPTC);
   * the file gets a new identifier.
   * - `removeLinks`: everything that leads or sends data outside the document: web addresses, other files, programs,
   * forms that are submitted or filled from elsewhere, and any script on a link. The link areas stay, and so do links
   * within the document.
   * - `removeFonts`: embedded font programs. Text stays and can be searched, and is shown in the viewer's own fonts;
   * declarations of PDF/A and the like are removed. Type 3 fonts are drawings and stay.
   *
   * Passwords, permissions and the producer stay as they were. If all flags are false, the file is rewritten without
   * earlier revisions. `X-Tool-Report` says how many items of each type were removed.
   *
   * POST /api/v1/security/sanitize-pdf
   */
  sanitizePdf(file: Input, options?: SanitizePdfOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Scale pages to a paper size.
   *
   * Each page is used as the reader sees it: cropped, rotated upright, and in points whatever its unit. It is scaled
   * to fit the paper, times `scaleFactor`, and centred; the results have neither a rotation nor a crop box. With a
   * factor above 1, everything outside the paper is cut off. Content that a crop box hid stays hidden. `KEEP` is the
   * size of the first page as the reader sees it. Links, form fields, comments, bookmarks, page labels and tags stay,
   * moved with the pages.
   *
   * POST /api/v1/general/scale-pages
   */
  scalePages(file: Input, options: ScalePagesOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Send a file by email.
   *
   * Returns once the mail server has accepted the message for every recipient. If it refuses the message, its own
   * words are returned (502 `MAIL_REFUSED`); if mail is not set up (`mail.*`), the call fails with 503. The file is
   * attached unchanged, under its own name, up to 25 MB (the setting `operations` can raise that).
   *
   * POST /api/v1/general/send-email
   */
  sendEmail(file: Input, options: SendEmailOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Extract the JavaScript of a PDF.
   *
   * Returns the scripts of the document's name tree first, in the order in which they run, then the scripts of
   * actions, each named after its trigger: opening, closing, saving and printing the document, its pages, form
   * fields, annotations and bookmarks. A comment line with the names of the file and the script precedes each script.
   * If there are no scripts, the result says so in one sentence.
   *
   * POST /api/v1/misc/show-javascript
   */
  showJavascript(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
  /**
   * Sign a PDF with a certificate.
   *
   * Creates a PAdES baseline signature (ETSI EN 319 142-1; SubFilter `ETSI.CAdES.detached`) with SHA-2 and the whole
   * certificate chain, and verifies it in the written file. It is appended, so existing signatures stay valid; a
   * signature that a certified document does not allow is refused with 409.
   *
   * `signatureLevel` B-T adds a time stamp to the signature, B-LT also certificates and revocation data (the
   * certificates name where they are had, so `security.validation.allowAIA` must be on), B-LTA a time stamp over all
   * of it.
   *
   * The certificate must be valid now. RSA keys below 2048 bits are refused, certificates whose issuer signed with
   * SHA-1 are not: `concerns` in `X-Tool-Report` says what verifiers may object to.
   *
   * The visible signature lies at the lower left corner of the page as it is seen: signer, time and reason, in any
   * script, smaller on pages of less than 200 x 50 points.
   *
   * Keystores, keys and passwords are not kept: those of a job are in the store, the password encrypted, until the
   * job has finished.
   *
   * POST /api/v1/security/cert-sign
   */
  signPdf(file: Input, options: SignPdfOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Split a PDF by a rule in words.
   *
   * Understood without a language model, in English, German, French and Spanish:
   *
   * - page ranges: `1-3, 4-6, 7-`
   * - `every 5 pages`, `each page`, `into 3 parts`
   * - `at each chapter`, `by bookmarks`, `at each heading`
   * - `at blank pages`, which are left out
   * - `where the text matches /Invoice\s+\d+/`, `at "Invoice"`: such a page begins a part; `after "End of letter"`:
   * it ends one
   * - `per invoice number`, and order, customer and VAT numbers, names, dates: a part goes on as long as the value
   * stays the same
   *
   * Pages before the first part are a part of their own. Any other rule is asked of the language model, whose page
   * ranges are checked; 503 where none is set up. Parts keep bookmarks, links, fields, tags and page labels of their
   * pages. 422 where the rule finds nothing, or more than `maxParts`.
   *
   * POST /api/v1/docparse/smart-split
   */
  smartSplit(file: Input, options: SmartSplitOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Split a PDF at QR code divider pages.
   *
   * A divider is a page with a QR code that contains exactly one of the texts on the printed divider sheets. The code
   * may be rotated, light on dark, small or noisy. Dividers are removed, even on the first page, and so are parts
   * without pages. If there is no divider, the result is a single part with all pages. Bookmarks, links and form
   * fields stay with their pages.
   *
   * POST /api/v1/misc/auto-split-pdf
   */
  splitAtDividers(file: Input, options?: SplitAtDividersOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Split a PDF by file size, page count or part count.
   *
   * By size, parts are as large as possible without exceeding it, measured on the written files; a single page that
   * is larger becomes its own part. By number of parts, their page counts differ by at most one, and there are never
   * more parts than pages.
   *
   * POST /api/v1/general/split-by-size-or-count
   */
  splitBySizeOrCount(file: Input, options?: SplitBySizeOrCountOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Split pages onto several sheets for a poster.
   *
   * Each page, as the reader sees it, is divided into `xFactor` by `yFactor` cells; each sheet shows one cell as
   * large as it fits, centred, plus whatever next to it fits on the paper. Sheets are always upright. The content is
   * stored once, however many sheets show it. Comments, links and form fields go to the sheet that shows their
   * centre, bookmarks and link targets to the one that shows their point; tags, layers and attachments stay, page
   * labels are removed.
   *
   * POST /api/v1/general/split-for-poster-print
   */
  splitForPosterPrint(file: Input, options?: SplitForPosterPrintOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Split a PDF after given pages.
   *
   * Each selected page is the last page of a part; the last page of the document always ends one. A part contains
   * nothing of any other page: no text, image, bookmark, link or form field. Attachments of the document are not
   * included in the parts.
   *
   * POST /api/v1/general/split-pages
   */
  splitPages(file: Input, options?: SplitPagesOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Split a PDF at its bookmarks.
   *
   * A part runs from its bookmark to the page before the next one; pages before the first bookmark are in no part.
   * Parts are named after their number from 0, padded with zeros, and their title. Bookmarks that start on the same
   * page as the next one are merged with it, titles included, unless `allowDuplicates` keeps them as separate parts
   * of that one page. A part contains nothing of any other page.
   *
   * POST /api/v1/general/split-pdf-by-chapters
   */
  splitPdfByChapters(file: Input, options?: SplitPdfByChaptersOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Split each page into a grid of sections.
   *
   * There are `horizontalDivisions` + 1 columns and `verticalDivisions` + 1 rows; sections are numbered column by
   * column from the left, each from top to bottom. Pages are divided as the reader sees them: cropped, rotated
   * upright, in points. A section starts at 0, 0 and clips the rest of its page, which remains in its file. Links,
   * comments and form fields go to the section that contains their centre, bookmarks lead to the section that shows
   * their target, and each section has the label of its page.
   *
   * POST /api/v1/general/split-pdf-by-sections
   */
  splitPdfBySections(file: Input, options?: SplitPdfBySectionsOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Suggest fields worth extracting from a PDF.
   *
   * Form fields, labels with values and table headers become fields with name, type and an example, ready for
   * `docparse/extract-fields`. A language model, if one is set up, names and describes them and may add others whose
   * labels are in the document. Scanned pages are read with OCR first unless `withOcr` is false.
   *
   * POST /api/v1/docparse/suggest-schema
   */
  suggestSchema(file: Input, options?: SuggestSchemaOptions, call?: CallOptions): Promise<SuggestSchemaAnswer>;
  /**
   * Add an RFC 3161 document time stamp.
   *
   * Only the SHA-256 digest of the document and a random number are sent to the time stamp authority. Its answer is
   * verified: status, digest, number, signature, and a certificate for time stamps only.
   *
   * The stamp is appended, so signatures that the document has stay valid; certified documents may always be stamped.
   *
   * POST /api/v1/security/timestamp-pdf
   */
  timestampPdf(file: Input, options?: TimestampPdfOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Make read-only form fields editable.
   *
   * Removes the read-only flag from every field and the field locks that take effect on signing, and asks viewers to
   * draw the fields again (`NeedAppearances`). In XFA, `access="readOnly"` becomes `access="open"`. The content of a
   * document without a form is not changed. `X-Tool-Report` holds `fields` and `xfaParts`, how many of each were
   * unlocked.
   *
   * POST /api/v1/misc/unlock-pdf-forms
   */
  unlockForms(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
  /**
   * Edit or remove the metadata of a PDF.
   *
   * All nine standard entries are written on every call: an entry is removed if its field is missing, empty, or the
   * text `undefined`. To keep a value, send it again. An unreadable date removes its entry and is reported in
   * `X-Tool-Report` (`unreadable`).
   *
   * `allRequestParams` sets entries of other names, either as pairs `customKey<i>` and `customValue<i>` (a pair
   * without its value removes the entry) or by name. Send it as one field with a JSON object, or as fields
   * `allRequestParams[name]`.
   *
   * `deleteAll` removes every entry, the XMP metadata and the private data that programs store in the document and
   * its pages; all other fields are then ignored. Without it, XMP metadata is kept, but its values for these entries
   * are updated to match.
   *
   * POST /api/v1/misc/update-metadata
   */
  updateMetadata(file: Input, options?: UpdateMetadataOptions, call?: CallOptions): Promise<FileResult>;
  /**
   * Check every signature, its chain and later changes.
   *
   * One item for each signature dictionary, document time stamps among them, in the order of the form fields; `[]`
   * for an unsigned document. All members are always there; what is not known is `null`, `false` or `0`. A signature
   * that cannot be read is `valid: false` with an `errorMessage`, and the call is answered with 200.
   *
   * `valid` asks three things: the value is that of the covered bytes (`integrity`), these leave out nothing but the
   * value itself, and what was appended later is what may follow such a signature (`changesSinceSigning`): filling in
   * forms, further signatures, evidence for them, and what a certification allows. It says nothing of the signer:
   * `chainValid` and `trustValid` do.
   *
   * `certFile` (PEM, DER, PKCS#7) replaces all trust sources for this call: every certificate in it is an anchor.
   * Revocation follows `security.validation.revocation`; nothing is fetched unless `security.validation.allowAIA` is
   * on, but what the document brings along is looked at.
   *
   * Dates are in the time zone of the server. The chain is judged at the time of the time stamp, else at the time
   * that the signer claims, else now (`validationTimeSource`).
   *
   * POST /api/v1/security/validate-signature
   */
  validateSignatures(
    file: Input,
    options?: ValidateSignaturesOptions,
    call?: CallOptions,
  ): Promise<ValidateSignaturesAnswer>;
  /**
   * Check a PDF against PDF/A, PDF/UA and WTPDF.
   *
   * Returns one item for each standard that the XMP metadata declares, PDF/A first, as checked by veraPDF. If PDF/A
   * is not declared, the first item is `not-pdfa`, so the list is never empty; if no standard is declared, it is the
   * only item.
   *
   * A failure is a broken rule. Each rule is listed once, with its first occurrence and, in the message, the number
   * of occurrences. Names and messages come from veraPDF and may change with its version: rely on `standard`,
   * `compliant`, `specification`, `clause` and `testNumber`.
   *
   * A standard whose check fails to complete is reported as not compliant, with a single failure that gives the
   * reason. A document that veraPDF cannot read at all is refused as damaged, although other operations may be able
   * to fix it.
   *
   * POST /api/v1/security/verify-pdf
   */
  verifyPdf(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<VerifyPdfAnswer>;
  /**
   * Add sticky notes that a language model writes.
   *
   * The model is given the text of the document and `prompt`, and answers notes with the words that they are about. A
   * note stands before the line in which these words begin, or in the margin of its page when they are nowhere.
   * `X-Tool-Report` holds `annotationsApplied`, `instructionsReceived` (notes that the model wrote) and `rationale`.
   * Text beyond what one question may hold is asked about in portions, twenty at most.
   *
   * POST /api/v1/ai/tools/pdf-comment-agent
   */
  writeComments(file: Input, options: WriteCommentsOptions, call?: CallOptions): Promise<FileResult>;
}

/** Operations that can be a step of a pipeline. */
export type StepName =
  | 'addComments'
  | 'addPageNumbers'
  | 'addPassword'
  | 'addScannerEffect'
  | 'addStamp'
  | 'addWatermark'
  | 'applyPurviewLabel'
  | 'assemblePages'
  | 'auditArithmetic'
  | 'autoRedact'
  | 'autoRename'
  | 'callExternalApi'
  | 'chunkDocument'
  | 'classifyDocument'
  | 'combineToSinglePage'
  | 'compressPdf'
  | 'convertCbrToPdf'
  | 'convertCbzToPdf'
  | 'convertEbookToPdf'
  | 'convertEmlToPdf'
  | 'convertFileToPdf'
  | 'convertHtmlToPdf'
  | 'convertImagesToPdf'
  | 'convertMarkdownToPdf'
  | 'convertPdfToCbr'
  | 'convertPdfToCbz'
  | 'convertPdfToCsv'
  | 'convertPdfToEpub'
  | 'convertPdfToHtml'
  | 'convertPdfToImages'
  | 'convertPdfToMarkdown'
  | 'convertPdfToPdfA'
  | 'convertPdfToPresentation'
  | 'convertPdfToText'
  | 'convertPdfToTextEditor'
  | 'convertPdfToVector'
  | 'convertPdfToWord'
  | 'convertPdfToXlsx'
  | 'convertPdfToXml'
  | 'convertSvgToPdf'
  | 'convertTextEditorToPdf'
  | 'convertVectorToPdf'
  | 'cropPages'
  | 'decompressPdf'
  | 'deleteAttachment'
  | 'editPageLabels'
  | 'editTableOfContents'
  | 'editText'
  | 'extractAttachments'
  | 'extractFields'
  | 'extractFieldsAsJson'
  | 'extractImageScans'
  | 'extractImages'
  | 'extractTables'
  | 'fillTemplate'
  | 'filterContainsImage'
  | 'filterContainsText'
  | 'filterFileSize'
  | 'filterPageCount'
  | 'filterPageRotation'
  | 'filterPageSize'
  | 'flattenPdf'
  | 'getPdfInfo'
  | 'ingestDocument'
  | 'layOutPages'
  | 'listAttachments'
  | 'listComments'
  | 'makeBooklet'
  | 'mergePdfs'
  | 'ocrPdf'
  | 'parseDocument'
  | 'previewRedaction'
  | 'ragIngest'
  | 'readPurviewLabel'
  | 'rearrangePages'
  | 'redactAreas'
  | 'redactPdf'
  | 'removeBlanks'
  | 'removeImages'
  | 'removePages'
  | 'removePassword'
  | 'removeSignatures'
  | 'renameAttachment'
  | 'repairPdf'
  | 'replaceColors'
  | 'rotatePdf'
  | 'sanitizePdf'
  | 'scalePages'
  | 'showJavascript'
  | 'signPdf'
  | 'smartSplit'
  | 'splitAtDividers'
  | 'splitBySizeOrCount'
  | 'splitForPosterPrint'
  | 'splitPages'
  | 'splitPdfByChapters'
  | 'splitPdfBySections'
  | 'suggestSchema'
  | 'timestampPdf'
  | 'unlockForms'
  | 'updateMetadata'
  | 'validateSignatures'
  | 'verifyPdf'
  | 'writeComments';
