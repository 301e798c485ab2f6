import { withoutElements } from './xml-elements.js';
import { escapeXml, unescapeXml } from '../../file/xml/index.js';

/** This file edits XMP packets as text, so that everything else in a packet stays byte for byte the same. */

const DC = 'http://purl.org/dc/elements/1.1/';
const PDF = 'http://ns.adobe.com/pdf/1.3/';
const XMP = 'http://ns.adobe.com/xap/1.0/';
const PAGED = 'http://ns.adobe.com/xap/1.0/t/pg/';
const EXTENSION = 'http://www.aiim.org/pdfa/ns/extension/';

/** Namespaces of claims to standards, with the properties for part and level. */
const CLAIMS = {
  'PDF/A': { namespace: 'http://www.aiim.org/pdfa/ns/id/', properties: ['part', 'conformance', 'rev'] },
  'PDF/UA': { namespace: 'http://www.aiim.org/pdfua/ns/id/', properties: ['part', 'rev'] },
  'PDF/X': { namespace: 'http://www.npes.org/pdfx/ns/id/', properties: ['GTS_PDFXVersion'] },
  'PDF/E': { namespace: 'http://www.aiim.org/pdfe/ns/id/', properties: ['ISO_PDFEVersion', 'part', 'rev'] },
  'PDF/VT': { namespace: 'http://www.npes.org/pdfvt/ns/id/', properties: ['GTS_PDFVTVersion'] },
  WTPDF: { namespace: 'http://pdfa.org/declarations/', properties: ['declarations'] },
} as const;

/** A standard that a document can claim to conform to. */
export type Standard = keyof typeof CLAIMS;

/** The XMP properties of the entries of the information dictionary (ISO 19005-1, table 1). */
const PROPERTIES = {
  Title: { namespace: DC, prefix: 'dc', name: 'title', list: 'Alt' },
  Author: { namespace: DC, prefix: 'dc', name: 'creator', list: 'Seq' },
  Subject: { namespace: DC, prefix: 'dc', name: 'description', list: 'Alt' },
  Keywords: { namespace: PDF, prefix: 'pdf', name: 'Keywords', list: undefined },
  Creator: { namespace: XMP, prefix: 'xmp', name: 'CreatorTool', list: undefined },
  Producer: { namespace: PDF, prefix: 'pdf', name: 'Producer', list: undefined },
  CreationDate: { namespace: XMP, prefix: 'xmp', name: 'CreateDate', list: undefined },
  ModDate: { namespace: XMP, prefix: 'xmp', name: 'ModifyDate', list: undefined },
  Trapped: { namespace: PDF, prefix: 'pdf', name: 'Trapped', list: undefined },
} as const;

/** An entry of the information dictionary with an equivalent in XMP. */
export type InfoKey = keyof typeof PROPERTIES;
/** All entries of the information dictionary with an equivalent in XMP. */
export const INFO_KEYS = Object.keys(PROPERTIES) as InfoKey[];

/** Returns the claims of a packet, each standard with its part and level: `PDF/A` to `2|B|`. */
export function claimsOf(xmp: string): Map<Standard, string> {
  const claims = new Map<Standard, string>();
  for (const [standard, { namespace, properties }] of Object.entries(CLAIMS) as [
    Standard,
    (typeof CLAIMS)[Standard],
  ][]) {
    const values = properties.map((name) => simpleValues(xmp, namespace, name)[0]);
    if (values.some((value) => value !== undefined))
      claims.set(standard, values.map((value) => value?.toUpperCase() ?? '').join('|'));
  }
  return claims;
}

/**
 * Removes claims from a packet; along with PDF/A also the descriptions of extension schemas, which only PDF/A requires.
 */
export function withoutClaims(xmp: string, standards: Iterable<Standard>): string {
  let text = xmp;
  for (const standard of standards) {
    text = withoutNamespace(text, CLAIMS[standard].namespace);
    if (standard === 'PDF/A') text = withoutNamespace(text, EXTENSION);
  }
  return text;
}

/** Removes properties of the document as a whole: page count, fonts, inks, and thumbnail. */
export function withoutPageFacts(xmp: string): string {
  const paged = withoutNamespace(xmp, PAGED);
  return withoutElements(paged, isOneOf(prefixesOf(paged, XMP).map((prefix) => `${prefix}:Thumbnails`)));
}

/**
 * Returns the value of an information dictionary entry in a packet (the first author, the default language), or
 * undefined.
 */
export function infoValue(xmp: string, key: InfoKey): string | undefined {
  const { namespace, name, list } = PROPERTIES[key];
  if (list === undefined) return simpleValues(xmp, namespace, name)[0];
  for (const prefix of prefixesOf(xmp, namespace)) {
    const whole = elementOf(xmp, `${prefix}:${name}`);
    const items = whole === undefined ? [] : [...whole.body.matchAll(/<rdf:li(\s[^<>]*)?>([^<]*)<\/rdf:li>/g)];
    const item = items.find(([, attributes = '']) => attributes.includes('x-default')) ?? items[0];
    if (item !== undefined)
      return list === 'Seq' && items.length > 1
        ? items.map(([, , text = '']) => unescapeXml(text)).join('; ')
        : unescapeXml(item[2] ?? '');
  }
  return undefined;
}

