import type { Element, Node } from '@xmldom/xmldom';
import { DocumentError } from '../../errors.js';
import { parseXml, XmlFault } from '../../file/xml/dom/index.js';
import { escapeXml } from '../../file/xml/index.js';
import { unreadable } from '../../images/picture-checks.js';
import { isInterrupted, withinTime } from '../../interrupt.js';

/** An SVG with nothing in it but drawing: no scripts, no events, nothing from outside. */
export interface CleanSvg {
  readonly text: string;
  /** Size in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Points of one pixel: 1, or 72/96 where the document gives its size in units of length. */
  readonly scale: number;
}

/** Width and height in CSS pixels. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
}

const MAX_BYTES = 20 * 1024 * 1024;
/** Elements within each other; the drawing library calls itself for each. */
const MAX_DEPTH = 100;
/** Elements that are drawn, each as often as it is used. */
const MAX_DRAWN = 200_000;
const MAX_SIDE = 100_000;
/** Declarations of entities in front of the drawing, in characters. */
const MAX_SUBSET = 100_000;
/** For each step of the work on one drawing; a page that takes longer would take as long in every reader. */
const TIME_MS = 20_000;
/** The size of a drawing that gives none (CSS 2.1, 10.3.2). */
const FALLBACK = { width: 300, height: 150 } as const;

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
const drawn: ReadonlySet<string> = new Set([
  'svg',
  'g',
  'a',
  'switch',
  'defs',
  'symbol',
  'use',
  'image',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'path',
  'text',
  'tspan',
  'textPath',
  'linearGradient',
  'radialGradient',
  'stop',
  'pattern',
  'clipPath',
  'mask',
  'marker',
  'style',
]);

/**
 * Parses an SVG strictly and rewrites it with drawing elements only. Images must be data URLs; everything else that
 * refers out of the file is refused. `picture` converts an unsupported image to a data URL that the drawing library
 * reads; `viewport` is the size of a drawing without one, by default its view box. Throws IMAGE_UNREADABLE and
 * INPUT_TOO_COMPLEX.
 */
export async function cleanSvg(
  bytes: Uint8Array,
  field: string,
  picture: (dataUrl: string) => Promise<string>,
  viewport?: Viewport,
): Promise<CleanSvg> {
  if (bytes.length > MAX_BYTES) throw tooComplex('bytes of an SVG', MAX_BYTES);
  const { root, size } = inTime(() => {
    const parsed = parse(withoutDoctype(decode(bytes), field), field);
    checkWork(parsed);
    return { root: parsed, size: sizeOf(parsed, viewport) };
  });
  if (!(size.width > 0 && size.height > 0 && size.width <= MAX_SIDE && size.height <= MAX_SIDE))
    throw unreadable(field, 'its width and height are not a usable size');
  const pictures = new Map<string, string>();
  for (const image of elementsOf(root, 'image')) {
    const link = linkOf(image);
    if (link.startsWith('data:') && !pictures.has(link)) pictures.set(link, await picture(link));
  }
  const attributes = ` width="${size.width}" height="${size.height}"`;
  return { text: inTime(() => write(root, { field, pictures }, attributes)), ...size };
}

/** Runs what a hostile drawing could make endless; INPUT_TOO_COMPLEX when it takes too long. */
export function inTime<T>(work: () => T): T {
  try {
    return withinTime(TIME_MS, work);
  } catch (error) {
    throw isInterrupted(error) ? tooComplex('seconds to draw an SVG', TIME_MS / 1000) : error;
  }
}

