import { createHash } from 'node:crypto';
import { PDFArray, type PDFContext, type PDFDict, PDFName, PDFRawStream, type PDFRef } from 'pdf-lib';
import { DocumentError } from '../errors.js';
import { arrayOf, asDict, catalogOf, dictOf, elements, entry, resolve, setEntry } from '../file/objects/index.js';
import { editFile } from '../file/open/index.js';
import { streamBytes } from '../file/objects/index.js';

/** Evidence that signatures were valid when they were made, each in DER. */
export interface ValidationData {
  readonly certificates: readonly Uint8Array[];
  /** OCSP responses (RFC 6960, 4.2.1: whole, not the basic one within). */
  readonly ocsp: readonly Uint8Array[];
  readonly crls: readonly Uint8Array[];
}

/**
 * Appends a document security store (ISO 32000-2, 12.8.4.3; ETSI EN 319 142-1, 5.4) to the signed PDF at `source`, into
 * a new file; what the store of an earlier signature holds stays, and nothing is held twice. Errors: those of
 * `openPdf`.
 */
export async function addValidationData(source: string, target: string, data: ValidationData): Promise<void> {
  await editFile(
    source,
    target,
    { mode: 'append', repair: false, stamp: false, usageRights: 'always' },
    ({ document }) => putValidationData(document.context, data),
  );
}

/** The same in place. */
export function putValidationData(context: PDFContext, { certificates, ocsp, crls }: ValidationData): void {
  const catalog = catalogOf(context);
  if (catalog === undefined)
    throw new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail: 'it has no catalog' });
  const known = asDict(context, entry(catalog, 'DSS'));
  const store = known ?? dictOf(context, { Type: PDFName.of('DSS') });
  if (known === undefined) setEntry(catalog, 'DSS', context.register(store));
  for (const [key, values] of [
    ['Certs', certificates],
    ['OCSPs', ocsp],
    ['CRLs', crls],
  ] as const)
    putValues(context, store, key, values);
}

function putValues(context: PDFContext, store: PDFDict, key: string, values: readonly Uint8Array[]): void {
  const held = new Set(
    elements(context, entry(store, key)).flatMap((value) => {
      const stream = resolve(context, value);
      return stream instanceof PDFRawStream ? [hashOf(streamBytes(context, stream) ?? new Uint8Array())] : [];
    }),
  );
  const added: PDFRef[] = [];
  for (const value of values) {
    const hash = hashOf(value);
    if (held.has(hash)) continue;
    held.add(hash);
    added.push(context.register(context.flateStream(value)));
  }
  if (added.length === 0) return;
  const array = resolve(context, entry(store, key));
  if (array instanceof PDFArray) for (const ref of added) array.push(ref);
  else setEntry(store, key, arrayOf(context, added));
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64');
}
