import type { PDFContext, PDFDict } from 'pdf-lib';
import { asDict, asName, asText, elements, entry } from '../../file/objects/index.js';
import { allFieldNodes, fieldAttribute, fullName, isSignatureField, readFields } from './fields.js';

/** Fields that a signature locks: all fields, the listed ones, or all except these. */
export interface FieldLock {
  readonly action: string;
  /** Full names; a name includes all fields below it. */
  readonly fields: readonly string[];
}

/** A lock, and the signature field that set it. */
export interface SetLock extends FieldLock {
  readonly signature: string;
}

/** Returns the fields that a signature locks, from its FieldMDP transforms (ISO 32000-2, 12.8.2.4). */
export function signatureLocks(context: PDFContext, signature: PDFDict): readonly FieldLock[] {
  return elements(context, entry(signature, 'Reference')).flatMap((value) => {
    const transform = asDict(context, value);
    const params = transform === undefined ? undefined : asDict(context, entry(transform, 'TransformParams'));
    if (
      transform === undefined ||
      params === undefined ||
      asName(context, entry(transform, 'TransformMethod')) !== 'FieldMDP'
    )
      return [];
    return [lockOf(context, params)];
  });
}

/**
 * Returns the locks of all signatures of a document: from their transforms and from the dictionaries of their fields
 * (ISO 32000-2, table 236).
 */
export function readFieldLocks(context: PDFContext): readonly SetLock[] {
  const locks: SetLock[] = [];
  for (const node of allFieldNodes(readFields(context))) {
    if (!isSignatureField(context, node)) continue;
    const signature = asDict(context, fieldAttribute(node, 'V'));
    if (signature === undefined || elements(context, entry(signature, 'ByteRange')).length < 2) continue;
    const own = asDict(context, fieldAttribute(node, 'Lock'));
    const name = fullName(context, node);
    for (const lock of [...signatureLocks(context, signature), ...(own === undefined ? [] : [lockOf(context, own)])])
      locks.push({ ...lock, signature: name });
  }
  return locks;
}

/** Returns true if the lock includes the field with this full name. */
export function isLocked({ action, fields }: FieldLock, field: string): boolean {
  const named = fields.some((name) => field === name || field.startsWith(`${name}.`));
  return action === 'Include' ? named : action === 'Exclude' ? !named : true;
}

function lockOf(context: PDFContext, dict: PDFDict): FieldLock {
  return {
    action: asName(context, entry(dict, 'Action')) ?? 'All',
    fields: elements(context, entry(dict, 'Fields')).flatMap((name) => asText(context, name) ?? []),
  };
}
