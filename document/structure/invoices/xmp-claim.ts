import { unescapeXml } from '../../file/xml/index.js';
import { propertyOf } from '../metadata/index.js';

/** The namespaces in which XMP describes an embedded invoice, newest first. */
export const claimNamespaces = {
  'factur-x': 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#',
  zugferd2: 'urn:zugferd:pdfa:CrossIndustryDocument:invoice:2p0#',
  zugferd1: 'urn:ferd:pdfa:CrossIndustryDocument:invoice:1p0#',
  'zugferd1-draft': 'urn:ferd:pdfa:invoice:rc#',
} as const;
/** Whose namespace it is; `factur-x` is also that of ZUGFeRD 2.1 and later. */
export type ClaimedBy = keyof typeof claimNamespaces;

/** What the XMP of a PDF says about its invoice; a member is undefined if the packet does not state it. */
export interface InvoiceClaim {
  readonly by: ClaimedBy;
  readonly namespace: string;
  /** `INVOICE`. */
  readonly documentType: string | undefined;
  /** Name of the attachment. */
  readonly fileName: string | undefined;
  readonly version: string | undefined;
  /** `EN 16931`, `BASIC WL`, … */
  readonly level: string | undefined;
  /** The namespace is described by an extension schema, as PDF/A demands (ISO 19005-3, 6.6.2.3). */
  readonly schemaDeclared: boolean;
}

const PROPERTIES = ['DocumentType', 'DocumentFileName', 'Version', 'ConformanceLevel'] as const;

/** Returns what an XMP packet says about invoices, newest namespace first; a file with two invoices can say two things. */
export function invoiceClaims(xmp: string): InvoiceClaim[] {
  const declared = declaredSchemas(xmp);
  return (Object.entries(claimNamespaces) as [ClaimedBy, string][]).flatMap(([by, namespace]) => {
    const [documentType, fileName, version, level] = PROPERTIES.map((name) => propertyOf(xmp, namespace, name));
    if ([documentType, fileName, version, level].every((value) => value === undefined)) return [];
    return [{ by, namespace, documentType, fileName, version, level, schemaDeclared: declared.has(namespace) }];
  });
}

/** Namespaces that extension schemas describe, as elements or attributes whatever the prefix. */
function declaredSchemas(xmp: string): ReadonlySet<string> {
  const found = xmp.matchAll(
    /<[\w-]+:namespaceURI(?:\s[^<>]*)?>([^<]*)<|\s[\w-]+:namespaceURI\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  );
  return new Set([...found].map(([, element, a, b]) => unescapeXml((element ?? a ?? b ?? '').trim())));
}
