import { planCms, signCms } from '@quire/document/signatures/cms';
import type { OpenedPdf } from '@quire/document/file/open';
import {
  type ByteRange,
  type CoveredDigest,
  faultOfWritten,
  seenSignature,
  type SignatureEntries,
  type SignedFile,
  signFile,
} from '@quire/document/signatures';
import { DefectError, InputError, OperationalError } from '@quire/registry/errors';
import { keyUnusable, type Signatory } from './sign-identity.js';

/** How a document is signed. */
export interface SignDocument {
  readonly signatory: Signatory;
  /** Claimed time. */
  readonly time: Date;
  /** Of the signature dictionary. */
  readonly name: string;
  readonly reason: string;
  readonly location: string;
  /** Signs with RSA-PSS where the key is an RSA key. */
  readonly pss: boolean;
  /** Absent: an invisible signature. `pageNumber` counts from 1, `signer` is the name shown. */
  readonly seen?: {
    readonly pageNumber: number;
    readonly signer: string;
    readonly logo: boolean;
    /** In points from the lower left corner of the page as seen. */
    readonly place: { readonly left: number; readonly bottom: number };
  };
  /** Certifies: what may still be changed (ISO 32000-2, table 257). */
  readonly certifies?: 1 | 2 | 3;
  /** Returns a time stamp token for a signature value (level B-T). */
  readonly timeStamp?: (signature: Uint8Array) => Promise<Uint8Array>;
  readonly mode: 'append' | 'rewrite';
}

/** Bytes for a token with the certificates of its authority. */
const TOKEN_BYTES = 16 * 1024;

/**
 * Signs the PDF at `source` into a new file (PAdES baseline B-B, with a time stamp B-T: ETSI EN 319 142-1) and verifies
 * the result. Throws the codes of `signFile` and `seenSignature`, INPUT_INVALID for a missing page, KEY_UNUSABLE for an
 * unsuitable key, and rejects like `timeStamp`.
 */
export async function signDocument(source: string, target: string, request: SignDocument): Promise<SignedFile> {
  const {
    signatory: { signer, field },
    pss,
    timeStamp,
    mode,
  } = request;
  const plan = planCms(signer, { pss, ...(timeStamp === undefined ? {} : { timeStampBytes: TOKEN_BYTES }) });
  if (plan === undefined) throw keyUnusable(field, 'no signature of PDF is made with keys of its kind');
  if (pss && plan.scheme.family !== 'rsa-pss')
    throw new InputError('INPUT_INVALID', { detail: 'rsaPss needs an RSA key' }, [
      { pointer: '/rsaPss', detail: 'needs an RSA key; the certificate has another one' },
    ]);
  const signed = await signFile(source, target, {
    mode,
    spendsInput: true,
    entries: (opened) => entriesOf(opened, request, plan.size),
    value: async (digest) =>
      signCms({
        signer,
        scheme: plan.scheme,
        digest: digest(plan.scheme.digest),
        ...(timeStamp === undefined ? {} : { timeStamp: (signature) => fitting(timeStamp(signature)) }),
      }),
  });
  await proveSignature(target, signed.byteRange, signed.digest);
  return signed;
}

async function entriesOf(
  { document, pages }: OpenedPdf,
  { seen, certifies, name, reason, location, time }: SignDocument,
  capacity: number,
): Promise<SignatureEntries> {
  const page = pages[(seen?.pageNumber ?? 1) - 1];
  if (page === undefined) {
    const detail =
      `pageNumber is ${seen?.pageNumber}; the document has ` +
      `${pages.length === 1 ? 'one page' : `${pages.length} pages`}`;
    throw new InputError('INPUT_INVALID', { detail }, [{ pointer: '/pageNumber', detail }]);
  }
  return {
    subFilter: 'ETSI.CAdES.detached',
    capacity,
    time,
    name,
    reason,
    location,
    page,
    ...(certifies === undefined ? {} : { certifies }),
    ...(seen === undefined
      ? {}
      : {
          seen: await seenSignature(document, page, {
            texts: [{ text: seen.signer }, { text: shownTime(time) }, { text: reason, field: 'reason' }],
            logo: seen.logo,
            place: seen.place,
          }),
        }),
  };
}

/** `2026-11-22 04:30:00 UTC`. */
function shownTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

async function fitting(token: Promise<Uint8Array>): Promise<Uint8Array> {
  const bytes = await token;
  if (bytes.length > TOKEN_BYTES)
    throw new OperationalError('REMOTE_ANSWER', {
      remote: 'The time stamp authority',
      detail: `with a time stamp of ${bytes.length} bytes; at most ${TOKEN_BYTES} fit`,
    });
  return bytes;
}

/**
 * Verifies the written signature. Throws DefectError CONTRACT_BROKEN if it is invalid: an unsigned file is never
 * returned. `digest` as for `faultOfWritten`.
 */
export async function proveSignature(path: string, byteRange: ByteRange, digest?: CoveredDigest): Promise<void> {
  const fault = await faultOfWritten(path, byteRange, digest);
  if (fault !== undefined)
    throw new DefectError('CONTRACT_BROKEN', {
      operation: 'security/cert-sign',
      detail: `wrote a signature that does not hold: ${fault}`,
    });
}
