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
import type { MergeSource } from '../merge/merge-source.js';
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

/** Standards that define colours by an output intent, so that one intent must apply to all pages. */
const COLOUR_BOUND: readonly Standard[] = ['PDF/A', 'PDF/X', 'PDF/E', 'PDF/VT'];
/** Entries of the information dictionary that repeat a claim (ISO 15930-1, 6.13). */
const X_KEYS = ['GTS_PDFXVersion', 'GTS_PDFXConformance'] as const;

/** Returns the document's XMP packet as text, or undefined if it has no readable one. */
export function readXmp(context: PDFContext): string | undefined {
  const catalog = catalogOf(context);
  return catalog === undefined ? undefined : xmlText(context, entry(catalog, 'Metadata'));
}

/** Returns the standards that a document claims to conform to, with part and level: `PDF/A` to `2|B|`. */
export function readClaims(context: PDFContext): Map<Standard, string> {
  return claimsOf(readXmp(context) ?? '');
}

/**
 * Returns false if the document's XMP cannot claim PDF/A, PDF/UA or WTPDF: it is missing, or names none of their
 * namespaces. True means that a closer look is needed, also for a packet that is broken or may use entities in names.
 */
export function mayDeclareStandards(context: PDFContext): boolean {
  const catalog = catalogOf(context);
  if (catalog === undefined || resolve(context, entry(catalog, 'Metadata')) === undefined) return false;
  const xmp = readXmp(context);
  return xmp === undefined || /aiim\.org\/pdf|pdfa\.org\/|&#|<!|\0/i.test(xmp);
}

/**
 * Writes an XMP packet and returns its reference. It is not compressed, so that programs that do not know PDF can find
 * it (ISO 32000-1, 14.3.2).
 */
export function writeXmp(context: PDFContext, xmp: string): PDFRef {
  const dict = dictOf(context, { Type: PDFName.of('Metadata'), Subtype: PDFName.of('XML') });
  return context.register(PDFRawStream.of(dict, Buffer.from(xmp, 'utf8')));
}

/**
 * Makes a packet agree with the information dictionary: values of the dictionary take precedence and are added if
 * missing.
 */
export function syncXmp(context: PDFContext, xmp: string, info: PDFDict | undefined): string {
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

/** Returns the XMP for a part of the document, without properties of the whole document. Undefined if there is none. */
export function keepMetadata(context: PDFContext): string | undefined {
  const xmp = readXmp(context);
  const info = asDict(context, context.trailerInfo.Info);
  return xmp === undefined ? undefined : syncXmp(context, withoutPageFacts(xmp), info);
}

/** Removes claims to standards that are no longer true from the document's metadata; returns those that were there. */
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
 * Joins metadata: Info and XMP of the first document, with only those claims to standards that all documents share, and
 * with output intents only if all have the same ones.
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

  /** Adds the metadata of an input. */
  join({ source, catalog, copier }: MergeSource): void {
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
    setEntry(catalog, 'Metadata', writeXmp(context, syncXmp(context, xmp, this.info)));
  }
}

/** Returns a fingerprint that is equal for documents with the same output intents (ISO 32000-1, 14.11.5). */
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
    // A profile that exceeds the limits is compared in its compressed form.
  }
  return createHash('sha256').update(bytes).digest('hex');
}
