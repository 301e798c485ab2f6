import sax from 'sax';
import { decodeXmlText } from '../../../file/xml/index.js';
import { XmlElement } from './element.js';
import { InvoiceXmlError } from './invoice-xml-error.js';
import { qualifiedName } from './namespaces.js';
import { normaliseLineEnds, trimXml } from './white-space.js';

/** Invoices nest about ten deep; sub lines of XRechnung add some. */
const MAX_DEPTH = 100;
/** An invoice of 10,000 lines has about half a million elements. */
const MAX_ELEMENTS = 2_000_000;

const REPLACEMENT = '\uFFFD';
const REPLACEMENT_UTF8 = Buffer.from(REPLACEMENT);
/** Characters that XML 1.0 does not allow (2.2). */
// oxlint-disable-next-line no-control-regex -- the characters themselves are looked for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** Parses XML without a document type into elements. Throws InvoiceXmlError for all that is not well-formed. */
export function parseInvoiceXml(bytes: Uint8Array): XmlElement {
  const text = textOf(bytes);
  const builder = new TreeBuilder(text);
  builder.parse();
  return builder.root();
}

function textOf(bytes: Uint8Array): string {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = decodeXmlText(data, () => new InvoiceXmlError('The encoding of the XML file is unknown.', 1));
  const replaced = text.indexOf(REPLACEMENT);
  if (replaced !== -1 && !data.includes(REPLACEMENT_UTF8))
    throw new InvoiceXmlError('A character is not in the encoding that the XML file declares.', lineAt(text, replaced));
  const forbidden = text.search(FORBIDDEN);
  if (forbidden !== -1)
    throw new InvoiceXmlError('A control character is in the file, which XML does not allow.', lineAt(text, forbidden));
  return normaliseLineEnds(text);
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let next = text.indexOf('\n'); next !== -1 && next < index; next = text.indexOf('\n', next + 1)) line++;
  return line;
}

interface ElementName {
  readonly name: string;
  readonly namespace: string;
  readonly prefix: string;
  readonly qname: string;
}

class TreeBuilder {
  readonly #parser = sax.parser(true, { xmlns: true, position: true });
  readonly #open: XmlElement[] = [];
  /** By the name as it is written; a prefix can stand for another namespace later. */
  readonly #names = new Map<string, ElementName>();
  #root: XmlElement | undefined;
  #count = 0;
  #line = 1;

  constructor(private readonly source: string) {
    this.#parser.onerror = (error) => {
      throw this.#error(`The file is not well-formed XML: ${sentence(error.message)}`);
    };
    this.#parser.ondoctype = () => {
      throw this.#error('The file has a document type (DOCTYPE). Remove it: an invoice needs none.');
    };
    this.#parser.onopentagstart = () => {
      this.#line = this.#parser.line + 1;
    };
    this.#parser.onopentag = (tag) => this.#start(tag as sax.QualifiedTag);
    this.#parser.onclosetag = () => this.#end();
    this.#parser.ontext = (text) => this.#text(text);
    this.#parser.oncdata = (text) => this.#text(text);
  }

  parse(): void {
    this.#parser.write(this.source).close();
  }

  root(): XmlElement {
    if (this.#root === undefined) throw new InvoiceXmlError('The file has no XML element.');
    return this.#root;
  }

  #start(tag: sax.QualifiedTag): void {
    const parent = this.#open.at(-1);
    if (parent === undefined && this.#root !== undefined) throw this.#error('The file has a second root element.');
    if (this.#open.length >= MAX_DEPTH) throw this.#error(`Elements are nested deeper than ${MAX_DEPTH}.`);
    if (++this.#count > MAX_ELEMENTS) throw this.#error(`The file has more than ${MAX_ELEMENTS} elements.`);
    const { name, namespace, prefix, qname } = this.#nameOf(tag);
    const element = new XmlElement(name, namespace, prefix, qname, this.#line, parent);
    this.#readAttributes(element, tag);
    parent?.append(element);
    this.#root ??= element;
    this.#open.push(element);
  }

  /** One string for each name: a large invoice repeats some fifty of them, each ten thousand times. */
  #nameOf({ uri, local, prefix, name }: sax.QualifiedTag): ElementName {
    const known = this.#names.get(name);
    if (known?.namespace === uri) return known;
    const created = { name: local, namespace: uri, prefix, qname: qualifiedName(uri, local) };
    this.#names.set(name, created);
    return created;
  }

  #readAttributes(element: XmlElement, tag: sax.QualifiedTag): void {
    const attributes = Object.values(tag.attributes);
    if (attributes.length === 0) return;
    this.#refuseRepeated(attributes.length);
    const kept = new Map<string, string>();
    for (const { name, prefix, value } of attributes)
      if (prefix !== 'xmlns' && name !== 'xmlns') kept.set(name, this.#checked(value));
    if (kept.size > 0) element.attributes = kept;
  }

  /** The parser keeps the first of two attributes with one name and drops the other without an error. */
  #refuseRepeated(found: number): void {
    const tag = this.source.slice(this.#parser.startTagPosition - 1, this.#parser.position);
    if (tag.split('=').length - 1 === found) return;
    const written = tag.replace(/"[^"]*"|'[^']*'/g, '').split('=').length - 1;
    if (written !== found) throw this.#error('The file is not well-formed XML: an attribute occurs twice.');
  }

  #end(): void {
    const element = this.#open.pop();
    if (element === undefined) return;
    const text = trimXml(element.text);
    if (text.length === element.text.length) return;
    element.written = element.text;
    element.text = text;
  }

  #text(text: string): void {
    const element = this.#open.at(-1);
    if (element === undefined || (element.text === '' && trimXml(text) === '')) return;
    element.text += this.#checked(text);
  }

  /** A reference such as `&#0;` hides a character that the source does not show. */
  #checked(text: string): string {
    if (FORBIDDEN.test(text)) throw this.#error('A control character is in the file, which XML does not allow.');
    return text;
  }

  #error(reason: string): InvoiceXmlError {
    return new InvoiceXmlError(reason, this.#parser.line + 1);
  }
}

/** The first line of the parser's message, which adds the place on further lines. */
function sentence(message: string): string {
  const [first = ''] = message.split('\n', 1);
  return `${first.replace(/\.$/, '')}.`;
}
