import { PDFContext } from 'pdf-lib';
import {
  ContentName,
  imageColourSpace,
  imageEntry,
  imageFilters,
  type InlineImage,
  type Operand,
  operandText,
} from '../../content/index.js';
import { streamBytes } from '../../file/objects/index.js';
import { inlineImage } from '../../images/index.js';
import type { TextFinder } from '../document-data/text-finder.js';
import { type ByteTerms, NO_TERMS, repeat, soften } from './byte-terms.js';
import { overwriteGently } from './overwrite.js';

/** Filters whose data cannot be changed byte by byte: comments in them are overwritten where they stand. */
const CODED: ReadonlySet<string> = new Set(['DCTDecode', 'CCITTFaxDecode', 'JPXDecode', 'JBIG2Decode']);
/** Entries that describe the data as it was stored, short and long (ISO 32000-1, table 93). */
const STORED: ReadonlySet<string> = new Set(['F', 'Filter', 'DP', 'DecodeParms', 'L', 'Length']);

/** New data of the same length, or a new image in place of `BI … EI`. */
type CleanImage =
  | { readonly data: Uint8Array; readonly image?: never }
  | { readonly data?: never; readonly image: string };

/**
 * Overwrites found text that the data of an inline image spells, before or after its filters; undefined if it spells
 * none. Samples are numbers, so the picture stays, but for the colours of so many of them.
 */
export function cleanImageData(
  content: Uint8Array,
  image: InlineImage,
  { find, terms = NO_TERMS }: { readonly find: TextFinder; readonly terms?: ByteTerms },
): CleanImage | undefined {
  const ways = isIndexed(image) ? repeat : soften;
  const overwritten = (data: Uint8Array): Uint8Array | undefined => {
    const first = terms.overwritten(data, ways);
    return overwriteGently(first ?? data, find, soften) ?? first;
  };
  const raw = content.subarray(image.dataStart, image.dataEnd);
  const filters = imageFilters(image.dict);
  if (filters.length === 0 || filters.some((filter) => CODED.has(filter))) {
    const data = overwritten(raw);
    return data === undefined ? undefined : { data };
  }
  const context = PDFContext.create();
  const decoded = streamBytes(context, inlineImage(context, content, image, undefined));
  const clean = decoded === undefined ? undefined : overwritten(decoded);
  if (clean === undefined) return undefined;
  const kept = [...image.dict].filter(([key]) => !STORED.has(key));
  const entries: [string, Operand][] = [...kept, ['F', new ContentName('AHx')]];
  return {
    image: [
      'BI',
      ...entries.map(([key, value]) => `${operandText(new ContentName(key))} ${operandText(value)}`),
      `ID ${Buffer.from(clean).toString('hex')}>`,
      'EI',
    ].join('\n'),
  };
}

/** The palette of an inline image; undefined if it has none, or only a name for it. */
export function paletteOf({ dict }: InlineImage): Uint8Array | undefined {
  const space = imageEntry(dict, 'ColorSpace');
  const table = Array.isArray(space) ? (space as readonly Operand[])[3] : undefined;
  return table instanceof Uint8Array ? table : undefined;
}

/** Samples that are not amounts of colour: indexes, and several in one byte. */
function isIndexed({ dict }: InlineImage): boolean {
  return imageColourSpace(dict) === 'Indexed' || imageEntry(dict, 'BitsPerComponent') !== 8;
}
