import { certificateFacts } from '@quire/document/signatures/certificates';
import {
  type AnchorLookup,
  type PathFetch,
  type PathResult,
  type RevocationMode,
  validatePath,
} from '@quire/document/signatures/certification-path';
import { guardDocument } from '@quire/document/file/open';
import { isoDate } from '@quire/document/structure/metadata';
import { openLazily } from '@quire/document/file/reader';
import {
  byteRangeEnd,
  readValidationData,
  reviewSignatures,
  type SignatureReview,
  type ValidationData,
} from '@quire/document/signatures';
import { withSource } from '@quire/document/file/source';
import { dateText } from './date-text.js';
import { nothingKnown, type SignatureReport } from './signature-report.js';

/** Whom to believe, and how far to ask. */
export interface ValidationRules {
  /** Trusted certificates, DER, or a way to those of given names. */
  readonly anchors: readonly Uint8Array[] | AnchorLookup;
  readonly revocation: { readonly mode: RevocationMode; readonly hardFail: boolean };
  /** Absent where the network must not be used. */
  readonly fetch?: PathFetch;
  readonly now: Date;
  /** Of the dates in the report; the server's by default. */
  readonly zone?: string;
  readonly signal?: AbortSignal;
}

/**
 * Reports on every signature of the PDF at `path`, in the order of its fields; none for an unsigned one. The document
 * is read as it is: what our own reader cannot make sense of is refused. Errors: PDF_DAMAGED, PDF_ENCRYPTED and those
 * of the bounds.
 */
export async function validateSignatures(path: string, rules: ValidationRules): Promise<readonly SignatureReport[]> {
  return withSource({ path }, (source) =>
    guardDocument('fileInput', async () => {
      const lazy = openLazily(source);
      const reviews = await reviewSignatures(source, lazy, rules.signal === undefined ? {} : { signal: rules.signal });
      if (reviews.length === 0) return [];
      const ends = reviews.flatMap(({ signature }) => byteRangeEnd(lazy, signature) ?? []);
      // The contract: ranges that cannot be read count as covering.
      const coversEntireDocument = ends.length === 0 || Math.max(...ends) >= lazy.windows.size;
      const store = readValidationData(lazy);
      const reports: SignatureReport[] = [];
      for (const review of reviews) {
        rules.signal?.throwIfAborted();
        reports.push({ ...(await reportOn(review, store, rules)), coversEntireDocument });
      }
      return reports;
    }),
  );
}

async function reportOn(
  review: SignatureReview,
  store: ValidationData,
  rules: ValidationRules,
): Promise<SignatureReport> {
  const { signature, integrity, changes } = review;
  const { zone } = rules;
  const common = {
    fieldName: signature.field ?? null,
    subFilter: signature.subFilter ?? null,
    certificationLevel: signature.certifies ? (signature.level ?? 2) : null,
    coversWholeFile: review.coversFile,
    changesSinceSigning: changes?.state ?? 'unknown',
    changes: changes?.what ?? [],
  } as const;
  const errorMessage = messageOf(review);
  // A time stamp that is not one of this document says nothing at all.
  if (signature.isTimeStamp && integrity.unreadable)
    return {
      ...nothingKnown,
      ...common,
      integrity: signature.range === undefined ? 'unverifiable' : 'broken',
      errorMessage,
    };
  const modified = isoDate(signature.modified);
  const time = signature.isTimeStamp ? integrity.stamp?.time : modified === undefined ? undefined : new Date(modified);
  const report: SignatureReport = {
    ...nothingKnown,
    ...common,
    valid: integrity.holds && changes !== undefined && changes.state !== 'refused',
    errorMessage,
    integrity: integrity.digestMatches && integrity.holds ? 'intact' : integrity.unreadable ? 'unverifiable' : 'broken',
    signerName: signature.name ?? null,
    reason: signature.reason ?? null,
    location: signature.location ?? null,
    signatureDate: time === undefined ? null : dateText(time, zone),
    digestAlgorithm: integrity.digest ?? null,
    timestampTime: integrity.stamp === undefined ? null : dateText(integrity.stamp.time, zone),
    warnings: integrity.warnings,
  };
  if (integrity.certificate === undefined)
    return {
      ...report,
      chainValidationError: integrity.unreadable ? null : 'The signature holds no certificate of its signer',
    };
  return {
    ...report,
    ...certificatePart(integrity.certificate, zone),
    ...(await pathPart(review, integrity.certificate, store, rules, report.warnings)),
  };
}

