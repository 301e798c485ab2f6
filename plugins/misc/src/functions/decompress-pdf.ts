import { inflateSync } from 'node:zlib';
import { PDFRawStream, type PDFRef } from 'pdf-lib';
import { DocumentError } from '@quire/document';
import { rawSamples } from '@quire/document/images';
import { asName, elements, entry, resolve, setEntry } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import { decodeFront, lateStreamOf } from '@quire/document/file/reader';

export interface Decompressed {
  /** Number of streams now stored without a filter. */
  readonly decoded: number;
  /** Number of streams left as they were: broken, or with a filter that cannot be undone exactly. */
  readonly kept: number;
}

/** Image samples stay in memory until the document is written; images beyond this many bytes stay encoded. */
const MAX_SAMPLES = 384 * 1024 * 1024;
/** Maximum size of the decompressed document, and of one stream, in bytes. */
const MAX_DOCUMENT = 1024 * 1024 * 1024;
const MAX_STREAM = 256 * 1024 * 1024;
/** Structure of the file, which is rewritten in any case. */
const STRUCTURE = new Set(['ObjStm', 'XRef']);

/**
 * Removes the filters of every stream in a document, in place (`docs/interface/misc.yml`, decompress-pdf); streams that
 * cannot be decoded completely stay as they are. Throws PDF_INFLATED_TOTAL if the document would exceed 1 GiB.
 */
export async function decompressPdf(
  { document: { context } }: OpenedPdf,
  onStream?: (done: number, total: number) => void,
): Promise<Decompressed> {
  const streams = context
    .enumerateIndirectObjects()
    .filter((one): one is [PDFRef, PDFRawStream] => one[1] instanceof PDFRawStream);
  let [total, samples, decoded, kept] = [0, 0, 0, 0];
  for (const [done, [ref, stream]] of streams.entries()) {
    if (
      STRUCTURE.has(asName(context, entry(stream.dict, 'Type')) ?? '') ||
      resolve(context, entry(stream.dict, 'Filter')) === undefined
    )
      continue;
    const plain = await decompress(context, stream, MAX_SAMPLES - samples);
    if (plain === undefined) kept++;
    else {
      decoded++;
      total += plain.length;
      if (plain.samples) samples += plain.length;
      if (total > MAX_DOCUMENT) throw new DocumentError('PDF_INFLATED_TOTAL', { limit: MAX_DOCUMENT });
      context.assign(ref, plain.stream);
    }
    onStream?.(done + 1, streams.length);
  }
  return { decoded, kept };
}

type Context = OpenedPdf['document']['context'];

async function decompress(
  context: Context,
  stream: PDFRawStream,
  maxBytes: number,
): Promise<{ readonly stream: PDFRawStream; readonly length: number; readonly samples: boolean } | undefined> {
  if (!isWhole(context, stream)) return undefined;
  const front = readFront(context, stream);
  if (front === undefined) return undefined;
  const dict = stream.dict.clone(context);
  for (const key of ['Filter', 'DecodeParms', 'DL']) setEntry(dict, key, undefined);
  if (front.left.length === 0) {
    const { length } = front.data;
    // Decoded again when it is written, so that only one stream is in memory at a time.
    const bytes = (): Uint8Array => readFront(context, stream)?.data ?? new Uint8Array(0);
    return { stream: lateStreamOf(dict, { length, bytes, pieces: () => [bytes()] }), length, samples: false };
  }
  const pixels =
    asName(context, entry(stream.dict, 'Subtype')) === 'Image' && maxBytes > 0
      ? await rawSamples(context, stream)
      : undefined;
  if (pixels === undefined || pixels.length > maxBytes) return undefined;
  return { stream: PDFRawStream.of(dict, pixels), length: pixels.length, samples: true };
}

/** Streams beyond a limit, or with their own encryption filter, stay. */
function readFront(context: Context, stream: PDFRawStream) {
  const value = entry(stream.dict, 'Filter');
  if ([asName(context, value), ...elements(context, value).map((one) => asName(context, one))].includes('Crypt'))
    return undefined;
  return decodeFront(stream, (one) => resolve(context, one));
}

/** False for truncated or broken Flate data: decoding it partially would lose the rest. */
function isWhole(context: Context, stream: PDFRawStream): boolean {
  const value = entry(stream.dict, 'Filter');
  const first = asName(context, value) ?? asName(context, elements(context, value)[0]);
  if (first !== 'FlateDecode' && first !== 'Fl') return true;
  try {
    inflateSync(stream.contents, { maxOutputLength: MAX_STREAM });
    return true;
  } catch {
    return false;
  }
}
