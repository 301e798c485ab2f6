import { PDFArray, type PDFContext, PDFName, PDFRawStream, PDFRef } from 'pdf-lib';
import { inflateSync } from 'node:zlib';
import { entry, resolve } from '../../file/objects/index.js';
import { inflateShort } from '../../file/zlib/index.js';
import type { PageEntry } from '../../structure/pages/index.js';
import { type Ending, endingOf } from './balance.js';

/** Content larger than this is not read for its balance; writers of such pages are machines and balance theirs. */
const READ_LIMIT = 16 * 1024 * 1024;
const inOrder: Ending = { net: 0, underflow: 0, closing: '' };

/** Operators to be set around what a page shows. */
export interface Surroundings {
  /** Drawn before the page's own content. */
  readonly under?: string;
  /** Changes to the graphics state that hold for the page's own content and for nothing else. */
  readonly state?: string;
  /** Drawn after it, in the state in which a page begins. */
  readonly over?: string;
}

/**
 * Sets operators around what pages show, in place. What a page's own content leaves behind (matrix, clip, open `q`)
 * never reaches what comes after it. Streams that pages can share are written once per document.
 */
export class PageContent {
  readonly #context: PDFContext;
  readonly #streams = new Map<string, PDFRef>();

  constructor(context: PDFContext) {
    this.#context = context;
  }

  /** Surrounds a page's content; its own streams stay as they are. */
  surround(page: PageEntry, { under = '', state = '', over = '' }: Surroundings): void {
    const context = this.#context;
    const own = contentRefs(context, page);
    const contents = PDFArray.withContext(context);
    if (state === '' && over === '') {
      if (under !== '') contents.push(this.#stream(`${under}\n`));
      for (const ref of own) contents.push(ref);
    } else {
      const { net, underflow, closing } = own.length === 0 ? inOrder : endOf(context, own);
      // A `Q` too many takes off one of these and not the state that is to hold.
      contents.push(
        this.#stream(
          `${under}${under === '' ? '' : '\n'}q${state === '' ? '' : ` ${state}`}${' q'.repeat(underflow)}\n`,
        ),
      );
      for (const ref of own) contents.push(ref);
      // White space first: the last stream of a page may end in the middle of a token only if readers join streams
      // without one.
      contents.push(
        this.#stream(
          `\n${closing === '' ? '' : `${closing} `}${'Q '.repeat(Math.max(0, 1 + underflow + net))}\n${over}\n`,
        ),
      );
    }
    page.dict.set(PDFName.of('Contents'), contents);
  }

  #stream(text: string): PDFRef {
    const known = this.#streams.get(text);
    if (known !== undefined) return known;
    const made = this.#context.register(this.#context.stream(text));
    this.#streams.set(text, made);
    return made;
  }
}

/** The page's content streams as references; a direct stream cannot exist (ISO 32000-1, 7.3.8). */
function contentRefs(context: PDFContext, page: PageEntry): PDFRef[] {
  const value = entry(page.dict, 'Contents');
  const target = resolve(context, value);
  if (target instanceof PDFArray)
    return target
      .asArray()
      .filter((item): item is PDFRef => item instanceof PDFRef && resolve(context, item) !== undefined);
  return value instanceof PDFRef && target !== undefined ? [value] : [];
}

function endOf(context: PDFContext, refs: readonly PDFRef[]): Ending {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const ref of refs) {
    const part = decode(context, resolve(context, ref));
    size += part?.length ?? READ_LIMIT;
    if (part === undefined || size > READ_LIMIT) return inOrder;
    parts.push(part, Buffer.from('\n'));
  }
  return endingOf(Buffer.concat(parts));
}

/** Plain and Flate content, bounded; undefined for other filters and for what cannot be read. */
function decode(context: PDFContext, stream: unknown): Uint8Array | undefined {
  if (!(stream instanceof PDFRawStream)) return undefined;
  let filter = resolve(context, entry(stream.dict, 'Filter'));
  if (filter instanceof PDFArray && filter.size() <= 1)
    filter = filter.size() === 0 ? undefined : resolve(context, filter.get(0));
  if (filter === undefined) return stream.contents;
  if (
    !(filter instanceof PDFName) ||
    filter.asString() !== '/FlateDecode' ||
    stream.dict.has(PDFName.of('DecodeParms'))
  )
    return undefined;
  const short = inflateShort(stream.contents);
  if (short !== undefined) return new Uint8Array(short.data);
  try {
    return inflateSync(stream.contents, { maxOutputLength: READ_LIMIT });
  } catch {
    return undefined;
  }
}
