import type { CertificateFacts } from '@quire/document/signatures/certificates';

/** True for a certificate whose time is over. */
export function isOver({ validTo }: Pick<CertificateFacts, 'validTo'>, now: Date): boolean {
  return validTo.getTime() < now.getTime();
}

/**
 * Sentences on what an administrator should know of a certificate that was uploaded for signing; none when all is well.
 */
export function certificateNotes(
  { validFrom, keyUsages, weaknesses, signatureAlgorithm, keyAlgorithm, keySize }: CertificateFacts,
  now: Date,
  enabled: boolean,
): readonly string[] {
  const maySign =
    keyUsages.length === 0 || keyUsages.includes('Digital Signature') || keyUsages.includes('Non-Repudiation');
  return [
    ...(enabled ? [] : ['Signing with it is switched off (system.serverCertificate.enabled).']),
    ...(validFrom.getTime() > now.getTime()
      ? [`It is valid from ${validFrom.toISOString()} only; nothing can be signed with it before.`]
      : []),
    ...(maySign ? [] : ['Its key usage does not allow signatures, which verifiers will say.']),
    ...(weaknesses.includes('short key')
      ? [
          `Its key is weak (${keyAlgorithm}${keySize === 0 ? '' : ` of ${keySize} bits`}); verifiers may ` +
            'refuse its signatures.',
        ]
      : []),
    ...(weaknesses.includes('broken digest')
      ? [`Its issuer signed it with ${signatureAlgorithm}, which verifiers may refuse.`]
      : []),
  ];
}
