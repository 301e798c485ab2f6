import type { PDFDict } from 'pdf-lib';
import { isLocked, signatureLocks } from '../forms/fields/index.js';
import type { LazyDocument } from '../file/reader/index.js';
import type { FileSource } from '../file/source/index.js';
import { endOf } from './byte-ranges.js';
import { checkIntegrity, type Integrity } from './integrity.js';
import { type Changes, judgeChanges } from './judge-changes.js';
import { type DocumentSignature, readSignatures } from './read-signatures.js';
import { readValidationData } from './read-validation-data.js';

/** Everything that a document says about one of its signatures. Trust is decided elsewhere. */
export interface SignatureReview {
  readonly signature: DocumentSignature;
  readonly integrity: Integrity;
  /** Changes after it; absent for a signature whose byte range cannot be trusted. */
  readonly changes?: Changes;
  /** Its own range reaches the end of the file. */
  readonly coversFile: boolean;
}

/** Bounds on one review. Beyond them a signature is said not to have been checked; it is never said to hold. */
export interface ReviewLimits {
  /** Bytes to be digested, in all signatures together. */
  readonly digested?: number;
  /** Objects to be read in comparing revisions, all together: each revision that was signed is read whole. */
  readonly objects?: number;
}

const GIB = 1024 ** 3;
/** The least that opening a revision counts for. */
const REVISION = 1000;

/**
 * Reviews every signature of a document, in the order of its fields (`readSignatures`): what it covers, whether it
 * holds, what was changed behind it. `source` is what `lazy` reads. Later signatures vouch for nothing: they are
 * allowed to be there where they hold themselves.
 */
export async function reviewSignatures(
  source: Uint8Array | FileSource,
  lazy: LazyDocument,
  { digested = 8 * GIB, objects = 2_000_000, signal }: ReviewLimits & { readonly signal?: AbortSignal } = {},
): Promise<readonly SignatureReview[]> {
  const signatures = readSignatures(lazy);
  const stored = signatures.length === 0 ? [] : readValidationData(lazy).certificates;
  const integrities = new Map<DocumentSignature, Integrity>();
  const holding = new Set<PDFDict>();
  let bytes = 0;
  for (const signature of signatures) {
    signal?.throwIfAborted();
    const [, front = 0, , rest = 0] = signature.range?.byteRange ?? [];
    bytes += front + rest;
    const integrity = bytes > digested ? notChecked : await checkIntegrity(lazy, signature, stored);
    integrities.set(signature, integrity);
    if (integrity.holds) holding.add(signature.dict);
  }
  const compared = new Map<string, Changes>();
  let read = 0;
  return signatures.map((signature) => {
    signal?.throwIfAborted();
    const integrity = integrities.get(signature) ?? notChecked;
    const { range } = signature;
    if (range === undefined) return { signature, integrity, coversFile: false };
    const end = endOf(range.byteRange);
    const coversFile = end === lazy.windows.size;
    if (coversFile) return { signature, integrity, coversFile, changes: { state: 'none', what: [], read: 0 } };
    const locks = signatureLocks(lazy.context, signature.dict);
    const key = JSON.stringify([end, signature.level, locks]);
    const known = compared.get(key);
    const changes: Changes =
      known ??
      (read > objects
        ? { state: 'refused', what: ['the document has more revisions than are compared'], read: 0 }
        : judgeChanges(source, lazy, end, {
            ...(signature.level === undefined ? {} : { level: signature.level }),
            locks: (field) => locks.some((lock) => isLocked(lock, field)),
            holding,
          }));
    if (known === undefined) read += REVISION + changes.read;
    compared.set(key, changes);
    return { signature, integrity, coversFile, changes };
  });
}

const notChecked: Integrity = {
  digestMatches: false,
  holds: false,
  unreadable: true,
  fault: 'the document has more signatures than are checked in one call',
  certificates: [],
  evidence: { ocsp: [], crl: [] },
  warnings: [],
};
