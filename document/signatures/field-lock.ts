import type { PDFContext, PDFDict } from 'pdf-lib';
import { asDict, asNumber, entry, setEntry } from '../file/objects/index.js';
import { type FieldNode, fieldAttribute } from '../forms/fields/index.js';

/**
 * The reference dictionary that signing a field with a /Lock asks for (ISO 32000-2, 12.7.5.5 and 12.8.2.4): a FieldMDP
 * transform of the same fields, and the limit on further changes, if it sets one. Undefined for a field without a lock.
 */
export function fieldLock(context: PDFContext, node: FieldNode): PDFDict | undefined {
  const lock = asDict(context, fieldAttribute(node, 'Lock'));
  if (lock === undefined) return undefined;
  const params = context.obj({ Type: 'TransformParams', V: '1.2' });
  for (const key of ['Action', 'Fields'] as const) {
    const value = entry(lock, key);
    if (value !== undefined) setEntry(params, key, value);
  }
  const level = asNumber(context, entry(lock, 'P'));
  if (level !== undefined) setEntry(params, 'P', context.obj(level));
  const reference = context.obj({ Type: 'SigRef', TransformMethod: 'FieldMDP', DigestMethod: 'SHA256' });
  setEntry(reference, 'TransformParams', params);
  const { Root } = context.trailerInfo;
  if (Root !== undefined) setEntry(reference, 'Data', Root);
  return reference;
}
