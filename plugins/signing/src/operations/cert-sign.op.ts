import {
  booleanField,
  defineOperation,
  InputError,
  integerField,
  numberField,
  offering,
  shown,
  tokens,
} from '@quire/registry';

const certTypes = ['PEM', 'PKCS12', 'PFX', 'JKS', 'SERVER', 'WINDOWS_STORE', 'PKCS11'] as const;
const levels = ['B-B', 'B-T', 'B-LT', 'B-LTA'] as const;

interface CertSignParams {
  certType: (typeof certTypes)[number];
  password?: string;
  alias?: string;
  pkcs11LibraryPath?: string;
  pkcs11Slot?: number;
  showSignature: boolean;
  reason: string;
  location: string;
  name: string;
  pageNumber: number;
  x: number;
  y: number;
  showLogo: boolean;
  signatureLevel?: (typeof levels)[number];
  tsaUrl: string;
  certificationLevel: 0 | 1 | 2 | 3;
  rsaPss: boolean;
}

/** Signs a PDF with an X.509 certificate (`docs/interface/security.yml`, cert-sign). */
export const certSign = defineOperation<CertSignParams>({
  path: 'security/cert-sign',
  name: 'signPdf',
  since: '0.2.0',
  summary: 'Sign a PDF with a certificate',
  title: 'Sign with a certificate',
  icon: 'signature',
  order: 30,
  keywords: ['digital signature', 'sign', 'pades', 'certificate'],
  groups: [
    { id: 'visible', title: 'Visible signature' },
    {
      id: 'place',
      title: 'Lower left corner of the signature',
      widget: 'point',
      frame: 'shown',
      roles: { x: 'x', y: 'y', page: 'pageNumber' },
    },
  ],
  notes: [
    'Creates a PAdES baseline signature (ETSI EN 319 142-1; SubFilter `ETSI.CAdES.detached`) with SHA-2 and ' +
      'the whole certificate chain, and verifies it in the written file. It is appended, so existing signatures ' +
      'stay valid; a signature that a certified document does not allow is refused with 409.',
    '`signatureLevel` B-T adds a time stamp to the signature. B-LT also adds certificates and revocation data, which ' +
      'are fetched from the addresses in the certificates (`security.validation.allowAIA` must be on). B-LTA adds a ' +
      'time stamp over all of it.',
    'The certificate must be valid now. RSA keys below 2048 bits are rejected. Certificates whose issuer signed with ' +
      'SHA-1 are accepted, and `concerns` in `X-Tool-Report` says what verifiers may object to.',
    'The visible signature is 200 x 50 points and shows signer, time and reason, in any script. `x` and `y` are its ' +
      'position on the page as it is shown. If it would not fit, it is moved into the page, and made smaller on ' +
      'small pages.',
    'Keystores, keys and passwords are not kept. Those of a job are in the store until the job has finished, the ' +
      'password encrypted.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  parts: [
    {
      field: 'privateKeyFile',
      label: 'Private key',
      description: 'Private key for PEM: PEM or DER of PKCS#1, SEC 1 or PKCS#8, encrypted or not',
      kinds: ['key', 'cer', 'txt', 'bin'],
      requiredWhen: { certType: 'PEM' },
    },
    {
      field: 'certFile',
      label: 'Certificate',
      description:
        'Certificate for PEM: PEM, DER or PKCS#7; of several, the one that matches the key signs, and its issuers ' +
        'are included',
      kinds: ['cer', 'p7b', 'key', 'txt', 'bin'],
      requiredWhen: { certType: 'PEM' },
    },
    {
      field: 'p12File',
      label: 'Keystore',
      description: 'Keystore for PKCS12 and PFX',
      kinds: ['p12', 'jks', 'bin'],
      requiredWhen: { certType: ['PKCS12', 'PFX'] },
    },
    {
      field: 'jksFile',
      label: 'Java keystore',
      description: 'Keystore for JKS; a PKCS#12 file named .jks can be read too',
      kinds: ['jks', 'p12', 'bin'],
      requiredWhen: { certType: 'JKS' },
    },
  ],
  returns: { kind: 'pdf', name: '{base}_signed', pages: 'same' },
  writes: 'append',
  certified: 2,
  effects: ['nondeterministic'],
  params: (joi) =>
    joi.object<CertSignParams, true>({
      certType: shown(
        offering(
          joi
            .string()
            .valid(...certTypes)
            .required()
            .description(
              'Where key and certificate come from: files (PEM, PKCS12 and PFX, JKS) or the server itself ' +
                '(SERVER). WINDOWS_STORE and PKCS11 are refused by a server',
            )
            .example('PKCS12'),
          { values: ['PKCS12', 'PFX', 'PEM', 'JKS', 'SERVER'] },
        ),
        {
          label: 'Certificate from',
          help: '',
          options: {
            PEM: 'Key and certificate files (PEM)',
            PKCS12: 'Keystore (PKCS#12)',
            PFX: 'Keystore (PFX)',
            JKS: 'Java keystore (JKS)',
            SERVER: "The server's certificate",
          },
        },
      ),
      password: shown(
        joi.string().empty('').max(1024).description('Password of the keystore or the key; ignored for SERVER'),
        { help: 'Of the keystore or the key.', when: { certType: ['PEM', 'PKCS12', 'PFX', 'JKS'] } },
      ),
      alias: shown(
        joi
          .string()
          .trim()
          .empty('')
          .max(1000)
          .description('Entry of the keystore; without it, or if there is none with that name, the first usable one'),
        {
          label: 'Entry of the keystore',
          help: 'The first usable one if empty.',
          when: { certType: ['PKCS12', 'PFX', 'JKS'] },
          advanced: true,
        },
      ),
      pkcs11LibraryPath: shown(joi.string().empty('').max(4096).description('Of PKCS11 alone'), { hidden: true }),
      pkcs11Slot: shown(integerField(joi, 'Of PKCS11 alone'), { hidden: true }),
      showSignature: shown(booleanField(joi, 'Makes the signature visible'), {
        label: 'Show the signature',
        help: '',
        group: 'visible',
      }),
      reason: shown(
        joi
          .string()
          .trim()
          .empty('')
          .max(1000)
          .default('Signed by Quire')
          .description('Why it is signed')
          .example('Approved'),
        { help: '' },
      ),
      location: shown(
        joi.string().trim().empty('').max(1000).default('Quire').description('Where it is signed').example('Berlin'),
        { label: 'Place', help: '' },
      ),
      name: shown(
        joi
          .string()
          .trim()
          .empty('')
          .max(1000)
          .default('Quire')
          .description("Who signs, in the signature dictionary; the visible signature names the certificate's owner")
          .example('Ann Example'),
        { label: 'Name of the signer', help: "A visible signature names the certificate's owner.", advanced: true },
      ),
      pageNumber: shown(integerField(joi, 'Page of the visible signature, from 1').min(1).default(1), {
        label: 'Page',
        help: '',
        group: 'place',
        when: { showSignature: true },
      }),
      x: shown(
        numberField(joi, 'Distance in points from the left edge of the page to the visible signature')
          .min(0)
          .max(1_000_000)
          .default(0),
        { label: 'From the left edge', help: '', unit: 'pt', group: 'place', when: { showSignature: true } },
      ),
      y: shown(
        numberField(joi, "Distance in points from the bottom of the page to the visible signature's lower edge")
          .min(0)
          .max(1_000_000)
          .default(0),
        { label: 'From the bottom edge', help: '', unit: 'pt', group: 'place', when: { showSignature: true } },
      ),
      showLogo: shown(booleanField(joi, 'Draws a seal behind the text of the visible signature', true), {
        label: 'Draw a seal',
        help: '',
        group: 'visible',
        when: { showSignature: true },
      }),
      signatureLevel: shown(
        joi
          .string()
          .trim()
          .uppercase()
          .empty('')
          .valid(...levels)
          .description(
            'PAdES baseline level: B-B, or B-T, B-LT and B-LTA with a time stamp. Without it B-T where tsaUrl is ' +
              'sent, else B-B',
          ),
        {
          label: 'Level',
          help: 'All but B-B have a time stamp.',
          advanced: true,
          options: {
            'B-B': 'Signature (B-B)',
            'B-T': 'With a time stamp (B-T)',
            'B-LT': 'With revocation data (B-LT)',
            'B-LTA': 'For archives (B-LTA)',
          },
        },
      ),
      tsaUrl: shown(
        joi
          .string()
          .trim()
          .empty('')
          .max(2000)
          .default('')
          .description(
            'Time stamp authority, one of those that the settings allow; blank takes ' +
              '`security.timestamp.defaultTsaUrl` where the level needs one',
          )
          .example('http://timestamp.digicert.com'),
        {
          label: 'Time stamp authority',
          help: 'Address of one that the settings allow; the usual one if empty.',
          advanced: true,
        },
      ),
      certificationLevel: shown(
        integerField(
          joi,
          'Certifies the document: 1 allows no change afterwards, 2 form filling and signing, 3 annotations too. ' +
            '0 only signs it',
        )
          .valid(0, 1, 2, 3)
          .default(0),
        {
          label: 'Changes afterwards',
          help: 'Certifies the document where changes are limited.',
          advanced: true,
          options: {
            '0': 'Not limited',
            '1': 'None',
            '2': 'Filling in forms and signing',
            '3': 'Forms, signing and comments',
          },
        },
      ),
      rsaPss: shown(booleanField(joi, 'Signs with RSA-PSS instead of PKCS#1 v1.5; for RSA keys'), {
        label: 'Use RSA-PSS',
        help: 'For RSA keys.',
        advanced: true,
      }),
    }),
  needs: { services: [tokens.clock, tokens.timeStampAuthority, tokens.serverKeystore, tokens.certificateTrust] },
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'KEYSTORE_PASSWORD',
    'KEYSTORE_UNREADABLE',
    'KEYSTORE_NO_KEY',
    'KEY_UNREADABLE',
    'KEY_UNUSABLE',
    'KEY_MISMATCH',
    'CERTIFICATE_UNREADABLE',
    'CERTIFICATE_NOT_VALID',
    'CERTIFICATE_REVOKED',
    'VALIDATION_DATA_MISSING',
    'SERVER_CERTIFICATE_ABSENT',
    'SERVER_CERTIFICATE_DISABLED',
    'SERVER_CERTIFICATE_MISSING',
    'HARDWARE_SIGNING_DESKTOP_ONLY',
    'TSA_NOT_ALLOWED',
    'ADDRESS_REFUSED',
  ],
  examples: [
    {
      title: 'a keystore, visible',
      files: ['plain.pdf'],
      parts: { p12File: 'signer.p12' },
      params: { certType: 'PKCS12', password: 'secret', showSignature: true, reason: 'Approved' },
      expect: { pages: [1], names: ['plain_signed.pdf'] },
    },
    {
      title: 'key and certificate as files',
      files: ['plain.pdf'],
      parts: { privateKeyFile: 'signer.key', certFile: 'signer.pem' },
      params: { certType: 'PEM' },
      expect: { pages: [1] },
    },
    {
      title: 'a wrong password',
      files: ['plain.pdf'],
      parts: { p12File: 'signer.p12' },
      params: { certType: 'PKCS12', password: 'wrong' },
      expect: { refused: 'KEYSTORE_PASSWORD' },
    },
    {
      title: 'a page that is not there',
      files: ['plain.pdf'],
      parts: { p12File: 'signer.p12' },
      params: { certType: 'PFX', password: 'secret', showSignature: true, pageNumber: 2 },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'a hardware token',
      files: ['plain.pdf'],
      params: { certType: 'PKCS11', password: '1234' },
      expect: { refused: 'HARDWARE_SIGNING_DESKTOP_ONLY' },
    },
  ],
  run: async (file, params, ctx) => {
    const { certType, password, alias } = params;
    if (certType === 'WINDOWS_STORE' || certType === 'PKCS11')
      throw new InputError('HARDWARE_SIGNING_DESKTOP_ONLY', { found: certType });
    const { sentSignatory, serverSignatory } = await import('../functions/sign-identity.js');
    const bytesOf = async (field: string): Promise<Uint8Array> => (await ctx.part(field)?.bytes()) ?? new Uint8Array();
    const keystore = certType === 'JKS' ? 'jksFile' : 'p12File';
    const signatory =
      certType === 'SERVER'
        ? await serverSignatory(ctx.use(tokens.serverKeystore))
        : await sentSignatory(
            certType === 'PEM'
              ? { kind: 'pair', key: await bytesOf('privateKeyFile'), certificate: await bytesOf('certFile'), password }
              : { kind: 'keystore', field: keystore, bytes: await bytesOf(keystore), password, alias },
            ctx.signal,
          );
    const { certSignFile } = await import('../functions/cert-sign.js');
    const { path, facts } = await certSignFile(file.path(), await ctx.folder(), {
      ...params,
      signatory,
      time: ctx.use(tokens.clock).now(),
      mode: ctx.writing,
      signal: ctx.signal,
      authority: () => ctx.use(tokens.timeStampAuthority),
      trust: () => ctx.use(tokens.certificateTrust),
    });
    ctx.report(facts);
    return [await ctx.adopt(file, path)];
  },
});
