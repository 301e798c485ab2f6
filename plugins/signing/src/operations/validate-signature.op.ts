import { defineOperation, tokens } from '@quire/registry';

type ValidateSignatureParams = Record<string, never>;

/** Reports on every signature (`docs/interface/security.yml`, validate-signature). */
export const validateSignature = defineOperation<ValidateSignatureParams>({
  path: 'security/validate-signature',
  name: 'validateSignatures',
  since: '0.2.0',
  summary: 'Check every signature, its chain and later changes',
  title: 'Check signatures',
  icon: 'badge-check',
  order: 40,
  keywords: ['verify', 'check signature', 'digital signature'],
  notes: [
    'Returns one item for each signature dictionary, including document time stamps, in the order of the form ' +
      'fields; `[]` for an unsigned document. All members are always present; unknown values are `null`, `false` or ' +
      '`0`. A signature that cannot be read is `valid: false` with an `errorMessage`, and the status is still 200.',
    '`valid` is true if the signature matches the signed bytes (`integrity`), these bytes are the whole document ' +
      'except the signature value, and later changes are allowed for such a signature (`changesSinceSigning`): ' +
      'filling in forms, further signatures, evidence for them, and what a certification allows. It does not say ' +
      'whether the signer is trusted; `chainValid` and `trustValid` do.',
    '`certFile` (PEM, DER, PKCS#7) replaces all trust sources for this call: every certificate in it is an ' +
      'anchor. Revocation is checked as set in `security.validation.revocation`. Nothing is fetched unless ' +
      '`security.validation.allowAIA` is on, but revocation data in the document is used.',
    'Dates are in the time zone of the server. The certificate chain is checked at the time of the time stamp, or ' +
      'else at that of the attribute signing-time, which PAdES signatures do not have, or else now ' +
      '(`validationTimeSource`).',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  parts: [
    {
      field: 'certFile',
      label: 'Certificate to trust',
      kinds: ['any'],
      mayBeEmpty: true,
      description:
        'X.509 certificate (PEM, DER) or PKCS#7 bundle; the only trust anchors of this call. An empty file ' +
        'counts as none',
    },
  ],
  returns: {
    json: (joi) => {
      const text = joi.string().allow(null, '').required();
      const flag = joi.boolean().required();
      const list = joi.array().items(joi.string().allow('')).required();
      const usages = joi
        .array()
        .required()
        .items(
          joi
            .string()
            .valid(
              'Digital Signature',
              'Non-Repudiation',
              'Key Encipherment',
              'Data Encipherment',
              'Key Agreement',
              'Certificate Signing',
              'CRL Signing',
              'Encipher Only',
              'Decipher Only',
            ),
        );
      const whole = joi.number().integer().required();
      return joi.array().items(
        joi.object({
          valid: flag,
          chainValid: flag,
          trustValid: flag,
          chainValidationError: text,
          certPathLength: whole,
          notExpired: flag,
          coversEntireDocument: flag,
          revocationChecked: flag,
          revocationStatus: joi.valid('not-checked', 'good', 'revoked', 'soft-fail', 'unknown', null).required(),
          validationTimeSource: joi
            .valid('current', 'signing-time', 'timestamp', 'document-timestamp', null)
            .required(),
          signerName: text,
          signatureDate: text,
          reason: text,
          location: text,
          errorMessage: text,
          issuerDN: text,
          subjectDN: text,
          serialNumber: text,
          validFrom: text,
          validUntil: text,
          signatureAlgorithm: text,
          keySize: whole,
          version: text,
          keyUsages: usages.allow(null),
          selfSigned: flag,
          fieldName: text,
          subFilter: text,
          integrity: joi.valid('intact', 'broken', 'unverifiable').required(),
          digestAlgorithm: text,
          coversWholeFile: flag,
          changesSinceSigning: joi.valid('none', 'allowed', 'refused', 'unknown').required(),
          changes: list,
          certificationLevel: joi.valid(1, 2, 3, null).required(),
          timestampTime: text,
          warnings: list,
        }),
      );
    },
  },
  params: (joi) => joi.object<ValidateSignatureParams, true>({}),
  needs: { services: [tokens.certificateTrust, tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'CERTIFICATE_UNREADABLE'],
  examples: [
    { title: 'an unsigned document', files: ['plain.pdf'], params: {}, expect: { json: { length: 0 } } },
    {
      title: 'a signature and whom to trust',
      files: ['approved.pdf'],
      parts: { certFile: 'signer.pem' },
      params: {},
      expect: { json: { length: 1 } },
    },
    { title: 'a signature without a value', files: ['signed.pdf'], params: {}, expect: { json: { length: 1 } } },
    {
      title: 'a certificate file without a certificate',
      files: ['signed.pdf'],
      parts: { certFile: 'plain.pdf' },
      params: {},
      expect: { refused: 'CERTIFICATE_UNREADABLE' },
    },
    { title: 'a damaged document', files: ['broken.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ validateSignatures }, { anchorsFrom, fetchFrom }, { readCertificates }] = await Promise.all([
      import('../functions/validate-signature.js'),
      import('@quire/document/signatures/certification-path'),
      import('@quire/document/signatures/certificates'),
    ]);
    const trust = ctx.use(tokens.certificateTrust);
    const given = ctx.part('certFile');
    const anchors =
      given === undefined || given.size === 0 ? anchorsFrom(trust) : readCertificates(await given.bytes());
    const { mode, hardFail, allowAIA } = await trust.state();
    return ctx.json(
      await validateSignatures(file.path(), {
        anchors,
        now: ctx.use(tokens.clock).now(),
        signal: ctx.signal,
        revocation: { mode, hardFail },
        ...(allowAIA ? { fetch: fetchFrom(trust, ctx.signal) } : {}),
      }),
    );
  },
});
