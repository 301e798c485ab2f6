import { defineEndpoint, InputError } from '@quire/registry';

const shared = { since: '0.2.0', tag: 'security' } as const;
const codes = ['KEY_INVALID', 'TOKEN_INVALID', 'ACCOUNT_DISABLED'] as const;

/** Says that a server has no hardware to sign with (`docs/interface/signing.yml`, cert-sign/hardware). */
export const hardwareCapabilities = defineEndpoint({
  ...shared,
  id: 'getHardwareCapabilities',
  method: 'GET',
  path: 'security/cert-sign/hardware/capabilities',
  summary: 'Tell what hardware signing there is',
  notes: 'Smart cards and desktop certificate stores need a desktop build; a server always answers that there is none.',
  returns: {
    description: 'No hardware signing',
    json: (joi) =>
      joi
        .object({
          desktop: joi.boolean().required(),
          osName: joi.string().allow('').required(),
          windowsStoreSupported: joi.boolean().required(),
          pkcs11Supported: joi.boolean().required(),
          detectedLibraries: joi
            .array()
            .items(joi.object({ name: joi.string().required(), path: joi.string().required() }))
            .required(),
        })
        .label('HardwareCapabilities'),
  },
  errors: [...codes],
  handle: async () => ({
    json: { desktop: false, osName: '', windowsStoreSupported: false, pkcs11Supported: false, detectedLibraries: [] },
  }),
});

/** Refuses to list certificates of a desktop. */
export const hardwareWindowsCertificates = defineEndpoint({
  ...shared,
  id: 'listWindowsCertificates',
  method: 'GET',
  path: 'security/cert-sign/hardware/windows-certificates',
  summary: 'List certificates of the desktop',
  notes: 'Desktop builds only: a server always answers 400.',
  returns: {
    description: 'Never answered by a server',
    json: (joi) => joi.object({ certificates: joi.array().items(joi.object()).required() }),
  },
  errors: ['HARDWARE_SIGNING_DESKTOP_ONLY', ...codes],
  handle: () => Promise.reject(new InputError('HARDWARE_SIGNING_DESKTOP_ONLY', { found: 'WINDOWS_STORE' })),
});

/** Refuses to list certificates of a card. The body, which may hold a PIN, is not read. */
export const hardwarePkcs11Certificates = defineEndpoint({
  ...shared,
  id: 'listPkcs11Certificates',
  method: 'POST',
  path: 'security/cert-sign/hardware/pkcs11-certificates',
  summary: 'List certificates of a card or token',
  notes:
    'Desktop builds only: a server always answers 400, whatever `libraryPath`, `slot` and `pin` the JSON body holds.',
  returns: {
    description: 'Never answered by a server',
    json: (joi) => joi.object({ certificates: joi.array().items(joi.object()).required() }),
  },
  errors: ['HARDWARE_SIGNING_DESKTOP_ONLY', ...codes],
  handle: () => Promise.reject(new InputError('HARDWARE_SIGNING_DESKTOP_ONLY', { found: 'PKCS11' })),
});
