import { readFileSync } from 'node:fs';
import { unpackZip } from '@quire/document/file/zip';
import type { Document, Element } from 'domhandler';
import { type Book, type BookDocument, type BookEntry, bookLimits, refuseBook, resolveIn } from './book.js';
import { readNav, readNcx } from './epub-contents.js';
import { openFonts } from './epub-fonts.js';
import { attribute, childrenOf, decodeMarkup, elementsIn, firstIn, parseXml, textOf } from './xml.js';

/**
 * File types that pages may use: markup, styles, images, fonts, and package files. Audio and video are not unpacked.
 */
const wanted =
  /\.(?:x?html?|xml|opf|ncx|css|svgz?|jpe?g|jfif|png|gif|webp|bmp|avif|tiff?|ttf|otf|ttc|woff2?)$|^META-INF\/|^mimetype$|(?:^|\/)[^./]+$/i;
/** A document says its size at the beginning. */
const MAX_HEAD = 64 * 1024;
const MAX_PACKAGE = 16 * 1024 * 1024;

interface Item {
  readonly id: string;
  readonly path: string;
  readonly mediaType: string;
  readonly properties: readonly string[];
  readonly fallback: string | undefined;
}

/**
 * Reads an EPUB of version 2 or 3 (EPUB 3.3; OPF 2.0.1), unpacked into `folder`, which the files of the book are
 * relative to. Fonts that are made unreadable become readable. Errors: ARCHIVE_UNSAFE, BOOK_UNREADABLE, BOOK_PROTECTED,
 * INPUT_TOO_COMPLEX.
 */
export async function readEpub(path: string, folder: string, signal: AbortSignal): Promise<Book> {
  const unpacked = await unpackZip(path, folder, {
    field: 'fileInput',
    signal,
    names: 'kept',
    wanted: (name) => wanted.test(name),
  });
  const paths = new Map(unpacked.map((file) => [file.name, file.path]));
  // Names are written in other letters' case here and there.
  const folded = new Map([...paths.keys()].map((name) => [name.toLowerCase(), name]));
  const nameOf = (name: string): string | undefined => (paths.has(name) ? name : folded.get(name.toLowerCase()));
  const text = (name: string): string | undefined => {
    const place = paths.get(nameOf(name) ?? '');
    return place === undefined ? undefined : decodeMarkup(readFileSync(place));
  };
  const opfPath = packagePath(text, paths);
  const opf = parseXml(limited(text(opfPath), opfPath));
  openFonts({
    encryption: text('META-INF/encryption.xml'),
    identifier: uniqueIdentifier(opf),
    pathOf: (name) => paths.get(nameOf(name) ?? ''),
  });

  const items = manifest(opf, opfPath, nameOf);
  const metadata = firstIn(opf, 'metadata') ?? opf;
  const spine = firstIn(opf, 'spine');
  if (spine === undefined) throw refuseBook('its package has no spine, which says in which order it is read');
  const { documents, rest } = readSpine(spine, items, metadata, text);
  if (documents.length + rest.length === 0) throw refuseBook('its spine names no document that is there');
  const nav = [...items.values()].find(({ properties }) => properties.includes('nav'));
  const ncx =
    items.get(attribute(spine, 'toc') ?? '') ??
    [...items.values()].find(({ mediaType }) => mediaType === 'application/x-dtbncx+xml');
  const navText = nav === undefined ? undefined : text(nav.path);
  let entries: BookEntry[] = nav === undefined || navText === undefined ? [] : readNav(navText, nav.path);
  const ncxText = entries.length > 0 || ncx === undefined ? undefined : text(ncx.path);
  if (ncx !== undefined && ncxText !== undefined) entries = readNcx(ncxText, ncx.path);
  const cover = coverPath(items, metadata);
  const language = childrenOf(metadata, 'language')
    .map((each) => textOf(each))
    .find((each) => /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(each));
  return {
    title: textOf(childrenOf(metadata, 'title')[0] ?? metadata.children[0] ?? opf, 500),
    authors: childrenOf(metadata, 'creator')
      .map((each) => textOf(each, 200))
      .filter((each) => each !== '')
      .slice(0, 20),
    ...(language === undefined ? {} : { language }),
    rightToLeft: attribute(spine, 'page-progression-direction') === 'rtl',
    documents: [...documents, ...rest],
    entries,
    ...(nav === undefined ? {} : { contents: nav.path }),
    ...(cover === undefined ? {} : { cover }),
    files: new Map([...paths.keys()].map((name) => [name, name])),
    styleSheet: text,
  };
}

function packagePath(text: (name: string) => string | undefined, paths: ReadonlyMap<string, string>): string {
  const container = text('META-INF/container.xml');
  const roots =
    container === undefined
      ? []
      : [...elementsIn(parseXml(container), 'rootfile')].map((each) => attribute(each, 'full-path') ?? '');
  const named = roots.map((each) => resolveIn('', each)?.path ?? '').find((each) => paths.has(each));
  const found = named ?? [...paths.keys()].find((name) => /\.opf$/i.test(name));
  if (found === undefined) throw refuseBook('it has no package document, so it is not an EPUB');
  return found;
}

function limited(text: string | undefined, name: string): string {
  if (text === undefined) throw refuseBook(`its ${name} is missing`);
  if (text.length > MAX_PACKAGE) throw refuseBook(`its ${name} has more than ${MAX_PACKAGE} characters`);
  return text;
}

