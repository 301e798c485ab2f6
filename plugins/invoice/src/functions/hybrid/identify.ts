import { type Profile, profileById, profileOf } from '@quire/document/invoices/profiles';
import { isReadable, type RecognisedRoot, recogniseRoot, type Syntax } from '@quire/document/invoices/recognition';
import { decodeXmlText } from '@quire/document/file/xml';

/** Names of standards as answers have them. The last two are recognised only. */
export const standards = [
  'Factur-X',
  'ZUGFeRD 2',
  'ZUGFeRD 1',
  'XRechnung',
  'Peppol BIS Billing',
  'EN 16931',
  'CII',
  'UBL',
  'Order-X',
  'FatturaPA',
] as const;
export type Standard = (typeof standards)[number];

/** What an XML is, by its root element and its specification identifier (BT-24). */
export interface Identity {
  readonly kind: RecognisedRoot['kind'];
  readonly standard: Standard | undefined;
  /** Version of the standard: `1.0`, `3.0`; undefined if the identifier does not name it. */
  readonly version: string | undefined;
  readonly profile: Profile | undefined;
  /** BT-24 as it is written; '' if there is none. */
  readonly specification: string;
  /** The syntax, if the invoice can be read. */
  readonly syntax: Syntax | undefined;
}

/** BT-24 is in the first group of every syntax. */
const HEAD_BYTES = 64 * 1024;

/**
 * Says what an XML is from its begin, also if the rest is not well-formed. In a PDF the name of the attachment tells
 * Factur-X from ZUGFeRD 2.0 where the profile EN 16931 is written the same way in both.
 */
export function identifyXml(bytes: Uint8Array, attachment?: string): Identity {
  const { kind } = recogniseRoot(bytes);
  const specification = specificationIn(bytes);
  const profile = profileOf(specification) ?? olderProfile(kind, specification);
  return {
    kind,
    ...standardOf(kind, profile, specification, attachment),
    profile,
    specification,
    syntax: isReadable(kind) ? kind : undefined,
  };
}

function specificationIn(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES));
  let text: string;
  try {
    text = decodeXmlText(head, (detail) => new Error(detail));
  } catch {
    // An encoding that does not exist: the letters of an identifier are the same in all that do.
    text = head.toString('latin1');
  }
  const plain = text.replace(/<!--[\s\S]*?-->/g, '');
  const [, found = ''] =
    /<(?:[\w.-]+:)?GuidelineSpecifiedDocumentContextParameter(?:\s[^<>]*)?>\s*<(?:[\w.-]+:)?ID(?:\s[^<>]*)?>([^<]{0,500})</.exec(
      plain,
    ) ??
    /<(?:[\w.-]+:)?CustomizationID(?:\s[^<>]*)?>([^<]{0,500})</.exec(plain) ??
    [];
  return found.trim();
}

/** ZUGFeRD 1 and its draft were written with the German name of COMFORT too, and once for an order. */
function olderProfile(kind: RecognisedRoot['kind'], specification: string): Profile | undefined {
  if (kind !== 'zugferd1' && kind !== 'zugferd1-draft') return undefined;
  const [, level] = /:(basic|comfort|komfort|extended)$/i.exec(specification) ?? [];
  switch (level?.toLowerCase()) {
    case 'basic':
      return profileById('zugferd1-basic');
    case 'extended':
      return profileById('zugferd1-extended');
    case undefined:
      return undefined;
    default:
      return profileById('zugferd1-comfort');
  }
}

function standardOf(
  kind: RecognisedRoot['kind'],
  profile: Profile | undefined,
  specification: string,
  attachment: string | undefined,
): Pick<Identity, 'standard' | 'version'> {
  switch (kind) {
    case 'order-x':
      return { standard: 'Order-X', version: undefined };
    case 'fatturapa':
      return { standard: 'FatturaPA', version: undefined };
    case 'zugferd1':
    case 'zugferd1-draft':
      return zugferd1(kind, specification);
    case 'cii':
    case 'ubl-invoice':
    case 'ubl-creditnote':
      return ofInvoice(kind, profile, specification, attachment);
    default:
      return { standard: undefined, version: undefined };
  }
}

/** The draft of 2013 has a root element or an identifier of its own, not always both. */
function zugferd1(kind: RecognisedRoot['kind'], specification: string): Pick<Identity, 'standard' | 'version'> {
  const isDraft = kind === 'zugferd1-draft' || specification.startsWith('urn:ferd:invoice:rc:');
  return { standard: 'ZUGFeRD 1', version: isDraft ? '1.0 RC' : '1.0' };
}

function ofInvoice(
  kind: Syntax,
  profile: Profile | undefined,
  specification: string,
  attachment: string | undefined,
): Pick<Identity, 'standard' | 'version'> {
  const zugferd2 = /zugferd\.de:(2)p(\d)/.exec(specification);
  if (zugferd2 !== null) return { standard: 'ZUGFeRD 2', version: `${zugferd2[1]}.${zugferd2[2]}` };
  switch (profile?.standard) {
    case 'xrechnung':
      return { standard: 'XRechnung', version: /xrechnung_(\d+\.\d+)/.exec(specification)?.[1] };
    case 'peppol':
      return { standard: 'Peppol BIS Billing', version: /billing:(\d+\.\d+)/.exec(specification)?.[1] };
    case 'factur-x':
      return { standard: 'Factur-X', version: '1.0' };
    // The identifier of ZUGFeRD 1 in the syntax that came after it.
    case 'zugferd1':
      return zugferd1(kind, specification);
    case 'en16931':
      if (attachment === undefined) return { standard: 'EN 16931', version: '2017' };
      return attachment === 'zugferd-invoice.xml'
        ? { standard: 'ZUGFeRD 2', version: '2.0' }
        : { standard: 'Factur-X', version: '1.0' };
    default:
      return { standard: kind === 'cii' ? 'CII' : 'UBL', version: undefined };
  }
}
