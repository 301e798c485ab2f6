import { decodeXmlText } from '../../file/xml/index.js';

/** A syntax whose invoices can be read. */
export type Syntax = 'cii' | 'ubl-invoice' | 'ubl-creditnote' | 'zugferd1';

/** Documents that are recognised by their root element and are not read. */
export type ForeignKind = 'zugferd1-draft' | 'order-x' | 'fatturapa' | 'other-ubl' | 'other-xml' | 'not-xml';

export interface RecognisedRoot {
  readonly kind: Syntax | ForeignKind;
  /** The local name and the namespace of the root element. */
  readonly name?: string;
  readonly namespace?: string;
}

/** The root element begins within this many bytes. */
export const ROOT_HEAD_BYTES = 64 * 1024;

/** Root elements by namespace: CII D16B, ZUGFeRD 1 and its draft, UBL (EN 16931-3-2 and -3-3), and others. */
const roots: Readonly<Record<string, Readonly<Record<string, RecognisedRoot['kind']>>>> = {
  'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100': { CrossIndustryInvoice: 'cii' },
  'urn:ferd:CrossIndustryDocument:invoice:1p0': { CrossIndustryDocument: 'zugferd1' },
  'urn:un:unece:uncefact:data:standard:CBFBUY:5': { Invoice: 'zugferd1-draft' },
  'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2': { Invoice: 'ubl-invoice' },
  'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2': { CreditNote: 'ubl-creditnote' },
  'urn:un:unece:uncefact:data:SCRDMCCBDACIOMessageStructure:100': { SCRDMCCBDACIOMessageStructure: 'order-x' },
  'http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2': { FatturaElettronica: 'fatturapa' },
  'http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.1': { FatturaElettronica: 'fatturapa' },
  'http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.0': { FatturaElettronicaSemplificata: 'fatturapa' },
  'http://www.fatturapa.gov.it/sdi/fatturapa/v1.1': { FatturaElettronica: 'fatturapa' },
};

const ROOT = /<(?:([\w.-]+):)?([\w.-]+)((?:\s[^>]*)?)\/?>/y;
const DECLARATION = /\sxmlns(?::([\w.-]+))?\s*=\s*["']([^"']*)["']/g;

/** Says what kind of document begins with these bytes (`ROOT_HEAD_BYTES` are enough). Cheap: parses the root only. */
export function recogniseRoot(bytes: Uint8Array): RecognisedRoot {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, ROOT_HEAD_BYTES));
  let text: string;
  try {
    text = decodeXmlText(head, (detail) => new Error(detail));
  } catch {
    // The encoding is unknown, which reading reports; the letters of names are the same in all.
    text = head.toString('latin1');
  }
  ROOT.lastIndex = afterProlog(text);
  const [, prefix, name, attributes = ''] = ROOT.exec(text) ?? [];
  if (name === undefined) return { kind: 'not-xml' };
  for (const [, declared, namespace = ''] of attributes.matchAll(DECLARATION))
    if (declared === prefix) return { kind: kindOf(name, namespace), name, namespace };
  return { kind: 'other-xml', name };
}

/** The index after white space, comments, instructions and a document type; without backtracking. */
function afterProlog(text: string): number {
  let index = 0;
  for (;;) {
    while (/[\s\uFEFF]/.test(text.charAt(index))) index++;
    const end = [
      ['<?', '?>'],
      ['<!--', '-->'],
      ['<!DOCTYPE', '>'],
    ].find(([start = '']) => text.startsWith(start, index))?.[1];
    if (end === undefined) return index;
    const found = text.indexOf(end, index);
    if (found === -1) return text.length;
    index = found + end.length;
  }
}

/** Which document has a root element of this name. */
export function kindOf(name: string, namespace: string): RecognisedRoot['kind'] {
  const names = Object.hasOwn(roots, namespace) ? roots[namespace] : undefined;
  if (names !== undefined && Object.hasOwn(names, name)) return names[name] ?? 'other-xml';
  return namespace.startsWith('urn:oasis:names:specification:ubl:') ? 'other-ubl' : 'other-xml';
}

/** Whether the kind is one that `readInvoice` reads. */
export function isReadable(kind: RecognisedRoot['kind']): kind is Syntax {
  return kind === 'cii' || kind === 'ubl-invoice' || kind === 'ubl-creditnote' || kind === 'zugferd1';
}
