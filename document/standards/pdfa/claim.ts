import { type PDFContext, type PDFDict, PDFHexString, PDFString } from 'pdf-lib';
import { asText, catalogOf, dictOf, entry, isString, nameText, resolve, setEntry } from '../../file/objects/index.js';
import {
  syncXmp,
  INFO_KEYS,
  infoOf,
  infoValue,
  isoDate,
  readXmp,
  withoutInfoValue,
  writeXmp,
} from '../../structure/metadata/index.js';
import type { PdfAGoal } from './goal.js';

/**
 * Entries of the information dictionary that claim another standard, or that XMP cannot express in PDF/A (ISO 19005-1,
 * 6.7.3).
 */
const DROPPED: ReadonlySet<string> = new Set([
  'GTS_PDFXVersion',
  'GTS_PDFXConformance',
  'GTS_PDFVTVersion',
  'Trapped',
  'PieceInfo',
  'AAPL:Keywords',
]);
/**
 * Namespaces whose properties PDF/A accepts without an extension schema (XMP specification 2004 and 2005, as far as
 * documents use it).
 */
const KNOWN_NAMESPACES: ReadonlySet<string> = new Set([
  'adobe:ns:meta/',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  'http://purl.org/dc/elements/1.1/',
  'http://ns.adobe.com/xap/1.0/',
  'http://ns.adobe.com/pdf/1.3/',
  'http://ns.adobe.com/xap/1.0/mm/',
  'http://ns.adobe.com/xap/1.0/rights/',
  'http://ns.adobe.com/xap/1.0/sType/ResourceRef#',
  'http://www.aiim.org/pdfa/ns/id/',
]);
/**
 * Properties of those namespaces that every part of the standard accepts; PDF/A-1 accepts no more (XMP specification,
 * 2004).
 */
const KNOWN_PROPERTIES = new RegExp(
  `^(?:${[
    'dc:(?:contributor|coverage|creator|date|description|format|identifier|language)',
    'dc:(?:publisher|relation|rights|source|subject|title|type)',
    'xmp:(?:BaseURL|CreateDate|CreatorTool|Identifier|Label|MetadataDate|ModifyDate|Nickname|Rating)',
    'pdf:(?:Keywords|PDFVersion|Producer)',
    'xmpMM:(?:DocumentID|InstanceID|RenditionClass|VersionID)',
    'xmpRights:(?:Certificate|Marked|Owner|UsageTerms|WebStatement)',
    'pdfaid:(?:part|conformance|amd|corr)',
    'rdf:.*',
    'x:xmpmeta',
    'xml.*',
  ].join('|')})$`,
);
/** Markup that is not plain text: possible entities, a document type, or CDATA. */
const MARKUP = /<!|&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)/;

/** What a document can claim: level A is for documents that are tagged as they are written. */
export interface PdfAClaim {
  readonly part: PdfAGoal['part'];
  readonly level: PdfAGoal['level'] | 'A';
}

/**
 * Makes a document claim PDF/A and repeats its information dictionary in XMP (ISO 19005-1, 6.7), in place. A packet
 * with only properties that PDF/A accepts stays, with its other properties; any other one is rebuilt from both sources.
 * Write the document with `stamp: false`. Returns true when the packet stayed.
 */
export function claimPdfA(context: PDFContext, { part, level }: PdfAClaim, producer: string, now: Date): boolean {
  const catalog = catalogOf(context);
  if (catalog === undefined) return false;
  const packet = readXmp(context);
  const info = writeInfo(context, packet, producer, now);
  const kept = packet !== undefined && isPlain(packet);
  // Dates that only XMP has would contradict an information dictionary without them.
  const silent = INFO_KEYS.filter((key) => entry(info, key) === undefined);
  const xmp = kept ? silent.reduce(withoutInfoValue, withoutId(packet)) : EMPTY;
  const id =
    `<rdf:Description rdf:about="" ` +
    `xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>${part}</pdfaid:part>` +
    `<pdfaid:conformance>${level}</pdfaid:conformance></rdf:Description>\n`;
  setEntry(
    catalog,
    'Metadata',
    writeXmp(
      context,
      syncXmp(
        context,
        xmp.replace('</rdf:RDF>', () => `${id}</rdf:RDF>`),
        info,
      ),
    ),
  );
  return kept || packet === undefined;
}

