import { drawCaptions, shapeCaption } from './captions.js';
import { pagesAsPictures } from './pages-as-pictures.js';
import type { RedactionPlan } from './plan.js';
import { redactDocument, type RedactionReport, type RedactOptions } from './redact-document.js';
import { type OcrReading, verifyByOcr } from './verify-by-ocr.js';

/** Fonts and kept parts that the report names; the header that holds it is short. */
const MOST_NAMES = 20;
const LONGEST_NAME = 100;

export interface RedactFileOptions extends RedactOptions {
  /** Resolution at which pages are converted to images afterwards; undefined leaves them as they are. */
  readonly dpi: number | undefined;
  /** Reads the result with OCR, if requested. */
  readonly ocr?: OcrReading | undefined;
}

/** Path of the result, values for the report, and sentences that the caller must read. */
export interface RedactedFile {
  readonly path: string;
  readonly facts: Readonly<Record<string, number | readonly string[]>>;
  readonly warnings: readonly string[];
}

/**
 * Redacts a file into a new folder, converts the pages of the result to images if requested, and reads it with OCR if
 * requested. Throws the errors of `redactDocument`, `pagesAsPictures` and `verifyByOcr`.
 */
export async function redactFile(
  source: string,
  folder: string,
  plan: RedactionPlan,
  { dpi, ocr, ...options }: RedactFileOptions,
): Promise<RedactedFile> {
  const caption = plan.caption === undefined ? undefined : await shapeCaption(plan.caption);
  const report = await redactDocument(source, `${folder}/redacted.pdf`, plan, options);
  let { path } = report;
  if (caption !== undefined && report.boxes.size > 0) {
    path = `${folder}/captions.pdf`;
    await drawCaptions(report.path, path, { caption, boxes: report.boxes }, options.modified);
  }
  if (dpi !== undefined) {
    const drawn = path;
    path = `${folder}/pictures.pdf`;
    await pagesAsPictures(drawn, path, { dpi, signal: options.signal, progress: options.progress });
  }
  if (ocr !== undefined && report.search !== undefined) await verifyByOcr(path, report.search, ocr, options.signal);
  return { path, ...described(report, plan) };
}

function described(
  { matches, unreadable, left }: RedactionReport,
  { search, keep }: RedactionPlan,
): Pick<RedactedFile, 'facts' | 'warnings'> {
  const fonts = listed([...unreadable.keys()].map((name) => (name === '' ? 'unnamed' : name)));
  const kept = listed(left);
  const letters = [...unreadable.values()].reduce((sum, count) => sum + count, 0);
  const facts = {
    ...(search === undefined ? {} : { matches }),
    ...(keep === undefined || keep.size === 0 ? {} : { keptMatches: keep.size }),
    ...(letters > 0 ? { unreadable: letters, unreadableFonts: fonts } : {}),
    ...(kept.length > 0 ? { kept } : {}),
  };
  const warnings = [
    ...(letters > 0
      ? [
          `${letters} characters could not be searched, because their fonts do not say which characters they are: ` +
            `${fonts.join(', ')}. Check the result by eye, or send verify=ocr.`,
        ]
      : []),
    ...(kept.length > 0 ? [`Terms stay in names that the document cannot do without: ${kept.join(', ')}.`] : []),
  ];
  return { facts, warnings };
}

function listed(names: readonly string[]): string[] {
  const short = [...new Set(names)].map((name) =>
    name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name,
  );
  return short.length > MOST_NAMES ? [...short.slice(0, MOST_NAMES), 'and more'] : short;
}
