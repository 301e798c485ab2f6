import type { JoiRoot } from '@quire/registry';

/** Largest answer of a passkey, as JSON, bytes. */
export const LARGEST_ANSWER = 64 * 1024;

const bytes = (joi: JoiRoot, most: number) =>
  joi
    .string()
    .pattern(/^[\w-]+$/, 'base64url')
    .max(most)
    .description('Base64url');

/** The members that all answers have (WebAuthn Level 3, 5.1.8); `response` differs. */
const answerOf = (joi: JoiRoot, response: object) =>
  joi
    .object({
      // 1023 bytes (WebAuthn Level 3, 4, credential id).
      id: bytes(joi, 1364).required(),
      rawId: bytes(joi, 1364).required(),
      type: joi.string().valid('public-key').required(),
      response: joi.object(response).required(),
      authenticatorAttachment: joi.string().max(40).allow(null),
      clientExtensionResults: joi.object().unknown(),
    })
    .description('The credential of the browser, as its toJSON() returns it');

/** A new passkey (`RegistrationResponseJSON`). */
export const createdPasskey = (joi: JoiRoot) =>
  answerOf(joi, {
    clientDataJSON: bytes(joi, 8192).required(),
    attestationObject: bytes(joi, 32_768).required(),
    transports: joi.array().items(joi.string().max(32)).max(10),
    authenticatorData: bytes(joi, 16_384),
    publicKey: bytes(joi, 8192).allow(null),
    publicKeyAlgorithm: joi.number().integer(),
  });

/** The answer of a passkey to a login (`AuthenticationResponseJSON`). */
export const usedPasskey = (joi: JoiRoot) =>
  answerOf(joi, {
    clientDataJSON: bytes(joi, 8192).required(),
    authenticatorData: bytes(joi, 8192).required(),
    signature: bytes(joi, 4096).required(),
    userHandle: bytes(joi, 100).allow(null).empty(null),
  });

const milliseconds = (joi: JoiRoot) => joi.number().integer().required().description('Milliseconds');

/** Options for `navigator.credentials.create` (WebAuthn Level 3, 5.4). */
export const creationOptions = (joi: JoiRoot) => {
  const text = () => joi.string().required();
  return joi
    .object({
      challenge: text(),
      rp: joi.object({ id: text(), name: text() }).required(),
      user: joi.object({ id: text(), name: text(), displayName: text() }).required(),
      pubKeyCredParams: joi
        .array()
        .items(joi.object({ alg: joi.number().integer().required(), type: text() }))
        .required(),
      timeout: milliseconds(joi),
      attestation: text(),
      excludeCredentials: joi
        .array()
        .items(joi.object({ id: text(), type: text(), transports: joi.array().items(joi.string()) }))
        .required(),
      authenticatorSelection: joi
        .object({ residentKey: text(), requireResidentKey: joi.boolean().required(), userVerification: text() })
        .required(),
      extensions: joi.object({ credProps: joi.boolean().required() }).required(),
    })
    .required()
    .label('PasskeyCreationOptions')
    .description('For PublicKeyCredential.parseCreationOptionsFromJSON');
};

/** Options for `navigator.credentials.get` (WebAuthn Level 3, 5.5). */
export const requestOptions = (joi: JoiRoot) =>
  joi
    .object({
      challenge: joi.string().required(),
      rpId: joi.string().required(),
      allowCredentials: joi.array().max(0).required().description('Empty: the browser offers all passkeys of the site'),
      userVerification: joi.string().required(),
      timeout: milliseconds(joi),
    })
    .required()
    .label('PasskeyRequestOptions')
    .description('For PublicKeyCredential.parseRequestOptionsFromJSON');

/** A passkey in lists. */
export const passkeyBody = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.string().required(),
      name: joi.string().required(),
      created: joi.string().isoDate().required(),
      lastUsed: joi.string().isoDate().allow(null).required().description('Null: it was never used'),
      rpId: joi.string().required().description('The domain that it was made for; it works nowhere else'),
      syncable: joi.boolean().required().description('Its provider may copy it to other devices of the user'),
      backedUp: joi.boolean().required().description('Its provider has a copy'),
      suspect: joi
        .boolean()
        .required()
        .description('It answered with a count of uses that had been used before, so there may be a copy of it'),
      transports: joi.array().items(joi.string()).required().description('How browsers reach it').example(['internal']),
    })
    .label('Passkey');

/** The list of a user's passkeys. */
export const passkeysBody = (joi: JoiRoot) =>
  joi
    .object({ passkeys: joi.array().items(passkeyBody(joi)).required().description('The oldest first') })
    .label('Passkeys');