function messageOf({ integrity, changes }: SignatureReview): string | null {
  const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  const faults = [
    ...(integrity.fault === undefined ? [] : [sentence(integrity.fault)]),
    ...(changes?.state === 'refused'
      ? [
          `The document was changed after signing: ${changes.what.slice(0, 5).join('; ')}` +
            `${changes.what.length > 5 ? ` and ${changes.what.length - 5} more` : ''}`,
        ]
      : []),
  ];
  return faults.length === 0 ? null : faults.join('. ');
}

/** Facts from the signer's certificate. */
function certificatePart(certificate: Uint8Array, zone: string | undefined): Partial<SignatureReport> {
  try {
    const facts = certificateFacts(certificate);
    return {
      issuerDN: facts.issuer,
      subjectDN: facts.subject,
      serialNumber: facts.serialNumber,
      validFrom: dateText(facts.validFrom, zone),
      validUntil: dateText(facts.validTo, zone),
      signatureAlgorithm: facts.signatureAlgorithm,
      keySize: facts.keySize,
      version: String(facts.version),
      keyUsages: facts.keyUsages,
      selfSigned: facts.selfSigned,
    };
  } catch {
    return {};
  }
}

/**
 * Builds the path at the validation time (contract, validate-signature): of the time stamp, else as the signer claims,
 * else now.
 */
async function pathPart(
  review: SignatureReview,
  certificate: Uint8Array,
  store: ValidationData,
  rules: ValidationRules,
  warnings: readonly string[],
): Promise<Partial<SignatureReport>> {
  const {
    signature: { isTimeStamp },
    integrity: { stamp, signingTime, certificates, evidence },
  } = review;
  const path = (
    leaf: Uint8Array,
    others: readonly Uint8Array[],
    at: Date,
    purpose: 'signature' | 'time-stamp',
    atIsProven: boolean,
  ): Promise<PathResult> =>
    validatePath({
      leaf,
      at,
      purpose,
      atIsProven,
      anchors: rules.anchors,
      now: rules.now,
      revocation: rules.revocation,
      intermediates: [...others, ...store.certificates],
      evidence: { ocsp: [...evidence.ocsp, ...store.ocsp], crl: [...evidence.crl, ...store.crls] },
      ...(rules.fetch === undefined ? {} : { fetch: rules.fetch }),
      ...(rules.signal === undefined ? {} : { signal: rules.signal }),
    });
  // Only a trusted authority proves a time; the time of another one counts like a claimed one.
  const authority =
    stamp?.certificate === undefined || isTimeStamp
      ? undefined
      : await path(stamp.certificate, stamp.certificates, stamp.time, 'time-stamp', false);
  const [at, source] =
    isTimeStamp && stamp !== undefined
      ? ([stamp.time, 'document-timestamp'] as const)
      : stamp !== undefined
        ? ([stamp.time, 'timestamp'] as const)
        : signingTime !== undefined
          ? ([signingTime, 'signing-time'] as const)
          : ([rules.now, 'current'] as const);
  const result = await path(
    certificate,
    certificates,
    at,
    isTimeStamp ? 'time-stamp' : 'signature',
    authority?.valid === true,
  );
  return {
    chainValid: result.valid,
    trustValid: result.valid,
    chainValidationError: result.error,
    certPathLength: result.length,
    notExpired: result.notExpired,
    validationTimeSource: source,
    revocationChecked: rules.revocation.mode !== 'none',
    revocationStatus: result.revocationStatus,
    warnings: [
      ...warnings,
      ...result.softFailures,
      ...result.weaknesses,
      ...(authority === undefined || authority.valid
        ? []
        : [
            'The time stamp is not from a trusted authority: ' +
              `${authority.error ?? 'there is no path to a trust anchor'}`,
          ]),
    ],
  };
}
