import type { AnyNode, Element } from 'domhandler';
import { type BookEntry, bookLimits, resolveIn } from './book.js';
import { attribute, childrenOf, elementsIn, firstIn, localName, parseXhtml, parseXml, textOf } from './xml.js';

/** Reads the table of contents of a navigation document (EPUB 3.3, 7.4.1). */
export function readNav(text: string, path: string): BookEntry[] {
  const root = parseXhtml(text);
  const navs = [...elementsIn(root, 'nav')];
  const toc =
    navs.find((each) => (attribute(each, 'type') ?? '').split(/\s+/).includes('toc')) ??
    navs.find((each) => attribute(each, 'role') === 'doc-toc') ??
    navs[0];
  const list = toc === undefined ? undefined : firstIn(toc, 'ol');
  if (list === undefined) return [];
  const count = { left: bookLimits.entries };
  const read = (ol: Element, depth: number): BookEntry[] =>
    childrenOf(ol, 'li').flatMap((item) => {
      if (count.left-- <= 0) return [];
      const label = childrenOf(item).find((each) => localName(each) !== 'ol');
      const below = childrenOf(item, 'ol')[0];
      const link = label === undefined ? undefined : localName(label) === 'a' ? label : firstIn(label, 'a');
      return entryOf(
        label,
        link === undefined ? undefined : attribute(link, 'href'),
        path,
        below === undefined || depth >= bookLimits.depth ? [] : read(below, depth + 1),
      );
    });
  return read(list, 1);
}

/** Reads an NCX (OPF 2.0.1, 2.4.1). */
export function readNcx(text: string, path: string): BookEntry[] {
  const map = firstIn(parseXml(text), 'navmap');
  if (map === undefined) return [];
  const count = { left: bookLimits.entries };
  const read = (parent: Element, depth: number): BookEntry[] =>
    childrenOf(parent, 'navpoint').flatMap((point) => {
      if (count.left-- <= 0) return [];
      const [label, content] = [childrenOf(point, 'navlabel')[0], childrenOf(point, 'content')[0]];
      return entryOf(
        label,
        content === undefined ? undefined : attribute(content, 'src'),
        path,
        depth >= bookLimits.depth ? [] : read(point, depth + 1),
      );
    });
  return read(map, 1);
}

/** An entry; without a title its children take its place. */
function entryOf(
  label: AnyNode | undefined,
  href: string | undefined,
  path: string,
  children: BookEntry[],
): BookEntry[] {
  const title = label === undefined ? '' : textOf(label, 500);
  if (title === '') return children;
  const place = href === undefined ? undefined : resolveIn(path, href);
  return [
    {
      title,
      ...(place === undefined
        ? {}
        : { target: place.fragment === '' ? place.path : `${place.path}#${place.fragment}` }),
      children,
    },
  ];
}
