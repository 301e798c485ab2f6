import { inflateSync, type Zlib } from 'node:zlib';
import { type PDFContext, PDFName, type PDFRawStream } from 'pdf-lib';
import { inflateLimit } from '../../bounds.js';
import { takeInflated } from '../../file/source/index.js';
import { inflateShort } from '../../file/zlib/index.js';
import { asName, elements, entry, resolve } from '../../file/objects/index.js';

/** Entries that some readers take for a filter, its parameters or another place of the data, and others do not. */
const UNUSUAL = ['DecodeParms', 'F', 'FFilter', 'FDecodeParms', 'DP', 'Crypt'] as const;
/** Bytes of a line end behind the data. */
const MOST_BEHIND = 2;
const NEW_LINE = Buffer.from('\n');

/**
 * Returns the content of streams joined by line ends; undefined if one is encoded in any other way than with Flate as
 * the standard says, complete and with its checksum: readers go on differently where data is damaged.
 */
export function strictContent(context: PDFContext, streams: readonly PDFRawStream[]): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  for (const stream of streams) {
    const part = strictlyDecoded(context, stream);
    if (part === undefined) return undefined;
    parts.push(part, NEW_LINE);
  }
  return parts.length === 2 ? parts[0] : Buffer.concat(parts);
}

function strictlyDecoded(context: PDFContext, { dict, contents }: PDFRawStream): Uint8Array | undefined {
  if (UNUSUAL.some((key) => entry(dict, key) !== undefined)) return undefined;
  const filter = resolve(context, entry(dict, 'Filter'));
  if (filter === undefined) return contents;
  const names = filter instanceof PDFName ? [filter] : elements(context, filter);
  if (names.length !== 1 || asName(context, names[0]) !== 'FlateDecode') return undefined;
  const known = takeInflated(contents, inflateLimit(contents.length));
  const short = known ?? inflateShort(contents);
  if (short !== undefined && contents.length - short.read > MOST_BEHIND) return undefined;
  if (short !== undefined) return known?.data ?? new Uint8Array(short.data);
  try {
    const options = { maxOutputLength: inflateLimit(contents.length), info: true };
    // The types of Node do not know the result with `info`.
    const { buffer, engine } = inflateSync(contents, options) as unknown as { buffer: Buffer; engine: Zlib };
    return contents.length - engine.bytesWritten <= MOST_BEHIND ? buffer : undefined;
  } catch {
    // A complete reading says what is wrong.
    return undefined;
  }
}
