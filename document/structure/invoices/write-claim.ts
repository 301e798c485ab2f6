import { escapeXml, unescapeXml } from '../../file/xml/index.js';
import { withoutElements, withoutNamespace } from '../metadata/index.js';
import { claimNamespaces, type InvoiceClaim } from './xmp-claim.js';

const PREFIX = 'fx';
const EXTENSION = {
  pdfaExtension: 'http://www.aiim.org/pdfa/ns/extension/',
  pdfaSchema: 'http://www.aiim.org/pdfa/ns/schema#',
  pdfaProperty: 'http://www.aiim.org/pdfa/ns/property#',
} as const;

/** The four properties, with the descriptions that PDF/A demands (ISO 19005-3, 6.6.2.3). */
const properties = [
  ['DocumentFileName', 'name of the embedded XML invoice file'],
  ['DocumentType', 'INVOICE'],
  ['Version', 'version of the standard of the embedded XML invoice'],
  ['ConformanceLevel', 'profile of the embedded XML invoice'],
] as const;

/**
 * Makes a packet describe an embedded invoice in the namespace of Factur-X, which ZUGFeRD shares since 2.1, with its
 * extension schema; older descriptions of invoices are removed. Undefined for a packet that is not written in the usual
 * way (`rdf:RDF`), or whose extension schemas cannot be extended.
 */
export function withInvoiceClaim(
  xmp: string,
  claim: Pick<InvoiceClaim, 'fileName' | 'version' | 'level'>,
): string | undefined {
  const bare = withoutInvoiceClaims(xmp);
  if (!/\sxmlns:rdf\s*=/.test(bare) || bare.split('</rdf:RDF>').length !== 2) return undefined;
  const described = withSchema(bare);
  if (described === undefined) return undefined;
  const values: Readonly<Record<(typeof properties)[number][0], string>> = {
    DocumentFileName: claim.fileName ?? '',
    DocumentType: 'INVOICE',
    Version: claim.version ?? '',
    ConformanceLevel: claim.level ?? '',
  };
  const elements = properties.map(([name]) => `<${PREFIX}:${name}>${escapeXml(values[name])}</${PREFIX}:${name}>`);
  return atEnd(
    described,
    `<rdf:Description rdf:about="" xmlns:${PREFIX}="${claimNamespaces['factur-x']}">${elements.join('')}</rdf:Description>\n`,
  );
}

/** Removes what a packet says about invoices, in every namespace, with the schemas that describe it. */
export function withoutInvoiceClaims(xmp: string): string {
  const namespaces = new Set<string>(Object.values(claimNamespaces));
  const bare = [...namespaces].reduce(withoutNamespace, xmp);
  // The items of the list of schemas; those of other lists name no namespace.
  return withoutElements(
    bare,
    (name) => name.endsWith(':li'),
    (item) => {
      const [, element, a, b] =
        /<[\w-]+:namespaceURI(?:\s[^<>]*)?>([^<]*)<|\s[\w-]+:namespaceURI\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(item) ??
        [];
      return namespaces.has(unescapeXml((element ?? a ?? b ?? '').trim()));
    },
  );
}

/** Adds the extension schema to those that the packet has. */
function withSchema(xmp: string): string | undefined {
  const own = Object.entries(EXTENSION)
    .map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
    .join('');
  const items = properties
    .map(
      ([name, description]) =>
        `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name>` +
        '<pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category>' +
        `<pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`,
    )
    .join('');
  const schema =
    `<rdf:li rdf:parseType="Resource"${own}><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>` +
    `<pdfaSchema:namespaceURI>${claimNamespaces['factur-x']}</pdfaSchema:namespaceURI>` +
    `<pdfaSchema:prefix>${PREFIX}</pdfaSchema:prefix>` +
    `<pdfaSchema:property><rdf:Seq>${items}</rdf:Seq></pdfaSchema:property></rdf:li>`;
  if (!/:schemas[\s>]/.test(xmp) || !xmp.includes(EXTENSION.pdfaExtension))
    return atEnd(
      xmp,
      `<rdf:Description rdf:about=""${own}><pdfaExtension:schemas><rdf:Bag>${schema}</rdf:Bag></pdfaExtension:schemas>` +
        '</rdf:Description>\n',
    );
  const list = /<(?:[\w-]+):schemas(?:\s[^<>]*)?>\s*<rdf:Bag(?:\s[^<>]*)?(\/?)>/.exec(xmp);
  if (list === null) return undefined;
  const [tag, empty] = list;
  const before = xmp.slice(0, list.index) + (empty === '/' ? tag.replace(/\s*\/>$/, '>') : tag);
  return `${before}${schema}${empty === '/' ? '</rdf:Bag>' : ''}${xmp.slice(list.index + tag.length)}`;
}

function atEnd(xmp: string, description: string): string {
  return xmp.replace('</rdf:RDF>', () => `${description}</rdf:RDF>`);
}
