import { accessRow, inputRow } from './row.js';

/** Passkeys (WebAuthn). */
export const passkeyErrors = {
  PASSKEYS_UNUSABLE: inputRow({
    status: 400,
    type: 'passkeys-unusable',
    title: 'Passkeys cannot be used here',
    text: 'Passkeys cannot be used at this address: {detail}.',
    error: '{text}',
  }),
  PASSKEY_CHALLENGE_INVALID: inputRow({
    status: 400,
    type: 'passkey-challenge',
    title: 'Challenge unknown or expired',
    text:
      'This attempt is unknown, was used already, or has expired (it is valid for {minutes} minutes, once, and for ' +
      'whoever began it). Begin again.',
    textIf: {
      other: 'The answer of the passkey is for another challenge than the one of this attempt. Begin again.',
    },
    error: '{text}',
  }),
  PASSKEY_SITE_INVALID: inputRow({
    status: 400,
    type: 'passkey-site',
    title: 'Passkey of another site',
    text: 'The passkey was used on {found}, but this server accepts {allowed} only.',
    textIf: {
      framed: 'The passkey was used in a frame of another site. Open the page of this server itself.',
      rpId: 'The answer of the passkey is for another site than {rpId}.',
    },
    error: '{text}',
  }),
  PASSKEY_INVALID: inputRow({
    status: 400,
    type: 'passkey-invalid',
    title: 'Unusable answer of a passkey',
    text: 'The answer of the passkey cannot be used: {detail}.',
    error: '{text}',
  }),
  PASSKEY_EXISTS: inputRow({
    status: 409,
    type: 'conflict',
    title: 'Passkey already registered',
    text: 'This passkey is registered already.',
    error: '{text}',
  }),
  PASSKEY_LIMIT: accessRow({
    status: 429,
    type: 'passkey-limit',
    title: 'Too many passkeys',
    text: 'There are already {limit} passkeys, which is the maximum. Remove one first.',
    error: '{text}',
  }),
  PASSKEY_WEB_ONLY: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Account without a password',
    text: 'This account logs in with an external provider; set up its passkeys there.',
    error: '{text}',
  }),
  PASSKEY_UNKNOWN: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Unknown passkey',
    text:
      'This passkey is not registered on this server, or was removed. Log in with the password, and delete the ' +
      'passkey on your device.',
    error: '{text}',
  }),
  PASSKEY_FAILED: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Login failed',
    text: 'The passkey was rejected: its signature is wrong, or it belongs to another account.',
    error: '{text}',
  }),
  PASSKEY_COPIED: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Passkey possibly copied',
    text:
      'The passkey was rejected: its use counter did not increase, so there may be a copy of it. Log in with the ' +
      'password, remove the passkey, and register it again.',
    error: '{text}',
  }),
} as const;
