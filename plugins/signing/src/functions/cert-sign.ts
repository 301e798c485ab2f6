import { readTimeStamp, stampedHash } from '@quire/document/signatures/cms';
import { anchorsFrom, fetchFrom, type TrustAtADistance } from '@quire/document/signatures/certification-path';
import { addValidationData } from '@quire/document/signatures';
import { type SignDocument, proveSignature, signDocument } from './sign-document.js';
import { checkSignatory, type Signatory } from './sign-identity.js';
import { type AskAuthority, stampHash, timestampPdf } from './timestamp-pdf.js';
import { collectValidationData } from './validation-data.js';

/** Asks time stamp authorities: requests and replies are DER in base64. */
export interface DistantAuthority {
  /** Rejects for an address that is not allowed, before anything is sent. Blank means the default. */
  check(url: string): Promise<void>;
  ask(url: string, request: string, signal?: AbortSignal): Promise<string>;
}

export interface CertSign extends Pick<SignDocument, 'time' | 'name' | 'reason' | 'location' | 'mode'> {
  readonly signatory: Signatory;
  readonly showSignature: boolean;
  readonly pageNumber: number;
  /** Lower left corner of the visible signature, in points from that of the page as seen. */
  readonly x: number;
  readonly y: number;
  readonly showLogo: boolean;
  /** PAdES baseline level; undefined is B-T with a `tsaUrl`, else B-B. */
  readonly signatureLevel?: 'B-B' | 'B-T' | 'B-LT' | 'B-LTA';
  readonly tsaUrl: string;
  /** 0: none. */
  readonly certificationLevel: 0 | 1 | 2 | 3;
  readonly rsaPss: boolean;
  /** Asked for by levels with a time stamp. */
  readonly authority: () => DistantAuthority;
  /** Asked for by levels with revocation data. */
  readonly trust: () => TrustAtADistance;
  readonly signal: AbortSignal;
}

export interface CertSigned {
  readonly path: string;
  readonly facts: Readonly<Record<string, string>>;
}

const REMOTE = 'The time stamp authority';

/**
 * Signs the PDF at `source` at the requested level into a file in `folder`. Throws the codes of `checkSignatory`,
 * `signDocument`, `timestampPdf` and `collectValidationData`, and rejects like the services; no result is left after a
 * failure.
 */
export async function certSignFile(source: string, folder: string, request: CertSign): Promise<CertSigned> {
  const { signatory, time, tsaUrl, certificationLevel, signal } = request;
  const level = request.signatureLevel ?? (tsaUrl === '' ? 'B-B' : 'B-T');
  const stamped = level !== 'B-B';
  const { name: signer, concerns } = checkSignatory(signatory, time);
  // Before the document is read, and before anything leaves.
  if (stamped) await request.authority().check(tsaUrl);
  const ask: AskAuthority = async (query) =>
    Buffer.from(await request.authority().ask(tsaUrl, Buffer.from(query).toString('base64'), signal), 'base64');
  let token: Uint8Array | undefined;
  const signed = `${folder}/signed.pdf`;
  const { field, byteRange } = await signDocument(source, signed, {
    signatory,
    time,
    name: request.name,
    reason: request.reason,
    location: request.location,
    pss: request.rsaPss,
    mode: request.mode,
    ...(request.showSignature
      ? {
          seen: {
            pageNumber: request.pageNumber,
            signer,
            logo: request.showLogo,
            place: { left: request.x, bottom: request.y },
          },
        }
      : {}),
    ...(certificationLevel === 0 ? {} : { certifies: certificationLevel }),
    ...(stamped
      ? { timeStamp: async (signature: Uint8Array) => (token = await stampHash(stampedHash(signature), ask, REMOTE)) }
      : {}),
  });
  const facts = {
    signatureField: field,
    signatureLevel: level,
    ...(concerns.length === 0 ? {} : { concerns: concerns.join('; ') }),
  };
  if (level === 'B-B' || level === 'B-T' || token === undefined) return { path: signed, facts };
  const trust = request.trust();
  const { certificate, certificates } = await readTimeStamp(token);
  const data = await collectValidationData(
    [
      {
        certificate: signatory.signer.certificate,
        chain: signatory.signer.chain,
        purpose: 'signature',
        field: signatory.field,
      },
      ...(certificate === undefined
        ? []
        : [{ certificate, chain: certificates, purpose: 'time-stamp' as const, field: 'tsaUrl' }]),
    ],
    { anchors: anchorsFrom(trust), fetch: fetchFrom(trust, signal), now: time, signal },
  );
  const stored = `${folder}/stored.pdf`;
  await addValidationData(signed, stored, data);
  const last = `${folder}/archived.pdf`;
  if (level === 'B-LTA') await timestampPdf(stored, last, { ask, remote: REMOTE, mode: 'append' });
  const path = level === 'B-LTA' ? last : stored;
  await proveSignature(path, byteRange);
  return { path, facts };
}
