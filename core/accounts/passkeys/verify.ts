import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { isQuireError } from '@quire/registry';
import { checkAuthenticatorData, checkClientData, invalid, type Expected } from './client-data.js';
import type { PasskeyRecord } from './model.js';
import { algorithms, isUsableKey, type CoseKey } from './public-key.js';

/** Facts of a new passkey that a device has created. */
export type NewPasskey = Pick<
  PasskeyRecord,
  'credentialId' | 'publicKey' | 'counter' | 'transports' | 'syncable' | 'backedUp'
>;

/** Facts of a login whose signature is right. */
export type Proof = Pick<PasskeyRecord, 'counter' | 'backedUp'>;

export type { AuthenticationResponseJSON, RegistrationResponseJSON };

/**
 * Verifies a new passkey (WebAuthn Level 3, 7.1). Who made the device is neither asked nor evaluated: statements of
 * certificates are left out, because checking them can fetch addresses that are written in them. Throws
 * PASSKEY_INVALID, PASSKEY_CHALLENGE_INVALID or PASSKEY_SITE_INVALID.
 */
export async function verifyRegistration(answer: RegistrationResponseJSON, expected: Expected): Promise<NewPasskey> {
  checkClientData(answer.response.clientDataJSON, 'webauthn.create', expected);
  // Loaded at first use: the library takes 26 megabytes.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers');
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...answer,
        response: { ...answer.response, attestationObject: await plainAttestation(answer, expected) },
      },
      expectedChallenge: expected.challenge,
      expectedOrigin: [...expected.origins],
      expectedRPID: expected.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...algorithms],
    });
    if (registrationInfo === undefined) throw invalid('it could not be verified');
    const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
    if (credential.id !== answer.id) throw invalid('id is not the id of the new passkey');
    if (!isUsableKey(decodeCredentialPublicKey(credential.publicKey) as unknown as CoseKey))
      throw invalid('its public key is not supported; Ed25519, ES256 and RS256 (2048 to 4096 bits) are');
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: answer.response.transports ?? [],
      syncable: credentialDeviceType === 'multiDevice',
      backedUp: credentialBackedUp,
    };
  } catch (error) {
    throw isQuireError(error) ? error : invalid('its contents cannot be read');
  }
}

/**
 * Verifies the signature of the answer to a login (WebAuthn Level 3, 7.2). Call `checkClientData` and
 * `checkAuthenticatorData` before, whose errors are clearer, and compare the counter afterwards: it says nothing before
 * the signature is known to be right. Returns undefined for a wrong signature and unreadable data.
 */
export async function verifyLogin(
  answer: AuthenticationResponseJSON,
  { credentialId, publicKey }: PasskeyRecord,
  expected: Expected,
): Promise<Proof | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: expected.challenge,
      expectedOrigin: [...expected.origins],
      expectedRPID: expected.rpId,
      requireUserVerification: true,
      credential: { id: credentialId, publicKey: bytesOf(publicKey), counter: 0 },
    });
    return verified
      ? { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the attestation object with the data of the device, and without a statement about it. */
async function plainAttestation(answer: RegistrationResponseJSON, expected: Expected): Promise<string> {
  const { decodeAttestationObject, isoCBOR } = await import('@simplewebauthn/server/helpers');
  const authData: unknown = decodeAttestationObject(bytesOf(answer.response.attestationObject)).get('authData');
  if (!(authData instanceof Uint8Array)) throw invalid('attestationObject contains no data of the device');
  checkAuthenticatorData(authData, expected);
  const plain = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', authData],
    ]),
  );
  return Buffer.from(plain).toString('base64url');
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, 'base64url'));
}
