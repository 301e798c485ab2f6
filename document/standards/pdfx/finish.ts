import { PDFDict, PDFHeader, PDFHexString, PDFName, PDFNumber, PDFString, type PDFContext } from 'pdf-lib';
import { createHash } from 'node:crypto';
import { rgbOutputProfile } from '../../images/icc/index.js';
import {
  arrayOf,
  asText,
  catalogOf,
  dictOf,
  entry,
  isString,
  nameText,
  resolve,
  setEntry,
} from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { boxOf, pageBox, type PageEntry } from '../../structure/pages/index.js';
import { syncXmp, infoOf, writeXmp } from '../../structure/metadata/index.js';
import { pruneActions } from '../../structure/actions/index.js';
import { embedStandardFonts, fixObjects, PRODUCER } from '../pdfa/index.js';

const VERSION = 'PDF/X-4';
/** Catalog entries that are active, or that show something other than page content (ISO 15930-7, 6.15 to 6.17). */
const ACTIVE = [
  'AcroForm',
  'OpenAction',
  'AA',
  'Collection',
  'Requirements',
  'NeedsRendering',
  'Perms',
  'Version',
  'Extensions',
  'Legal',
  'StructTreeRoot',
  'MarkInfo',
] as const;
const NAMES = ['JavaScript', 'AlternatePresentations', 'Renditions', 'EmbeddedFiles'] as const;

/**
 * Makes a document whose pages were redrawn for it (RGB, fonts embedded, annotations flattened) PDF/X-4 (ISO 15930-7),
 * in place: boxes, output intent, metadata, no active content. Metadata comes from `original`. Write it with `stamp:
 * false`, as PDF 1.6, and verify it with `checkPdfX`.
 */
export async function finishPdfX(
  { document, pages, ...rest }: OpenedPdf,
  original: PDFContext,
  name: string,
  now: Date,
): Promise<void> {
  const { context } = document;
  const catalog = catalogOf(context);
  if (catalog === undefined) return;
  for (const key of ACTIVE) setEntry(catalog, key, undefined);
  const names = resolve(context, entry(catalog, 'Names'));
  if (names instanceof PDFDict) for (const key of NAMES) setEntry(names, key, undefined);
  pruneActions(context, () => true);
  for (const page of pages) finishPage(context, page);
  await embedStandardFonts(context);
  fixObjects({ document, pages, ...rest });
  const profile = context.register(context.flateStream(rgbOutputProfile(), { N: 3 }));
  setEntry(
    catalog,
    'OutputIntents',
    arrayOf(context, [
      context.register(
        dictOf(context, {
          Type: PDFName.of('OutputIntent'),
          S: PDFName.of('GTS_PDFX'),
          OutputConditionIdentifier: PDFString.of('Custom'),
          OutputCondition: PDFString.of('sRGB'),
          Info: PDFString.of('sRGB IEC61966-2.1 as an output device'),
          DestOutputProfile: profile,
        }),
      ),
    ]),
  );
  context.header = PDFHeader.forVersion(1, 6);
  const info = writeInfo(context, original, name, now);
  setEntry(catalog, 'Metadata', writeXmp(context, syncXmp(context, packet(info, context, now), info)));
}

/**
 * Every page needs a trim box within its bleed box within its media box (ISO 15930-7, 6.13); annotations inside are
 * forbidden.
 */
function finishPage(context: PDFContext, page: PageEntry): void {
  const { dict } = page;
  for (const key of ['Annots', 'AA', 'PresSteps', 'Thumb', 'ArtBox']) setEntry(dict, key, undefined);
  const media = pageBox(context, page, 'MediaBox');
  const seen = pageBox(context, page, 'CropBox');
  const trim = within(boxOf(context, entry(dict, 'TrimBox')), media) ?? seen;
  const bleed = within(boxOf(context, entry(dict, 'BleedBox')), media);
  const box = (values: readonly number[]) =>
    arrayOf(
      context,
      values.map((value) => PDFNumber.of(value)),
    );
  setEntry(dict, 'MediaBox', box(media));
  setEntry(dict, 'TrimBox', box(trim));
  setEntry(dict, 'BleedBox', bleed !== undefined && within(trim, bleed) !== undefined ? box(bleed) : undefined);
}

/** The box, when it is valid and within the other. */
export function within(box: readonly number[] | undefined, outer: readonly number[]): readonly number[] | undefined {
  const [left = 0, bottom = 0, right = 0, top = 0] = box ?? [];
  const slack = 0.01;
  return box !== undefined &&
    left < right &&
    bottom < top &&
    left >= (outer[0] ?? 0) - slack &&
    bottom >= (outer[1] ?? 0) - slack &&
    right <= (outer[2] ?? 0) + slack &&
    top <= (outer[3] ?? 0) + slack
    ? box
    : undefined;
}

/** Title, dates and trapping are mandatory (ISO 15930-7, 6.10 and 6.11). */
function writeInfo(context: PDFContext, original: PDFContext, name: string, now: Date): PDFDict {
  const info = dictOf(context, {});
  for (const [key, value] of infoOf(original)?.entries() ?? []) {
    const plain = resolve(original, value);
    if (
      isString(plain) &&
      ['Title', 'Author', 'Subject', 'Keywords', 'Creator', 'CreationDate'].includes(nameText(key))
    )
      info.set(key, plain);
  }
  if ((asText(context, entry(info, 'Title')) ?? '').trim() === '') setEntry(info, 'Title', PDFHexString.fromText(name));
  if (!/^D:\d{4}/.test(asText(context, entry(info, 'CreationDate')) ?? ''))
    setEntry(info, 'CreationDate', PDFString.fromDate(now));
  setEntry(info, 'Producer', PDFString.of(PRODUCER));
  setEntry(info, 'ModDate', PDFString.fromDate(now));
  setEntry(info, 'Trapped', PDFName.of('False'));
  setEntry(info, 'GTS_PDFXVersion', PDFString.of(VERSION));
  context.trailerInfo.Info = context.register(info);
  return info;
}

function packet(info: PDFDict, context: PDFContext, now: Date): string {
  // The same document at the same time gets the same identifier.
  const id = createHash('sha256')
    .update(
      `${asText(context, entry(info, 'Title'))}|${now.toISOString()}|${context.enumerateIndirectObjects().length}`,
    )
    .digest('hex');
  const groups = [id.slice(0, 8), id.slice(8, 12), `4${id.slice(13, 16)}`, `8${id.slice(17, 20)}`, id.slice(20, 32)];
  const uuid = `uuid:${groups.join('-')}`;
  const time = `${now.toISOString().slice(0, 19)}Z`;
  const namespaces = [
    'xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"',
    'xmlns:pdf="http://ns.adobe.com/pdf/1.3/"',
    'xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
    'xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"',
  ].join(' ');
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" ${namespaces}>
<pdfxid:GTS_PDFXVersion>${VERSION}</pdfxid:GTS_PDFXVersion><pdf:Trapped>False</pdf:Trapped>
<xmp:MetadataDate>${time}</xmp:MetadataDate><xmpMM:DocumentID>${uuid}</xmpMM:DocumentID>
<xmpMM:VersionID>1</xmpMM:VersionID><xmpMM:RenditionClass>default</xmpMM:RenditionClass></rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;
}
