import { type PDFContext, PDFBool, PDFDict, PDFName, type PDFObject, PDFRawStream, type PDFRef } from 'pdf-lib';
import { stateBalance } from '../../content/drawing/balance.js';
import { asDict, dictOf, entry, setEntry, streamOver } from '../../file/objects/index.js';
import { deflate } from '../../file/zlib/index.js';
import { contentStreams, decodedContent, pageAttribute, type PageEntry } from '../pages/index.js';
import { boxNumbers } from './write-numbers.js';
import type { Box } from './matrix.js';

/**
 * In bytes. Larger content is not checked for unbalanced operators; it is machine-generated and assumed to be balanced.
 */
const READ_LIMIT = 16 * 1024 * 1024;
/**
 * Entries that describe the encoding or location of a stream's data (ISO 32000-1, table 5), which are copied with the
 * data.
 */
const PACKING = ['Filter', 'DecodeParms', 'F', 'FFilter', 'FDecodeParms'] as const;
/** Entries that pages and form XObjects have in common (ISO 32000-1, tables 30 and 95). */
const SHARED_KEYS = ['StructParents', 'Metadata', 'PieceInfo', 'LastModified', 'AF'] as const;

/** Converts pages to form XObjects, each page at most once per box, however often it is placed. */
export class PageForms {
  readonly #made = new Map<string, PDFRef>();

  constructor(private readonly context: PDFContext) {}

  /** Returns the form of a page, clipped to a box of the page's user space. */
  of(page: PageEntry, box: Box): PDFRef {
    const key = `${page.ref.tag} ${box.join(' ')}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const form = pageForm(this.context, page, box);
    this.#made.set(key, form);
    return form;
  }
}

/**
 * Creates a form XObject (ISO 32000-1, 8.10) from a page's content in the page's own user space, clipped to the box.
 * /Rotate and /UserUnit are not applied; the caller must do so. A single stream that restores the graphics state is
 * shared with the page and stays compressed. Throws the errors of the inflation limits.
 */
export function pageForm(context: PDFContext, page: PageEntry, box: Box): PDFRef {
  const dict = dictOf(context, {
    Type: PDFName.of('XObject'),
    Subtype: PDFName.of('Form'),
    BBox: boxNumbers(context, box),
    Resources: pageAttribute(page, 'Resources') ?? dictOf(context, {}),
    Group: group(context, entry(page.dict, 'Group')),
  });
  for (const key of SHARED_KEYS) setEntry(dict, key, entry(page.dict, key));
  return context.register(bodyOver(context, contentStreams(context, entry(page.dict, 'Contents')), dict));
}

/** The transparency group of a page is always isolated (ISO 32000-1, 11.6.6); that of a form must declare it. */
function group(context: PDFContext, value: PDFObject | undefined): PDFDict | undefined {
  const own = asDict(context, value);
  if (own === undefined) return undefined;
  const copy = PDFDict.fromMapWithContext(new Map(own.entries()), context);
  setEntry(copy, 'I', PDFBool.True);
  return copy;
}

function bodyOver(context: PDFContext, streams: readonly PDFRawStream[], dict: PDFDict): PDFRawStream {
  const [only] = streams;
  if (only === undefined) return PDFRawStream.of(dict, new Uint8Array(0));
  const shared = (): PDFRawStream => {
    for (const key of PACKING) setEntry(dict, key, entry(only.dict, key));
    return streamOver(only, dict);
  };
  if (streams.length === 1 && only.contents.length > READ_LIMIT) return shared();
  const parts = streams.flatMap((stream) => {
    const bytes = decodedContent(context, stream);
    // Tokens cannot continue in the next stream, so the streams are separated by white space (ISO 32000-1, 7.8.2).
    return bytes === undefined ? [] : [bytes, Buffer.from('\n')];
  });
  const content = Buffer.concat(parts);
  const { underflow, net } = content.length > READ_LIMIT ? { underflow: 0, net: 0 } : stateBalance(content);
  if (streams.length === 1 && ((underflow === 0 && net === 0) || parts.length === 0)) return shared();
  // Within a form, an unmatched Q would restore the graphics state of the surrounding page.
  const left = Math.max(0, underflow + net);
  setEntry(dict, 'Filter', PDFName.of('FlateDecode'));
  return PDFRawStream.of(
    dict,
    deflate(Buffer.concat([Buffer.from('q '.repeat(underflow)), content, Buffer.from('Q '.repeat(left))])),
  );
}
