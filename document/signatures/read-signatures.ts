import { type PDFContext, type PDFDict, PDFRef } from 'pdf-lib';
import {
  asByteString,
  asDict,
  asName,
  asNumber,
  asText,
  catalogOf,
  elements,
  entry,
  resolve,
} from '../file/objects/index.js';
import {
  allFieldNodes,
  type FieldNode,
  fieldAttribute,
  fullName,
  isSignatureField,
  readFields,
} from '../forms/fields/index.js';
import type { DocMdpLevel } from './fields/index.js';
import type { LazyDocument } from '../file/reader/index.js';
import { endOf, readRange, type SignedRange } from './byte-ranges.js';
import { bodyOf, placesIn } from './file-dictionary.js';

/**
 * A signature dictionary of a document (ISO 32000-2, table 255), as written: nothing was checked but where it stands.
 */
export interface DocumentSignature {
  /** Full name of the field that it signs; absent where only the catalog knows it. */
  readonly field?: string;
  readonly ref?: PDFRef;
  readonly dict: PDFDict;
  /** A document time stamp, by its SubFilter. */
  readonly isTimeStamp: boolean;
  readonly subFilter?: string;
  readonly name?: string;
  readonly reason?: string;
  readonly location?: string;
  /** /M as it is written. */
  readonly modified?: string;
  /** The bytes that it covers; absent together with a `fault`. */
  readonly range?: SignedRange;
  readonly fault?: string;
  /** The changes that it allows; absent when it sets no limit. */
  readonly level?: DocMdpLevel;
  /** True for a certification (DocMDP). */
  readonly certifies: boolean;
}

/**
 * Reads the signatures of a document in the order of its fields, each once; those that only the catalog names last.
 * Reads no page.
 */
export function readSignatures(lazy: LazyDocument): readonly DocumentSignature[] {
  const { context } = lazy;
  const found: DocumentSignature[] = [];
  const seen = new Set<PDFDict>();
  const catalog = catalogOf(context);
  const permissions = catalog === undefined ? undefined : asDict(context, entry(catalog, 'Perms'));
  const certification = permissions === undefined ? undefined : asDict(context, entry(permissions, 'DocMDP'));
  const add = (value: unknown, dict: PDFDict, node?: FieldNode): void => {
    if (seen.has(dict)) return;
    seen.add(dict);
    const ref = value instanceof PDFRef ? value : undefined;
    const at = ref === undefined ? placeWithin(lazy, node) : placeOf(lazy, ref);
    found.push(signatureOf(lazy, dict, { ref, node, at, isCertification: dict === certification }));
  };
  for (const node of allFieldNodes(readFields(context))) {
    const value = entry(node.dict, 'V');
    const dict = value === undefined || !isSignatureField(context, node) ? undefined : asDict(context, value);
    if (dict !== undefined) add(value, dict, node);
  }
  if (certification !== undefined && permissions !== undefined) add(entry(permissions, 'DocMDP'), certification);
  return found;
}

/**
 * Where the range of a signature ends as it says itself, right or not; undefined where it says nothing that is a range.
 */
export function byteRangeEnd({ context }: LazyDocument, { dict, range }: DocumentSignature): number | undefined {
  if (range !== undefined) return endOf(range.byteRange);
  const numbers = elements(context, entry(dict, 'ByteRange'))
    .slice(0, 1000)
    .map((value) => asNumber(context, value) ?? Number.NaN);
  const ends = numbers.flatMap((start, i) => (i % 2 === 0 ? [start + (numbers[i + 1] ?? Number.NaN)] : []));
  return ends.length === 0 || ends.some(Number.isNaN) ? undefined : Math.max(...ends);
}

interface Standing {
  readonly ref: PDFRef | undefined;
  readonly node: FieldNode | undefined;
  /** Where the dictionary begins. */
  readonly at: number | undefined;
  readonly isCertification: boolean;
}

function signatureOf(
  { context, windows, encrypted }: LazyDocument,
  dict: PDFDict,
  { ref, node, at, isCertification }: Standing,
): DocumentSignature {
  const text = (key: string): string | undefined => asText(context, entry(dict, key));
  const subFilter = asName(context, entry(dict, 'SubFilter'));
  const transforms = elements(context, entry(dict, 'Reference')).flatMap((value) => asDict(context, value) ?? []);
  const levels = transforms.flatMap((transform) => levelOf(context, transform) ?? []);
  const lock = node === undefined ? undefined : asDict(context, fieldAttribute(node, 'Lock'));
  const locked = lock === undefined ? undefined : mdpLevel(asNumber(context, entry(lock, 'P')));
  if (locked !== undefined) levels.push(locked);
  const certifies =
    isCertification ||
    transforms.some((transform) => asName(context, entry(transform, 'TransformMethod')) === 'DocMDP');
  if (certifies && levels.length === 0) levels.push(2);
  const range =
    at === undefined
      ? { fault: 'the signature dictionary does not stand in the file as such' }
      : readRange(windows, at);
  const parsed = resolve(context, entry(dict, 'Contents'));
  const other =
    'contents' in range &&
    !encrypted &&
    asByteString(context, parsed) !== Buffer.from(range.contents).toString('latin1');
  return {
    ...optional({
      field: node === undefined ? undefined : fullName(context, node),
      ref,
      subFilter,
      name: text('Name'),
      reason: text('Reason'),
      location: text('Location'),
      modified: text('M'),
    }),
    dict,
    isTimeStamp: subFilter === 'ETSI.RFC3161',
    certifies,
    ...(levels.length === 0 ? {} : { level: Math.min(...levels) as DocMdpLevel }),
    ...(other
      ? { fault: 'the value of the signature is not what the file has in its place' }
      : 'fault' in range
        ? range
        : { range }),
  };
}

/**
 * The level of a DocMDP transform, 2 where it names none (ISO 32000-2, table 257), or of a field lock that sets one.
 */
function levelOf(context: PDFContext, transform: PDFDict): DocMdpLevel | undefined {
  const method = asName(context, entry(transform, 'TransformMethod'));
  const params = asDict(context, entry(transform, 'TransformParams'));
  const level = params === undefined ? undefined : mdpLevel(asNumber(context, entry(params, 'P')));
  return method === 'DocMDP' ? (level ?? 2) : method === 'FieldMDP' ? level : undefined;
}

function mdpLevel(value: number | undefined): DocMdpLevel | undefined {
  return value === 1 || value === 2 || value === 3 ? value : undefined;
}

/** Where an object's value begins in the file; undefined for an object in an object stream. */
function placeOf(lazy: LazyDocument, ref: PDFRef): number | undefined {
  const place = lazy.entry(ref.objectNumber);
  return place?.kind === 'at' ? bodyOf(lazy.windows, place.position) : undefined;
}

/** Where a signature begins that is written within its field. */
function placeWithin(lazy: LazyDocument, node: FieldNode | undefined): number | undefined {
  const at = node?.ref === undefined ? undefined : placeOf(lazy, node.ref);
  const values = at === undefined ? undefined : placesIn(lazy.windows, at)?.get('V');
  return values?.length === 1 ? values[0]?.start : undefined;
}

function optional<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
