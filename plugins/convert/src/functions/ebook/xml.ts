import { decodeWindows1252 } from '@quire/document/file/charsets';
import { type AnyNode, type Document, type Element, isTag, isText, isCDATA, hasChildren } from 'domhandler';
import { parseDocument } from 'htmlparser2';

/**
 * Reads XML as far as it goes. Document types are passed over, so entities that they declare stay as they are written
 * and nothing is looked up.
 */
export function parseXml(text: string): Document {
  return parseDocument(text, { xmlMode: true, decodeEntities: true });
}

/** Reads XHTML that may be none: what is empty may close itself, and the entities of HTML are known. */
export function parseXhtml(text: string): Document {
  return parseDocument(text, { recognizeSelfClosing: true, recognizeCDATA: true, decodeEntities: true });
}

/** Name without prefix, in lower case. */
export function localName({ name }: Element): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

/** The elements within in document order, of this name or of all; however deep they lie, since no call nests. */
export function* elementsIn(root: AnyNode, name?: string): Generator<Element> {
  const stack: AnyNode[] = hasChildren(root) ? root.children.slice().reverse() : [];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (isTag(node) && (name === undefined || localName(node) === name)) yield node;
    if (hasChildren(node)) for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
  }
}

/** The first element of this name within. */
export function firstIn(root: AnyNode, name: string): Element | undefined {
  for (const element of elementsIn(root, name)) return element;
  return undefined;
}

/** Child elements, of this name or all. */
export function childrenOf(root: AnyNode, name?: string): Element[] {
  return hasChildren(root)
    ? root.children.filter((node): node is Element => isTag(node) && (name === undefined || localName(node) === name))
    : [];
}

/** An attribute by its name without prefix. */
export function attribute(element: Element, name: string): string | undefined {
  if (element.attribs[name] !== undefined) return element.attribs[name];
  const key = Object.keys(element.attribs).find((each) => each.slice(each.indexOf(':') + 1).toLowerCase() === name);
  return key === undefined ? undefined : element.attribs[key];
}

/** The text within, blanks joined. */
export function textOf(root: AnyNode, limit = 1000): string {
  let text = '';
  const stack: AnyNode[] = [root];
  for (let node = stack.pop(); node !== undefined && text.length < limit * 4; node = stack.pop()) {
    if (isText(node)) text += node.data;
    else if (isCDATA(node) || hasChildren(node))
      for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, limit);
}

/**
 * Text of an XML or HTML file in its own encoding: byte order mark, then the declaration, then UTF-8, then
 * windows-1252.
 */
export function decodeMarkup(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const marked = head.startsWith('\u00ff\u00fe')
    ? 'utf-16le'
    : head.startsWith('\u00fe\u00ff')
      ? 'utf-16be'
      : head.startsWith('\u00ef\u00bb\u00bf')
        ? 'utf-8'
        : head.startsWith('<\0')
          ? 'utf-16le'
          : head.startsWith('\0<')
            ? 'utf-16be'
            : undefined;
  const named =
    marked ??
    /^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]{2,40})/i.exec(head)?.[1] ??
    /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{2,40})/i.exec(head)?.[1] ??
    'utf-8';
  try {
    const decoder = new TextDecoder(named, { fatal: /^utf-?8$/i.test(named) });
    return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes);
  } catch {
    return decodeWindows1252(bytes);
  }
}
