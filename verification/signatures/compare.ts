import { existsSync } from 'node:fs';
import { openLazily } from '../../document/file/reader/index.js';
import { reviewSignatures, type SignatureReview } from '../../document/signatures/index.js';
import { withSource } from '../../document/file/source/index.js';

/** A signed file as described by the corpus's manifest. */
export interface SignedFile {
  readonly name: string;
  readonly path: string;
  /** `signature_expect` of the manifest. */
  readonly expected: string;
  /** One item per signature: kind, digest, coverage, range. */
  readonly details: readonly { readonly digest: string; readonly coverage: string; readonly range: string }[];
}

/** The reviews of a file and how they deviate from the manifest. */
export interface Comparison {
  readonly file: SignedFile;
  readonly reviews: readonly SignatureReview[];
  readonly faults: readonly string[];
}

/** Returns the manifest's rows that have signatures and whose files exist. */
export function signedFiles(rows: readonly Readonly<Record<string, string>>[], folder: string): SignedFile[] {
  return rows
    .filter((row) => Number(row['signed'] ?? 0) > 0)
    .map((row) => ({
      name: row['file'] ?? '',
      path: `${folder}/${row['file'] ?? ''}`,
      expected: row['signature_expect'] ?? '',
      details: (row['signature_detail'] ?? '')
        .split(' ')
        .filter((detail) => detail !== '')
        .map((detail) => {
          const [, digest = '', coverage = '', range = ''] = detail.split(':');
          return { digest, coverage, range };
        }),
    }))
    .filter(({ path }) => existsSync(path));
}

/**
 * Reviews a file and compares it with the manifest: digest and coverage of each signature, and changes that must be
 * detected.
 */
export async function compareFile(file: SignedFile): Promise<Comparison> {
  const reviews = await withSource({ path: file.path }, (source) => reviewSignatures(source, openLazily(source)));
  const faults: string[] = [];
  if (reviews.length !== file.details.length)
    faults.push(`${reviews.length} signatures instead of ${file.details.length}`);
  for (const [i, { digest, coverage, range }] of file.details.entries()) {
    const review = reviews[i];
    if (review === undefined) continue;
    const { integrity, coversFile } = review;
    const place = `signature ${i + 1}`;
    if (range === 'odd') {
      if (integrity.holds) faults.push(`${place}: accepted in spite of an unusual range`);
      if (digest === 'ok') faults.push(`${place}: digest ok in the manifest, not accepted here`);
      continue;
    }
    if (coversFile !== (coverage === 'all'))
      faults.push(`${place}: coverage ${coverage} in the manifest, ${coversFile ? 'all' : 'part'} here`);
    const right = digest === 'ok' || digest === 'digest-ok-cms-unchecked';
    if (digest === 'unchecked' ? !integrity.holds : right !== integrity.digestMatches)
      faults.push(
        `${place}: digest ${digest} in the manifest, ` +
          `${integrity.digestMatches ? 'right' : (integrity.fault ?? 'wrong')} here`,
      );
    if (digest === 'ok' && integrity.digestMatches && !integrity.holds)
      faults.push(`${place}: ${integrity.fault ?? 'not valid'}`);
    if (digest === 'empty' && integrity.holds) faults.push(`${place}: an empty signature is valid`);
  }
  const unnoticed = reviews.every(({ integrity, changes }) => integrity.holds && changes?.state === 'none');
  const allowed = reviews.every(({ integrity, changes }) => integrity.holds && changes?.state !== 'refused');
  if (file.expected === 'changed-after-signing' && allowed)
    faults.push(unnoticed ? 'the change was not detected' : 'the change is reported, but as allowed');
  if (
    file.expected.startsWith('intact') &&
    reviews.some(({ integrity, changes }) => integrity.holds && changes?.state === 'refused')
  )
    faults.push(
      `rejected: ${reviews.flatMap(({ changes }) => (changes?.state === 'refused' ? changes.what : [])).join('; ')}`,
    );
  return { file, reviews, faults };
}

/** Returns one word for each signature. */
export function wordOf({ integrity, changes }: SignatureReview): string {
  if (integrity.unreadable) return 'cannot be checked';
  if (!integrity.holds) return integrity.digestMatches ? 'not valid' : 'digest bad';
  return changes?.state === 'refused' ? 'changed' : 'valid';
}
