import { PDFArray, type PDFContext, PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib';
import { inflateSync } from 'node:zlib';
import { entry, resolve } from '../objects/index.js';
import { type PageEntry, pageAttribute } from '../pages/index.js';
import { type StateBalance, stateBalance } from './balance.js';

/** Content larger than this is not read for its balance; writers of such pages are machines and balance theirs. */
const READ_LIMIT = 16 * 1024 * 1024;
const balanced: StateBalance = { net: 0, underflow: 0 };

/**
 * Puts form XObjects on top of pages. What a page's own content leaves behind (matrix, clip, open `q`) never reaches the addition.
 * Streams that pages can share are written once per document.
 */
export class PageOverlay {
  readonly #context: PDFContext;
  readonly #heads = new Map<number, PDFRef>();
  readonly #tails = new Map<string, PDFRef>();

  constructor(context: PDFContext) {
    this.#context = context;
  }

  /** Paints the XObject over the page in default user space: the origin of the media box's coordinates, page rotation not applied. */
  add(page: PageEntry, form: PDFRef): void {
    const context = this.#context;
    const name = this.#nameIn(this.#resourcesOf(page), form);
    const own = contentRefs(context, page);
    const { net, underflow } = own.length === 0 ? balanced : balanceOf(context, own);
    const contents = PDFArray.withContext(context);
    contents.push(this.#head(1 + underflow));
    for (const ref of own) contents.push(ref);
    contents.push(this.#tail(Math.max(0, 1 + underflow + net), name));
    page.dict.set(PDFName.of('Contents'), contents);
  }

  #head(count: number): PDFRef {
    return remember(this.#heads, count, () => this.#context.register(this.#context.stream(`${'q '.repeat(count).trim()}\n`)));
  }

  #tail(count: number, name: PDFName): PDFRef {
    // White space first: the last stream of a page may end in the middle of a token only if readers join streams without one.
    return remember(this.#tails, `${count}${name.asString()}`, () => this.#context.register(this.#context.stream(`\n${'Q '.repeat(count)}\nq ${name.asString()} Do Q\n`)));
  }

  #resourcesOf(page: PageEntry): PDFDict {
    const resources = resolve(this.#context, pageAttribute(page, 'Resources'));
    if (resources instanceof PDFDict) return resources;
    const fresh = PDFDict.withContext(this.#context);
    page.dict.set(PDFName.of('Resources'), fresh);
    return fresh;
  }

  /** The name of the XObject in these resources; entered under a free name on first use. */
  #nameIn(resources: PDFDict, form: PDFRef): PDFName {
    let xobjects = resolve(this.#context, entry(resources, 'XObject'));
    if (!(xobjects instanceof PDFDict)) {
      xobjects = PDFDict.withContext(this.#context);
      resources.set(PDFName.of('XObject'), xobjects);
    }
    const dict = xobjects as PDFDict;
    for (let i = 1; ; i++) {
      const name = PDFName.of(`Overlay${i}`);
      const there = dict.get(name);
      if (there === form) return name;
      if (there !== undefined) continue;
      dict.set(name, form);
      return name;
    }
  }
}

/** The page's content streams as references; a direct stream cannot exist (ISO 32000-1, 7.3.8). */
function contentRefs(context: PDFContext, page: PageEntry): PDFRef[] {
  const value = entry(page.dict, 'Contents');
  const target = resolve(context, value);
  if (target instanceof PDFArray) return target.asArray().filter((item): item is PDFRef => item instanceof PDFRef && resolve(context, item) !== undefined);
  return value instanceof PDFRef && target !== undefined ? [value] : [];
}

function balanceOf(context: PDFContext, refs: readonly PDFRef[]): StateBalance {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const ref of refs) {
    const part = decode(context, resolve(context, ref));
    size += part?.length ?? READ_LIMIT;
    if (part === undefined || size > READ_LIMIT) return balanced;
    parts.push(part, Buffer.from('\n'));
  }
  return stateBalance(Buffer.concat(parts));
}

/** Plain and Flate content, bounded; undefined for other filters and for what cannot be read. */
function decode(context: PDFContext, stream: unknown): Uint8Array | undefined {
  if (!(stream instanceof PDFRawStream)) return undefined;
  let filter = resolve(context, entry(stream.dict, 'Filter'));
  if (filter instanceof PDFArray && filter.size() <= 1) filter = filter.size() === 0 ? undefined : resolve(context, filter.get(0));
  if (filter === undefined) return stream.contents;
  if (!(filter instanceof PDFName) || filter.asString() !== '/FlateDecode' || stream.dict.has(PDFName.of('DecodeParms'))) return undefined;
  try {
    return inflateSync(stream.contents, { maxOutputLength: READ_LIMIT });
  } catch {
    return undefined;
  }
}

function remember<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