/** Sets the value of an information dictionary entry in a packet, at its current place or in a new description. */
export function withInfoValue(xmp: string, key: InfoKey, value: string): string {
  const { namespace, prefix: usual, name, list } = PROPERTIES[key];
  const body = escapeXml(value);
  const content =
    list === undefined
      ? body
      : `<rdf:${list}><rdf:li${list === 'Alt' ? ' xml:lang="x-default"' : ''}>${body}</rdf:li></rdf:${list}>`;
  for (const prefix of prefixesOf(xmp, namespace)) {
    const element = elementOf(xmp, `${prefix}:${name}`);
    if (element !== undefined) {
      const replacement = `<${prefix}:${name}${element.attributes}>${content}</${prefix}:${name}>`;
      return xmp.slice(0, element.start) + replacement + xmp.slice(element.end);
    }
    const attribute = new RegExp(`(\\s${prefix}:${name}\\s*=\\s*)(?:"[^"]*"|'[^']*')`);
    if (list === undefined && attribute.test(xmp))
      return xmp.replace(attribute, (_whole, open: string) => `${open}"${body}"`);
  }
  const description =
    `<rdf:Description rdf:about="" ` +
    `xmlns:${usual}="${namespace}"><${usual}:${name}>${content}</${usual}:${name}></rdf:Description>\n`;
  return xmp.replace('</rdf:RDF>', () => `${description}</rdf:RDF>`);
}

/** Removes an information dictionary entry from a packet, wherever it occurs. */
export function withoutInfoValue(xmp: string, key: InfoKey): string {
  const { namespace, name } = PROPERTIES[key];
  const prefixes = prefixesOf(xmp, namespace);
  if (prefixes.length === 0) return xmp;
  const names = prefixes.map((prefix) => `${prefix}:${name}`);
  return withoutElements(xmp, isOneOf(names)).replace(
    new RegExp(`\\s(?:${names.join('|')})\\s*=\\s*(?:"[^"]*"|'[^']*')`, 'g'),
    '',
  );
}

interface Element {
  readonly start: number;
  readonly end: number;
  readonly attributes: string;
  readonly body: string;
}

/**
 * Returns the first element of a name; undefined if there is none or it is unterminated. Runs in linear time, since
 * packets may be hostile.
 */
function elementOf(xmp: string, name: string): Element | undefined {
  const open = new RegExp(`<${name}((?:\\s[^<>]*?)?)(/?)>`).exec(xmp);
  if (open === null) return undefined;
  const [tag, attributes = '', empty] = open;
  const from = open.index + tag.length;
  if (empty === '/') return { start: open.index, end: from, attributes, body: '' };
  const close = `</${name}>`;
  const at = xmp.indexOf(close, from);
  return at < 0 ? undefined : { start: open.index, end: at + close.length, attributes, body: xmp.slice(from, at) };
}

/** Returns the value of a simple property, or undefined: an element's text or an attribute of a description. */
export function propertyOf(xmp: string, namespace: string, name: string): string | undefined {
  return simpleValues(xmp, namespace, name)[0];
}

function simpleValues(xmp: string, namespace: string, name: string): string[] {
  return prefixesOf(xmp, namespace).flatMap((prefix) => {
    const attribute = new RegExp(`\\s${prefix}:${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(xmp);
    const value = elementOf(xmp, `${prefix}:${name}`)?.body ?? attribute?.[1] ?? attribute?.[2];
    return value === undefined ? [] : [unescapeXml(value.trim())];
  });
}

/** Removes all properties of a namespace from a packet, with its declarations. */
export function withoutNamespace(xmp: string, namespace: string): string {
  const prefixes = prefixesOf(xmp, namespace);
  if (prefixes.length === 0) return xmp;
  const names = prefixes.join('|');
  return withoutElements(xmp, ofPrefix(prefixes))
    .replace(new RegExp(`\\s(?:${names}):[\\w.-]+\\s*=\\s*(?:"[^"]*"|'[^']*')`, 'g'), '')
    .replace(new RegExp(`\\sxmlns:(?:${names})\\s*=\\s*(?:"[^"]*"|'[^']*')`, 'g'), '');
}

function isOneOf(names: readonly string[]): (name: string) => boolean {
  const set = new Set(names);
  return (name) => set.has(name);
}

function ofPrefix(prefixes: readonly string[]): (name: string) => boolean {
  const set = new Set(prefixes);
  return (name) => name.includes(':') && set.has(name.split(':', 1)[0] ?? '');
}

/**
 * Returns the prefixes of a namespace in a packet; those with characters that are special in patterns are not valid
 * names (XML 1.0, 2.3).
 */
function prefixesOf(xmp: string, namespace: string): string[] {
  const slashed = (uri: string | undefined): string | undefined => uri?.replace(/\/?$/, '/');
  const prefixes = [...xmp.matchAll(/\sxmlns:([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].filter(
    ([, , a, b]) => slashed(a ?? b) === slashed(namespace),
  );
  return [...new Set(prefixes.map(([, prefix = '']) => prefix))];
}