function uniqueIdentifier(opf: Document): string {
  const wantedId = attribute(firstIn(opf, 'package') ?? ({ attribs: {} } as Element), 'unique-identifier');
  const all = [...elementsIn(opf, 'identifier')];
  const found = all.find((each) => attribute(each, 'id') === wantedId) ?? all[0];
  return found === undefined ? '' : textOf(found);
}

function manifest(opf: Document, opfPath: string, nameOf: (name: string) => string | undefined): Map<string, Item> {
  const items = new Map<string, Item>();
  for (const element of elementsIn(firstIn(opf, 'manifest') ?? opf, 'item')) {
    const path = nameOf(resolveIn(opfPath, attribute(element, 'href') ?? '')?.path ?? '');
    const id = attribute(element, 'id') ?? '';
    if (path === undefined || items.has(id)) continue;
    items.set(id, {
      id,
      path,
      mediaType: (attribute(element, 'media-type') ?? '').toLowerCase(),
      properties: words(attribute(element, 'properties')),
      fallback: attribute(element, 'fallback'),
    });
  }
  return items;
}

/** The documents to read in order, and behind them those that only links lead to. */
function readSpine(
  spine: Element,
  items: ReadonlyMap<string, Item>,
  metadata: Element | Document,
  text: (name: string) => string | undefined,
): { documents: BookDocument[]; rest: BookDocument[] } {
  const fixedBook = [...elementsIn(metadata, 'meta')].some(
    (each) => attribute(each, 'property') === 'rendition:layout' && textOf(each) === 'pre-paginated',
  );
  const [documents, rest, seen]: [BookDocument[], BookDocument[], Set<string>] = [[], [], new Set()];
  let size = 0;
  for (const reference of childrenOf(spine, 'itemref')) {
    const item = readable(items.get(attribute(reference, 'idref') ?? ''), items);
    if (item === undefined || seen.has(item.path)) continue;
    seen.add(item.path);
    if (seen.size > bookLimits.documents) throw refuseBook(`it has more than ${bookLimits.documents} documents`);
    const source = text(item.path) ?? '';
    if ((size += source.length) > bookLimits.markup)
      throw refuseBook(`its documents have more than ${bookLimits.markup} characters`);
    const picture = item.mediaType.startsWith('image/');
    const markup = picture
      ? `<html><body><img alt="" src="${encodeURI(item.path.split('/').at(-1) ?? '')}"/></body></html>`
      : source;
    const properties = words(attribute(reference, 'properties'));
    const fixed =
      properties.includes('rendition:layout-pre-paginated') ||
      (fixedBook && !properties.includes('rendition:layout-reflowable'));
    const page = fixed ? viewport(picture && item.mediaType !== 'image/svg+xml' ? '' : source) : undefined;
    const place = attribute(reference, 'linear') === 'no' && documents.length > 0 ? rest : documents;
    place.push({ path: item.path, markup, ...(page === undefined ? {} : { page }) });
  }
  return { documents, rest };
}

/** The item itself, or its fallback if readers cannot show it (EPUB 3.3, 3.5.1). */
function readable(item: Item | undefined, items: ReadonlyMap<string, Item>): Item | undefined {
  let found = item;
  for (let hop = 0; found !== undefined && hop < 8; hop++) {
    if (
      /^(?:application\/xhtml\+xml|text\/html|text\/x-oeb1-document|application\/xml|image\/.*|)$/.test(
        found.mediaType,
      ) ||
      /\.x?html?$/i.test(found.path)
    )
      return found;
    found = items.get(found.fallback ?? '');
  }
  return undefined;
}

/** Size of a page that is laid out by the book: that of its viewport, or of its drawing (EPUB 3.3, 8.2.2.6). */
function viewport(source: string): { width: number; height: number } | undefined {
  const head = source.slice(0, MAX_HEAD);
  const meta =
    [...head.matchAll(/<meta\b[^>]{0,1000}>/gi)]
      .map(([tag]) => tag)
      .find((tag) => /\bname\s*=\s*["']viewport["']/i.test(tag)) ?? '';
  const box =
    /\bviewBox\s{0,9}=\s{0,9}["']\s{0,9}[-\d.]{1,20}[\s,]{1,9}[-\d.]{1,20}[\s,]{1,9}([\d.]{1,20})[\s,]{1,9}([\d.]{1,20})/i.exec(
      head,
    );
  const size = (name: string): number =>
    Number(new RegExp(`\\b${name}\\s*=\\s*([\\d.]+)`, 'i').exec(meta)?.[1] ?? Number.NaN);
  const [width, height] = [size('width') || Number(box?.[1]), size('height') || Number(box?.[2])];
  return width >= 10 && height >= 10 && width <= 10_000 && height <= 10_000 ? { width, height } : undefined;
}

function coverPath(items: ReadonlyMap<string, Item>, metadata: Element | Document): string | undefined {
  const named = [...elementsIn(metadata, 'meta')].find((each) => attribute(each, 'name') === 'cover');
  const item =
    [...items.values()].find(({ properties }) => properties.includes('cover-image')) ??
    items.get(named === undefined ? '' : (attribute(named, 'content') ?? ''));
  return item?.mediaType.startsWith('image/') === true ? item.path : undefined;
}

function words(text: string | undefined): string[] {
  return (text ?? '').split(/\s+/).filter((word) => word !== '');
}
