import { randomBytes } from 'node:crypto';
import { PDFArray, type PDFContext, type PDFDict, PDFHexString, PDFName, type PDFRef, PDFString } from 'pdf-lib';
import { DocumentError } from '../errors.js';
import { arrayOf, asDict, asNumber, catalogOf, elements, entry, resolve, setEntry } from '../file/objects/index.js';
import type { PageEntry } from '../structure/pages/index.js';
import {
  acroFormOf,
  allFieldNodes,
  fieldAttribute,
  type FieldNode,
  fullName,
  isSignatureField,
  readFields,
} from '../forms/fields/index.js';
import { type DocMdpLevel, readSignatureState } from './fields/index.js';
import { emptyAppearance } from './appearance.js';
import { tagWidget } from './appearance-tags.js';
import { fieldLock } from './field-lock.js';
import { PLACEHOLDER } from './signature-slot.js';

/** Signature types (ISO 32000-2, table 260; ETSI EN 319 142-1). */
export type SubFilter = 'ETSI.CAdES.detached' | 'adbe.pkcs7.detached' | 'ETSI.RFC3161';

/** Entries of a signature, and its visible appearance. */
export interface SignatureEntries {
  readonly subFilter: SubFilter;
  /** Bytes of place for the value. */
  readonly capacity: number;
  /** Claimed time, /M; a time stamp has none. */
  readonly time?: Date;
  readonly name?: string;
  readonly reason?: string;
  readonly location?: string;
  /** Visible: on this page, in this rectangle of default user space, looking as this form does. */
  readonly seen?: {
    readonly page: PageEntry;
    readonly rect: readonly [number, number, number, number];
    readonly appearance: PDFRef;
  };
  /**
   * Certifies the document: what may still be changed afterwards (ISO 32000-2, table 257). Only for the first
   * signature.
   */
  readonly certifies?: DocMdpLevel;
  /** Page of an invisible field; the first. */
  readonly page: PageEntry;
}

export interface AddedSignature {
  readonly field: string;
  /** Digits with which the place of the value begins. */
  readonly marker: string;
}

const PRINT = 4;
const LOCKED = 128;
/** SignaturesExist and AppendOnly (ISO 32000-2, table 225). */
const SIGNATURE_FLAGS = 3;

/**
 * Puts a signature without its value into a document, in place: dictionary, field, widget, form flags. A certified
 * document that lets no fields be added has its first empty signature field signed instead. Errors: PDF_SIGNED when
 * neither is allowed (ISO 32000-2, table 257); a time stamp always is.
 */
export function addSignature(context: PDFContext, entries: SignatureEntries): AddedSignature {
  const catalog = catalogOf(context);
  if (catalog === undefined)
    throw new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail: 'it has no catalog' });
  const nodes = readFields(context);
  const { signed, certified } = readSignatureState(context);
  const isStamp = entries.subFilter === 'ETSI.RFC3161';
  const refuse = (reason: string): never => {
    throw new DocumentError('PDF_SIGNED', { field: 'fileInput', operation: 'a further signature', reason });
  };
  if (certified === 1 && !isStamp) refuse('its certification allows no change (DocMDP, level 1)');
  if (entries.certifies !== undefined && signed) refuse('only the first signature can certify a document');
  const empty = certified === 2 && !isStamp ? emptyField(context, nodes) : undefined;
  if (certified === 2 && !isStamp && empty === undefined && entries.seen !== undefined)
    refuse('its certification allows no further visible signature field (DocMDP, level 2)');
  const marker = randomBytes(16).toString('hex');
  const reference =
    entries.certifies === undefined
      ? empty === undefined
        ? undefined
        : fieldLock(context, empty)
      : certification(context, entries.certifies);
  const signature = context.register(signatureDictionary(context, entries, marker, reference));
  if (entries.certifies !== undefined) setEntry(catalog, 'Perms', context.obj({ DocMDP: signature }));
  const form = formOf(context, catalog);
  setEntry(form, 'SigFlags', context.obj((asNumber(context, entry(form, 'SigFlags')) ?? 0) | SIGNATURE_FLAGS));
  if (empty !== undefined) {
    setEntry(empty.dict, 'V', signature);
    if (entries.seen !== undefined) setEntry(empty.dict, 'AP', context.obj({ N: entries.seen.appearance }));
    return { field: fullName(context, empty), marker };
  }
  const taken = new Set([...allFieldNodes(nodes)].map((node) => fullName(context, node)));
  let number = 1;
  while (taken.has(`${isStamp ? 'Timestamp' : 'Signature'}${number}`)) number++;
  const field = `${isStamp ? 'Timestamp' : 'Signature'}${number}`;
  const page = entries.seen?.page ?? entries.page;
  const appearance = entries.seen?.appearance ?? emptyAppearance(context);
  const widget = context.register(
    context.obj({
      Type: 'Annot',
      Subtype: 'Widget',
      FT: 'Sig',
      T: PDFString.of(field),
      V: signature,
      P: page.ref,
      F: PRINT | LOCKED,
      Rect: [...(entries.seen?.rect ?? [0, 0, 0, 0])],
      ...(appearance === undefined ? {} : { AP: context.obj({ N: appearance }) }),
    }),
  );
  push(context, form, 'Fields', widget);
  push(context, page.dict, 'Annots', widget);
  // Earlier signatures allow further ones, but no verifier expects that tags change with them.
  if (!signed) tagWidget(context, widget, page);
  return { field, marker };
}

