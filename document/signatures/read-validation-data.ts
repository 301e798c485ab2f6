import { PDFRawStream } from 'pdf-lib';
import { asDict, catalogOf, elements, entry, resolve } from '../file/objects/index.js';
import { streamBytes } from '../file/objects/index.js';
import type { LazyDocument } from '../file/reader/index.js';
import type { ValidationData } from './validation-data.js';

/** More than any document that is kept valid for decades holds; what is beyond is not looked at. */
const MAX_VALUES = 500;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads the document security store (ISO 32000-2, 12.8.4.3). What its lists for single signatures (/VRI) hold is in its
 * own lists, too. Nothing is checked.
 */
export function readValidationData({ context }: LazyDocument): ValidationData {
  const catalog = catalogOf(context);
  const store = catalog === undefined ? undefined : asDict(context, entry(catalog, 'DSS'));
  let bytes = 0;
  const list = (key: string): Uint8Array[] =>
    (store === undefined ? [] : elements(context, entry(store, key))).slice(0, MAX_VALUES).flatMap((value) => {
      const stream = resolve(context, value);
      const data = stream instanceof PDFRawStream && bytes < MAX_BYTES ? streamBytes(context, stream) : undefined;
      bytes += data?.length ?? 0;
      return data === undefined ? [] : [data];
    });
  return { certificates: list('Certs'), ocsp: list('OCSPs'), crls: list('CRLs') };
}