const EMPTY = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;

/**
 * Builds an information dictionary of texts and dates that XMP can repeat; values that only XMP has are copied into it.
 */
function writeInfo(context: PDFContext, packet: string | undefined, producer: string, now: Date): PDFDict {
  const info = dictOf(context, {});
  for (const [key, value] of infoOf(context)?.entries() ?? []) {
    const plain = resolve(context, value);
    if (!isString(plain) || DROPPED.has(nameText(key))) continue;
    const text = asText(context, plain) ?? '';
    if (/Date$/.test(nameText(key))) {
      const date = plainDate(text);
      if (date !== undefined) info.set(key, PDFString.of(date));
      continue;
    }
    // XML cannot contain control characters.
    if (text.trim() !== '')
      info.set(
        key,
        /[^\x20-\x7e]/.test(text) ? PDFHexString.fromText(text.replace(/[\0-\x08\x0b-\x1f\ufffe\uffff]/g, '')) : plain,
      );
  }
  for (const key of INFO_KEYS) {
    const said =
      key.endsWith('Date') || key === 'Trapped' || packet === undefined || MARKUP.test(packet)
        ? undefined
        : infoValue(packet, key);
    if (entry(info, key) === undefined && said !== undefined && said !== '')
      setEntry(info, key, PDFHexString.fromText(said));
  }
  setEntry(info, 'Producer', PDFString.of(producer));
  setEntry(info, 'ModDate', PDFString.fromDate(now));
  context.trailerInfo.Info = context.register(info);
  return info;
}

/** True for a packet with common syntax and only properties that PDF/A accepts without an extension schema. */
export function isPlain(xmp: string): boolean {
  if (MARKUP.test(xmp) || !xmp.includes('</rdf:RDF>') || xmp.indexOf('</rdf:RDF>') !== xmp.lastIndexOf('</rdf:RDF>'))
    return false;
  const prefixes = new Map(
    [...xmp.matchAll(/\sxmlns:([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, prefix = '', a, b]) => [
      prefix,
      a ?? b ?? '',
    ]),
  );
  const usual: Readonly<Record<string, string>> = {
    dc: 'http://purl.org/dc/elements/1.1/',
    xmp: 'http://ns.adobe.com/xap/1.0/',
    pdf: 'http://ns.adobe.com/pdf/1.3/',
    xmpMM: 'http://ns.adobe.com/xap/1.0/mm/',
  };
  const names = [...xmp.matchAll(/<\/?([\w-]+:[\w.-]+)|\s([\w-]+:[\w.-]+)\s*=/g)]
    .map(([, element, attribute]) => element ?? attribute ?? '')
    .filter((name) => !name.startsWith('xmlns:'));
  return (
    [...prefixes].every(([prefix, uri]) => KNOWN_NAMESPACES.has(uri) && (usual[prefix] ?? uri) === uri) &&
    names.every((name) => prefixes.has(name.split(':', 1)[0] ?? '') || name.startsWith('xml:')) &&
    names.every((name) => KNOWN_PROPERTIES.test(name))
  );
}

/** A date with all its parts, as XMP repeats it; other values have no equivalent there. */
function plainDate(text: string): string | undefined {
  const [, year, month, day, hour, minute, second, zone = 'Z'] =
    /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(Z|[+-]\d\d:\d\d)$/.exec(isoDate(text) ?? '') ?? [];
  return year === undefined
    ? undefined
    : `D:${year}${month}${day}${hour}${minute}${second}${zone === 'Z' ? 'Z' : `${zone.replace(':', "'")}'`}`;
}

function withoutId(xmp: string): string {
  return xmp
    .replace(/<pdfaid:(part|conformance|amd|corr)>[^<]*<\/pdfaid:\1>/g, '')
    .replace(/\spdfaid:(?:part|conformance|amd|corr)\s*=\s*(?:"[^"]*"|'[^']*')/g, '');
}