function signatureDictionary(
  context: PDFContext,
  { subFilter, capacity, time, name, reason, location }: SignatureEntries,
  marker: string,
  reference: PDFDict | undefined,
): PDFDict {
  const text = (value: string | undefined): PDFHexString | undefined =>
    value === undefined || value === '' ? undefined : PDFHexString.fromText(value);
  const dict = context.obj({
    Type: subFilter === 'ETSI.RFC3161' ? 'DocTimeStamp' : 'Sig',
    Filter: 'Adobe.PPKLite',
    SubFilter: subFilter,
    ByteRange: [0, PLACEHOLDER, PLACEHOLDER, PLACEHOLDER],
  });
  dict.set(PDFName.of('Contents'), PDFHexString.of(marker.padEnd(capacity * 2, '0')));
  for (const [key, value] of [
    ['Name', text(name)],
    ['Reason', text(reason)],
    ['Location', text(location)],
    ['M', time === undefined ? undefined : PDFString.fromDate(time)],
    ['Reference', reference === undefined ? undefined : arrayOf(context, [reference])],
  ] as const) {
    if (value !== undefined) setEntry(dict, key, value);
  }
  return dict;
}

/** DocMDP transform (ISO 32000-2, 12.8.2.2). */
function certification(context: PDFContext, level: DocMdpLevel): PDFDict {
  return context.obj({
    Type: 'SigRef',
    TransformMethod: 'DocMDP',
    TransformParams: { Type: 'TransformParams', P: level, V: '1.2' },
  });
}

/**
 * The first signature field that waits for its signature and has a widget of its own; one whose seed value makes
 * demands is left to those who can meet them.
 */
function emptyField(context: PDFContext, nodes: readonly FieldNode[]): FieldNode | undefined {
  for (const node of allFieldNodes(nodes)) {
    if (
      !isSignatureField(context, node) ||
      node.children.length > 0 ||
      asDict(context, fieldAttribute(node, 'V')) !== undefined
    )
      continue;
    if (entry(node.dict, 'SV') === undefined) return node;
  }
  return undefined;
}

function formOf(context: PDFContext, catalog: PDFDict): PDFDict {
  const known = acroFormOf(context);
  if (known !== undefined) return known;
  const made = context.obj({ Fields: [] });
  setEntry(catalog, 'AcroForm', context.register(made));
  return made;
}

/** Appends to an array of a dictionary; one that is an object of its own stays so. */
function push(context: PDFContext, dict: PDFDict, key: string, ref: PDFRef): void {
  const value = entry(dict, key);
  const array = resolve(context, value);
  if (array instanceof PDFArray) array.push(ref);
  else setEntry(dict, key, arrayOf(context, [...elements(context, value), ref]));
}
