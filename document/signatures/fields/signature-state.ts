import type { PDFContext, PDFDict } from 'pdf-lib';
import { asDict, asName, asNumber, catalogOf, elements, entry } from '../../file/objects/index.js';
import { allFieldNodes, fieldAttribute, isSignatureField, readFields } from '../../forms/fields/fields.js';

/**
 * What a certified document may still have changed: 1 nothing; 2 form fields filled and signed; 3 annotations too (ISO
 * 32000-2, table 257).
 */
export type DocMdpLevel = 1 | 2 | 3;

/** Restrictions that signatures put on changes of a document. */
export interface SignatureState {
  /** A signature with a /ByteRange (ISO 32000-1, 12.8.1) covers the file, or did at some revision. */
  readonly signed: boolean;
  /** The strictest limit that a signature of the document sets on changes after it. Absent: none does. */
  readonly certified?: DocMdpLevel;
}

/**
 * Reads whether a document is signed, and how far its signatures allow changes: by a DocMDP transform (ISO 32000-1,
 * 12.8.2.2), or by the lock that a field puts on the document once it is signed (ISO 32000-2, table 236, /P). Fields
 * that wait for a signature set no limit.
 */
export function readSignatureState(context: PDFContext): SignatureState {
  const levels: DocMdpLevel[] = [];
  const signatures = new Set<PDFDict>();
  for (const node of allFieldNodes(readFields(context))) {
    if (!isSignatureField(context, node)) continue;
    const signature = asDict(context, fieldAttribute(node, 'V'));
    if (signature === undefined || !hasByteRange(context, signature)) continue;
    signatures.add(signature);
    const lock = asDict(context, fieldAttribute(node, 'Lock'));
    const level = lock === undefined ? undefined : levelOf(context, lock);
    if (level !== undefined) levels.push(level);
  }
  const catalog = catalogOf(context);
  const permissions = catalog === undefined ? undefined : asDict(context, entry(catalog, 'Perms'));
  const certification = permissions === undefined ? undefined : asDict(context, entry(permissions, 'DocMDP'));
  if (certification !== undefined && hasByteRange(context, certification)) {
    signatures.add(certification);
    // The catalog calls it a certification; what its own dictionary leaves out stands at its default.
    if (transformLevels(context, certification).length === 0) levels.push(2);
  }
  for (const signature of signatures) levels.push(...transformLevels(context, signature));
  const signed = signatures.size > 0;
  return levels.length === 0 ? { signed } : { signed, certified: Math.min(...levels) as DocMdpLevel };
}

/** The levels of a signature's DocMDP transforms; 2 where one names none (ISO 32000-1, table 254). */
function transformLevels(context: PDFContext, signature: PDFDict): DocMdpLevel[] {
  return elements(context, entry(signature, 'Reference')).flatMap((value) => {
    const reference = asDict(context, value);
    if (reference === undefined || asName(context, entry(reference, 'TransformMethod')) !== 'DocMDP') return [];
    const params = asDict(context, entry(reference, 'TransformParams'));
    return [(params === undefined ? undefined : levelOf(context, params)) ?? 2];
  });
}

function levelOf(context: PDFContext, dict: PDFDict): DocMdpLevel | undefined {
  const level = asNumber(context, entry(dict, 'P'));
  return level === 1 || level === 2 || level === 3 ? level : undefined;
}

function hasByteRange(context: PDFContext, signature: PDFDict): boolean {
  return elements(context, entry(signature, 'ByteRange')).length >= 2;
}
