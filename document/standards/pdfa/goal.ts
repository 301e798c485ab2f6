import type { PDFContext } from 'pdf-lib';
import { readClaims } from '../../structure/metadata/index.js';

/**
 * A part of PDF/A (ISO 19005-1 to -3) and its level: B (pages look the same everywhere) or U (their text can be
 * extracted, too).
 */
export interface PdfAGoal {
  readonly part: 1 | 2 | 3;
  readonly level: 'B' | 'U';
}

/** `2b`, as validators name it. */
export function goalName({ part, level }: PdfAGoal): string {
  return `${part}${level.toLowerCase()}`;
}

/** True when a document claims to be PDF/A of this part (levels A and U include B). */
export function claimsPdfA(context: PDFContext, part: number): boolean {
  return (readClaims(context).get('PDF/A') ?? '').split('|')[0] === String(part);
}

/** True when a document claims everything in the goal; the claim may be false. */
export function claimsGoal(context: PDFContext, { part, level }: PdfAGoal): boolean {
  const [claimed = '', at = ''] = (readClaims(context).get('PDF/A') ?? '').split('|');
  return claimed === String(part) && (level === 'B' ? ['A', 'U', 'B'] : ['A', 'U']).includes(at);
}
