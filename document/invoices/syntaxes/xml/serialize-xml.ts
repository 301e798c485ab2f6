import { escapeXml } from '../../../file/xml/index.js';
import type { XmlElement } from './element.js';
import { namespaceOf } from './namespaces.js';

/**
 * Writes elements as XML in UTF-8, indented by two spaces, by their qualified names. The root declares the namespaces;
 * that of `bare` has no prefix.
 */
export function serializeXml(root: XmlElement, prefixes: readonly string[], bare?: string): string {
  const declarations = prefixes.map((prefix) => ` xmlns:${prefix}="${namespaceOf(prefix)}"`);
  if (bare !== undefined) declarations.unshift(` xmlns="${namespaceOf(bare)}"`);
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  write(root, { parts, bare, indent: '', declarations: declarations.join('') });
  return parts.join('');
}

interface Writing {
  readonly parts: string[];
  readonly bare: string | undefined;
  readonly indent: string;
  readonly declarations: string;
}

function write(element: XmlElement, writing: Writing): void {
  const { parts, bare, indent, declarations } = writing;
  const name = element.qname.startsWith(`${bare}:`) ? element.name : element.qname;
  parts.push(indent, '<', name, declarations);
  for (const [key, value] of element.attributes) parts.push(' ', key, '="', attributeText(value), '"');
  if (element.children.length === 0) {
    parts.push(element.text === '' ? '/>\n' : `>${contentText(element.text)}</${name}>\n`);
    return;
  }
  parts.push('>\n');
  const inner = { ...writing, indent: `${indent}  `, declarations: '' };
  for (const child of element.children) write(child, inner);
  parts.push(indent, '</', name, '>\n');
}

/** A carriage return that is not escaped is a line feed for every reader (XML 1.0, 2.11). */
function contentText(text: string): string {
  return escapeXml(text).replaceAll('\r', '&#13;');
}

/** White space in attributes is a blank for every reader, unless it is escaped (XML 1.0, 3.3.3). */
function attributeText(text: string): string {
  return escapeXml(text).replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
