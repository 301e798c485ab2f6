import { createHash } from 'node:crypto';
import { type PDFContext, type PDFDict, PDFName, type PDFObject, PDFRawStream, type PDFRef } from 'pdf-lib';
import {
  asDict,
  asName,
  asText,
  catalogOf,
  dictOf,
  elements,
  entry,
  resolve,
  setEntry,
} from '../../file/objects/index.js';
import { decodeStream } from '../../file/reader/index.js';
import { isoDate } from './dates.js';
import { type Graft } from '../merge/graft.js';
import { xmlText } from '../../file/objects/text-streams.js';
import {
  claimsOf,
  INFO_KEYS,
  infoValue,
  type Standard,
  withInfoValue,
  withoutClaims,
  withoutPageFacts,
} from './xmp.js';

/** Standards that say how colours are meant, so that one intent must hold for all pages. */
const COLOUR_BOUND: readonly Standard[] = ['PDF/A', 'PDF/X', 'PDF/E', 'PDF/VT'];
/** Where the information dictionary repeats a claim (ISO 15930-1, 6.13). */
const X_KEYS = ['GTS_PDFXVersion', 'GTS_PDFXConformance'] as const;

/** Gives the document's XMP packet as text, or undefined when it has none that can be read. */
export function readXmp(context: PDFContext): string | undefined {
  const catalog = catalogOf(context);
  return catalog === undefined ? undefined : xmlText(context, entry(catalog, 'Metadata'));
}

/** Gives the standards that a document claims to follow, with part and level: `PDF/A` to `2|B|`. */
export function readClaims(context: PDFContext): Map<Standard, string> {
  return claimsOf(readXmp(context) ?? '');
}

/**
 * False when nobody can read from the document's XMP that it declares to be PDF/A, PDF/UA or WTPDF: there is none, or
 * it names none of their namespaces. True asks for a closer look, also at a packet that is broken, or that may spell a
 * name by entities.
 */
export function mayDeclareStandards(context: PDFContext): boolean {
  const catalog = catalogOf(context);
  if (catalog === undefined || resolve(context, entry(catalog, 'Metadata')) === undefined) return false;
  const xmp = readXmp(context);
  return xmp === undefined || /aiim\.org\/pdf|pdfa\.org\/|&#|<!|\0/i.test(xmp);
}

/**
 * Writes a packet, unpacked so that programs that know no PDF find it (ISO 32000-1, 14.3.2), and gives its reference.
 */
export function writeXmp(context: PDFContext, xmp: string): PDFRef {
  const dict = dictOf(context, { Type: PDFName.of('Metadata'), Subtype: PDFName.of('XML') });
  return context.register(PDFRawStream.of(dict, Buffer.from(xmp, 'utf8')));
}

/**
 * Makes a packet agree with the information dictionary: what both say is as the dictionary has it, what only the
 * dictionary says is added.
 */
export function agreeing(context: PDFContext, xmp: string, info: PDFDict | undefined): string {
  if (info === undefined) return xmp;
  let text = xmp;
  for (const key of INFO_KEYS) {
    const stated = asText(context, entry(info, key));
    const value = key.endsWith('Date') ? isoDate(stated) : stated;
    if (value === undefined || value === '') continue;
    const known = infoValue(text, key);
    const same = key.endsWith('Date')
      ? known !== undefined && Date.parse(known) === Date.parse(value)
      : known === value;
    if (!same) text = withInfoValue(text, key, value);
  }
  return text;
}

/**
 * Gives the metadata of a part of the document: as it was, without what is true of all pages together only. Undefined
 * when there is none.
 */
export function keepMetadata(context: PDFContext): string | undefined {
  const xmp = readXmp(context);
  const info = asDict(context, context.trailerInfo.Info);
  return xmp === undefined ? undefined : agreeing(context, withoutPageFacts(xmp), info);
}

/**
 * Takes claims to standards out of the document's metadata, because they are true no longer; gives those that it made.
 */
export function withdrawClaims(context: PDFContext, standards: readonly Standard[]): Standard[] {
  const catalog = catalogOf(context);
  const xmp = readXmp(context);
  if (catalog === undefined || xmp === undefined) return [];
  const claims = claimsOf(xmp);
  const withdrawn = standards.filter((standard) => claims.has(standard));
  if (withdrawn.length > 0) setEntry(catalog, 'Metadata', writeXmp(context, withoutClaims(xmp, withdrawn)));
  return withdrawn;
}

/**
 * Joins what documents say of themselves: Info and XMP of the first, with only those claims to a standard that all of
 * them make alike, and output intents only where all have the same.
 */
export class MetadataMerge {
  private info: PDFDict | undefined;
  private xmp: string | undefined;
  private own: ReadonlyMap<Standard, string> = new Map();
  private shared: Map<Standard, string> = new Map();
  private intents: PDFObject | undefined;
  private print = '';
  private alike = true;
  private joined = 0;

  constructor(
    private readonly target: PDFContext,
    private readonly inputs: number,
  ) {}

  /** Takes an input's metadata over. */
  join({ source, catalog, copier }: Graft): void {
    const xmp = readXmp(source);
    const claims = claimsOf(xmp ?? '');
    const print = this.inputs === 1 ? '' : intentsPrint(source, catalog);
    if (this.joined++ > 0) {
      for (const [standard, level] of this.shared) if (claims.get(standard) !== level) this.shared.delete(standard);
      this.alike &&= print === this.print;
      return;
    }
    this.xmp = xmp;
    this.own = claims;
    this.shared = new Map(claims);
    this.print = print;
    this.intents = copier.copy(entry(catalog, 'OutputIntents'));
    const info = asDict(source, source.trailerInfo.Info);
    if (info !== undefined) this.info = copier.copyDict(info);
  }

  /** Writes the joined metadata into the trailer and the catalog of the result. */
  write(catalog: PDFDict): void {
    const context = this.target;
    if (!this.alike) for (const standard of COLOUR_BOUND) this.shared.delete(standard);
    if (this.info !== undefined) {
      if (!this.shared.has('PDF/X') && this.inputs > 1) for (const key of X_KEYS) setEntry(this.info, key, undefined);
      context.trailerInfo.Info = context.register(this.info);
    }
    if (this.alike) setEntry(catalog, 'OutputIntents', this.intents);
    if (this.xmp === undefined) return;
    const dropped = [...this.own.keys()].filter((standard) => !this.shared.has(standard));
    const xmp = this.inputs > 1 ? withoutPageFacts(withoutClaims(this.xmp, dropped)) : this.xmp;
    setEntry(catalog, 'Metadata', writeXmp(context, agreeing(context, xmp, this.info)));
  }
}

/** Equal for documents whose output intents are the same (ISO 32000-1, 14.11.5). */
function intentsPrint(context: PDFContext, catalog: PDFDict): string {
  return elements(context, entry(catalog, 'OutputIntents'))
    .map((value) => {
      const intent = asDict(context, value);
      if (intent === undefined) return '';
      const profile = resolve(context, entry(intent, 'DestOutputProfile'));
      return [
        asName(context, entry(intent, 'S')),
        asText(context, entry(intent, 'OutputConditionIdentifier')),
        profile instanceof PDFRawStream ? streamHash(context, profile) : '',
      ].join('|');
    })
    .sort()
    .join('\n');
}

function streamHash(context: PDFContext, stream: PDFRawStream): string {
  let bytes = stream.contents;
  try {
    bytes = decodeStream(stream, (value) => resolve(context, value)) ?? bytes;
  } catch {
    // A profile beyond the bounds is compared as it is packed.
  }
  return createHash('sha256').update(bytes).digest('hex');
}
