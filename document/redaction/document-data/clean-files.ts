import { PDFArray, type PDFContext, type PDFDict, PDFHexString, PDFRawStream } from 'pdf-lib';
import { asDict, asText, entry, resolve, setEntry } from '../../file/objects/index.js';
import type { PageEntry } from '../../structure/pages/index.js';
import { dictOfHolder, everyObject } from '../../file/objects/index.js';
import { dropFiles } from '../../structure/attachments/index.js';
import { decodedBytes, isFoundInBytes } from './found-in.js';
import { extensionOf, type NewNames } from './new-names.js';
import type { TextFinder } from './text-finder.js';

/** Inspects a PDF; resolves to true if it contains found text or cannot be read. */
export type PdfJudge = (bytes: Buffer) => Promise<boolean>;

/** Entries of a file specification that contain the file name (ISO 32000-1, table 44). */
const NAMES = ['UF', 'F', 'Unix', 'Mac', 'DOS'] as const;
/** Signatures (first bytes) of image files, which are kept like images on pages. */
const PICTURES = ['89504e47', 'ffd8ff', '474946383', '49492a00', '4d4d002a', '424d', '52494646'] as const;
/** Text in a format of its own that a plain search cannot read: rich text and encoded mail. */
const CODED = /^\{\\rtf|^content-transfer-encoding:\s*(?:base64|quoted-printable)/im;

/**
 * Removes embedded files that contain found text or cannot be inspected, in place, wherever the document refers to
 * them. Remaining files get new names if theirs contain found text. Text, markup, metadata of images, and PDFs are
 * inspected. Returns the number of removed files.
 */
export async function cleanFiles(
  context: PDFContext,
  pages: readonly PageEntry[],
  find: TextFinder,
  names: NewNames,
  judge: PdfJudge,
): Promise<number> {
  const specs = [...everyObject(context)].flatMap((holder) => {
    const dict = holder instanceof PDFArray ? undefined : dictOfHolder(holder);
    return dict !== undefined && asDict(context, entry(dict, 'EF')) !== undefined ? [dict] : [];
  });
  const judged = new Map<PDFRawStream, boolean>();
  const gone = new Set<PDFDict>();
  for (const spec of specs) {
    for (const stream of filesOf(context, spec)) {
      let goes = judged.get(stream);
      if (goes === undefined) judged.set(stream, (goes = await holds(decodedBytes(context, stream), find, judge)));
      if (goes) gone.add(spec);
    }
    rename(context, spec, names);
  }
  dropFiles(context, pages, gone);
  return gone.size;
}

/**
 * Returns the streams of a file specification: the file for each system, and its related files (ISO 32000-1, 7.11.4.3).
 */
function filesOf(context: PDFContext, spec: PDFDict): PDFRawStream[] {
  const values = ['EF', 'RF'].flatMap((key) => asDict(context, entry(spec, key))?.values() ?? []);
  const objects = values.flatMap((value) => {
    const object = resolve(context, value);
    return object instanceof PDFArray ? object.asArray().map((one) => resolve(context, one)) : [object];
  });
  return objects.filter((object) => object instanceof PDFRawStream);
}

function rename(context: PDFContext, spec: PDFDict, names: NewNames): void {
  for (const key of NAMES) {
    const text = asText(context, entry(spec, key));
    const name = text === undefined ? undefined : names.of(text, extensionOf(text));
    if (name !== undefined) setEntry(spec, key, PDFHexString.fromText(name));
  }
}

async function holds(bytes: Buffer | undefined, find: TextFinder, judge: PdfJudge): Promise<boolean> {
  if (bytes === undefined) return true;
  if (bytes.subarray(0, 1024).includes('%PDF-')) return judge(bytes);
  if (isFoundInBytes(bytes, find)) return true;
  const front = bytes.toString('hex', 0, 8);
  if (PICTURES.some((mark) => front.startsWith(mark))) return false;
  return !isText(bytes);
}

/**
 * Returns true if the bytes are certainly plain text: UTF-8 or UTF-16 without control characters, and not in a format
 * of its own.
 */
function isText(bytes: Buffer): boolean {
  const wide = (bytes[0] === 0xfe && bytes[1] === 0xff) || (bytes[0] === 0xff && bytes[1] === 0xfe);
  const text = wide
    ? new TextDecoder(bytes[0] === 0xfe ? 'utf-16be' : 'utf-16le').decode(bytes)
    : bytes.toString('utf8');
  return !/[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/.test(text) && !CODED.test(text);
}
