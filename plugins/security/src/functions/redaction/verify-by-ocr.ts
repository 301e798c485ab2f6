import { rm, readFile, writeFile } from 'node:fs/promises';
import { DocumentError } from '@quire/document';
import { readPdf } from '@quire/document/content/text';
import { fittingDpi, pixelSize, renderPage } from '@quire/document/engines/rendering';
import { readHocr, textOfPage } from '@quire/document/layout/ocr';
import { readingText, type TextSearch } from '@quire/document/redaction/search';

/** Letters of usual print are read best at this resolution, in dots per inch. */
const READING_DPI = 300;

/** The text recognition to use, and its limits. */
export interface OcrReading {
  /** Reads the picture at a path and writes its words as hOCR to another. */
  readonly read: (picture: string, words: string, dpi: number, signal: AbortSignal) => Promise<void>;
  /** Number of pictures that are read at once. */
  readonly atOnce: number;
  /** Highest resolution that the settings allow, in dots per inch. */
  readonly maxDpi: number;
  /** Private folder for pictures. */
  readonly folder: string;
}

/**
 * Draws every page of a result as a viewer shows it, annotations included, and searches the text that OCR reads in it.
 * Throws REDACTION_INCOMPLETE with the pages on which a term can still be read, IMAGE_TOO_LARGE, PATTERN_TOO_SLOW, and
 * the errors of reading.
 */
export async function verifyByOcr(
  path: string,
  search: TextSearch,
  { read, atOnce, maxDpi, folder }: OcrReading,
  signal: AbortSignal,
): Promise<void> {
  const legible = new Set<number>();
  await readPdf({ path }, async (document) => {
    const count = document.reachablePages();
    const sizes = Array.from({ length: count }, (_none, index) => document.pageGeometry(index));
    const dpi = fittingDpi(sizes, Math.min(READING_DPI, maxDpi));
    const check = async (index: number): Promise<void> => {
      const size = pixelSize(sizes[index]!, dpi);
      const [picture, words] = [`${folder}/${index}.pgm`, `${folder}/${index}.hocr`];
      const head = Buffer.from(`P5\n${size.width} ${size.height}\n255\n`, 'latin1');
      const pixels = renderPage(document, index, { ...size, annotations: true, grey: true });
      await writeFile(picture, Buffer.concat([head, pixels]), { mode: 0o600 });
      await read(picture, words, dpi, signal);
      const text = readingText(textOfPage(readHocr(await readFile(words, 'utf8'))));
      await Promise.all([rm(picture), rm(words)]);
      if (search.holding([text]).length > 0) legible.add(index);
    };
    for (let first = 0; first < count; first += atOnce) {
      signal.throwIfAborted();
      const batch = Array.from({ length: Math.min(atOnce, count - first) }, (_none, i) => check(first + i));
      // All must end before the document closes.
      const failed = (await Promise.allSettled(batch)).find((one) => one.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    }
  });
  if (legible.size > 0)
    throw new DocumentError('REDACTION_INCOMPLETE', { where: `read by OCR on ${pagesText([...legible])}` });
}

/** Names pages by their indexes. */
export function pagesText(indexes: readonly number[]): string {
  const numbers = [...indexes].sort((a, b) => a - b).map((index) => index + 1);
  return (
    `page${numbers.length > 1 ? 's' : ''} ` +
    `${numbers.slice(0, 20).join(', ')}${numbers.length > 20 ? ' and more' : ''}`
  );
}
