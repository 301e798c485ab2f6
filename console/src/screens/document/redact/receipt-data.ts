import type { Applied } from '../part.ts';
import { isRecord } from '../../../viewers/index.ts';
import type { Job, Match, Preview } from './calls.ts';

/** What was removed from where, and what the check of the result says. */
export interface Receipt {
  readonly time: Date;
  readonly name: string;
  readonly removed: readonly Match[];
  readonly job: Job;
  /** Members of the operation's report. */
  readonly report: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  /** The search of the result for the same terms; undefined if there were none, or it failed. */
  readonly again: Preview | undefined;
  /** SHA-256 in hexadecimal; undefined where the browser does not compute it. */
  readonly sha256: { readonly before: string | undefined; readonly after: string | undefined };
}

export interface ReceiptParts {
  readonly job: Job;
  readonly before: File;
  readonly applied: Applied;
  readonly removed: readonly Match[];
  readonly again: Preview | undefined;
}

export async function receiptOf({ job, before, applied, removed, again }: ReceiptParts): Promise<Receipt> {
  const [first, second] = await Promise.all([digestOf(before), digestOf(applied.file)]);
  return {
    time: new Date(),
    name: before.name,
    removed,
    job,
    report: isRecord(applied.report) ? applied.report : {},
    warnings: applied.warnings,
    again,
    sha256: { before: first, after: second },
  };
}

/** Matches that were found again although they should be gone. */
export function foundAgain({ again, job }: Pick<Receipt, 'again' | 'job'>): number {
  const staying = new Set(job.keep);
  return again?.matches.filter(({ id }) => !staying.has(id)).length ?? 0;
}

/** Matches by page, in order. */
export function byPage(matches: readonly Match[]): ReadonlyMap<number, readonly Match[]> {
  const pages = new Map<number, Match[]>();
  for (const match of matches) {
    const own = pages.get(match.page);
    if (own === undefined) pages.set(match.page, [match]);
    else own.push(match);
  }
  return pages;
}

/** The receipt as data; the removed words are in it only if people want them. */
export function receiptJson(receipt: Receipt, words: boolean): object {
  const { time, name, removed, job, report, warnings, again, sha256 } = receipt;
  return {
    kind: 'quire-redaction-receipt',
    time: time.toISOString(),
    file: name,
    sha256,
    matches: removed.map(({ page, text, letters }) => ({ page, ...(words ? { text } : {}), places: letters })),
    areas: job.areas.map(({ page, left, bottom, right, top }) => ({ page: page + 1, left, bottom, right, top })),
    pages: job.pages.map((page) => page + 1),
    ...(words && job.query !== undefined ? { searched: job.query } : {}),
    stayed: job.keep.length,
    pagesToImages: job.look.pictures,
    check: {
      by: job.look.verify === 'ocr' ? ['text', 'ocr'] : ['text'],
      foundAgain: again === undefined ? null : foundAgain(receipt),
    },
    report,
    warnings,
  };
}

/** Without `crypto.subtle`, which pages without HTTPS do not have, there is no digest. */
async function digestOf(file: File): Promise<string | undefined> {
  if (globalThis.crypto.subtle === undefined) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