/** UTF-8 unless a byte order mark or the XML declaration says otherwise. */
function decode(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const marked = head.startsWith('\xff\xfe') ? 'utf-16le' : head.startsWith('\xfe\xff') ? 'utf-16be' : undefined;
  const declared = /^[^<]*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]{1,40})["']/.exec(head)?.[1];
  try {
    return new TextDecoder(marked ?? declared ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/**
 * Removes the doctype. Drawing programs declare entities for short texts (namespaces) in it; those are expanded once.
 * Nested and external entities are refused.
 */
function withoutDoctype(text: string, field: string): string {
  const pattern = /<!DOCTYPE\b[^[>]*(?:\[([\s\S]*?)\]\s*)?>/iy;
  pattern.lastIndex = Math.max(0, text.search(/<!DOCTYPE\b/i));
  const doctype = pattern.exec(text);
  if (doctype === null) return text;
  if (doctype[0].length > MAX_SUBSET) throw tooComplex('characters of a document type', MAX_SUBSET);
  const rest = text.slice(0, doctype.index) + text.slice(doctype.index + doctype[0].length);
  const entities = new Map<string, string>();
  for (const declaration of (doctype[1] ?? '').matchAll(/<!ENTITY\s+([^>]*)>/g)) {
    const [, name, , value] = /^([\w.-]+)\s+(["'])([^&%<]{0,2000})\2\s*$/.exec(declaration[1] ?? '') ?? [];
    if (name === undefined || value === undefined)
      throw unreadable(field, 'it declares entities that stand for others or for files');
    entities.set(name, value);
  }
  let grown = rest.length;
  return entities.size === 0
    ? rest
    : rest.replace(/&([\w.-]+);/g, (whole, name: string) => {
        const value = entities.get(name);
        grown += value?.length ?? 0;
        if (grown > MAX_BYTES) throw tooComplex('bytes of an SVG', MAX_BYTES);
        return value ?? whole;
      });
}

function parse(text: string, field: string): Element {
  try {
    const { root } = parseXml(text.trim(), { mediaType: 'image/svg+xml' });
    if (root.localName === 'svg') return root;
  } catch (error) {
    if (error instanceof XmlFault) throw unreadable(field, error.message.slice(0, 120));
    throw error;
  }
  throw unreadable(field, 'its root element is not svg');
}

/** True for elements of SVG; files without any namespace are read as well. */
function isDrawn(element: Element): boolean {
  return (
    (element.namespaceURI === null || element.namespaceURI === '' || element.namespaceURI === SVG_NAMESPACE) &&
    drawn.has(element.localName ?? '')
  );
}

function isElement(node: Node): node is Element {
  return node.nodeType === 1;
}

function childrenOf(element: Element): Element[] {
  return [...element.childNodes].filter(isElement).filter(isDrawn);
}

function* elementsOf(root: Element, name?: string): Generator<Element> {
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (name === undefined || next.localName === name) yield next;
    waiting.push(...childrenOf(next));
  }
}

/** Counts what will be drawn with every use of every element, so that a few lines cannot ask for millions. */
function checkWork(root: Element): void {
  const byId = new Map<string, Element>();
  for (const element of elementsOf(root)) {
    const id = element.getAttribute('id');
    if (id !== null && id !== '' && !byId.has(id)) byId.set(id, element);
  }
  const weights = new Map<Element, number>();
  const weigh = (element: Element, depth: number): number => {
    if (depth > MAX_DEPTH) throw tooComplex('SVG elements within each other', MAX_DEPTH);
    const known = weights.get(element);
    if (known !== undefined) return known;
    // The library does not draw elements that use themselves.
    weights.set(element, 0);
    let weight = 1;
    for (const child of childrenOf(element)) weight += weigh(child, depth + 1);
    for (const id of usedIds(element)) {
      const target = byId.get(id);
      if (target !== undefined) weight += weigh(target, depth + 1);
    }
    if (weight > MAX_DRAWN) throw tooComplex('SVG elements', MAX_DRAWN);
    weights.set(element, weight);
    return weight;
  };
  weigh(root, 0);
}

function usedIds(element: Element): string[] {
  const ids: string[] = [];
  for (const { value } of element.attributes) {
    if (value.startsWith('#')) ids.push(value.slice(1));
    for (const [, id] of value.matchAll(/url\(\s*['"]?#([^'")]+)/g)) if (id !== undefined) ids.push(id);
  }
  return ids;
}

function linkOf(element: Element): string {
  const link = [...element.attributes].find(({ localName, name }) => (localName ?? name) === 'href');
  return link?.value.trim() ?? '';
}

interface Writing {
  readonly field: string;
  readonly pictures: ReadonlyMap<string, string>;
}

function write(element: Element, writing: Writing, given = ''): string {
  // The library knows no switch; what it would leave out has no place here anyway.
  const name = element.localName === 'switch' ? 'g' : (element.localName ?? 'g');
  const attributes = [...element.attributes].map(({ name: key, localName, value }) =>
    attribute(element, localName ?? key, key, value, writing, given !== ''),
  );
  const inside =
    name === 'style'
      ? escapeXml(cleanStyles(element.textContent ?? '', writing))
      : [...element.childNodes]
          .map((node) => {
            if (isElement(node)) return isDrawn(node) ? write(node, writing) : '';
            return node.nodeType === 3 || node.nodeType === 4 ? escapeXml(node.nodeValue ?? '') : '';
          })
          .join('');
  const [around, own] = split(element, attributes);
  const written = `<${name}${given}${own.join('')}>${inside}</${name}>`;
  return around.length === 0 ? written : `<g${around.join('')}>${written}</g>`;
}

const shapes: ReadonlySet<string> = new Set(['rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'path']);

/**
 * Clips and masks of a shape go to a group around it, with the transformation that they share: some readers show
 * nothing of a pattern that is painted while a mask holds.
 */
function split(element: Element, attributes: readonly string[]): [string[], string[]] {
  const isAround = (attribute: string): boolean => /^ (?:clip-path|mask|transform)=/.test(attribute);
  const parent = element.parentNode;
  // A clip path holds shapes alone, no groups (SVG 1.1, 14.3.5).
  const inClip = parent !== null && isElement(parent) && parent.localName === 'clipPath';
  const covered =
    !inClip &&
    shapes.has(element.localName ?? '') &&
    attributes.some((attribute) => /^ (?:clip-path|mask)=/.test(attribute));
  return covered
    ? [attributes.filter(isAround), attributes.filter((attribute) => !isAround(attribute))]
    : [[], [...attributes]];
}

function attribute(
  element: Element,
  local: string,
  key: string,
  value: string,
  writing: Writing,
  isRoot: boolean,
): string {
  if (
    /^on/i.test(local) ||
    key.startsWith('xmlns') ||
    key === 'xml:base' ||
    (isRoot && (local === 'width' || local === 'height'))
  )
    return '';
  if (local === 'href') {
    if (element.localName === 'a') return '';
    const link = value.trim();
    if (element.localName === 'image') {
      const picture = writing.pictures.get(link);
      if (picture !== undefined) return ` xlink:href="${escapeXml(picture)}"`;
    }
    if (!link.startsWith('#')) throw outside(link, writing.field);
    return ` xlink:href="${escapeXml(link)}"`;
  }
  checkUrls(value, writing.field);
  return /^[\w:.-]+$/.test(key)
    ? ` ${key.includes(':') && !key.startsWith('xml:') ? local : key}="${escapeXml(value)}"`
    : '';
}

/** Fonts from elsewhere are left out: text is drawn with the built-in ones. */
function cleanStyles(styles: string, { field }: Writing): string {
  const own = withoutComments(styles).replace(/@font-face\s*\{[^}]*\}/gi, '');
  const imported = /@import\s+(?:url\()?\s*["']?([^"');]*)/i.exec(own)?.[1];
  if (imported !== undefined) throw outside(imported, field);
  checkUrls(own, field);
  return own;
}

function withoutComments(styles: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let start = styles.indexOf('/*'); start >= 0; start = styles.indexOf('/*', at)) {
    parts.push(styles.slice(at, start));
    const end = styles.indexOf('*/', start + 2);
    at = end < 0 ? styles.length : end + 2;
  }
  return parts.join('') + styles.slice(at);
}

function checkUrls(value: string, field: string): void {
  const url = /url\(\s*(?:["']\s*)?([^"')#\s][^"')]*)/i.exec(value)?.[1];
  if (url !== undefined) throw outside(url, field);
}

/** Pixels of each unit (CSS 2.1, 4.3.2). */
const units: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
  em: 16,
  ex: 8,
};

function sizeOf(root: Element, viewport: Viewport | undefined): { width: number; height: number; scale: number } {
  const side = (name: string): { readonly pixels: number; readonly unit: string } | undefined => {
    const [, number, unit = ''] =
      /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)\s*$/i.exec(root.getAttribute(name) ?? '') ?? [];
    const factor = units[unit.toLowerCase()];
    return number === undefined || factor === undefined
      ? undefined
      : { pixels: Number(number) * factor, unit: unit.toLowerCase() };
  };
  const [width, height] = [side('width'), side('height')];
  if (width === undefined && height === undefined && viewport !== undefined) return { ...viewport, scale: 1 };
  const box = (root.getAttribute('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [boxWidth, boxHeight] =
    box.length === 4 && box[2]! > 0 && box[3]! > 0 ? [box[2]!, box[3]!] : [undefined, undefined];
  const ratio = boxWidth === undefined || boxHeight === undefined ? undefined : boxHeight / boxWidth;
  const scale = ['pt', 'pc', 'mm', 'cm', 'in'].includes((width ?? height)?.unit ?? '') ? 72 / 96 : 1;
  return {
    width:
      width?.pixels ??
      (height !== undefined && ratio !== undefined ? height.pixels / ratio : (boxWidth ?? FALLBACK.width)),
    height:
      height?.pixels ??
      (width !== undefined && ratio !== undefined ? width.pixels * ratio : (boxHeight ?? FALLBACK.height)),
    scale,
  };
}

function outside(link: string, field: string): DocumentError {
  return unreadable(field, `it refers to something outside of the file (${link.slice(0, 60)})`);
}

function tooComplex(resource: string, limit: number): DocumentError {
  return new DocumentError('INPUT_TOO_COMPLEX', { resource, limit });
}
