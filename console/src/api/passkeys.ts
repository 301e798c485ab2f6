import { callJson } from './call.ts';
import { keepSession, type SessionAnswer } from './session.ts';

/** Whether this page may use passkeys: only secure ones may (WebAuthn, 4). */
export const passkeysPossible: boolean = 'PublicKeyCredential' in globalThis && isSecureContext;

/** Logs in with a passkey. Rejects with a `Problem`, or with the browser's error when the user cancels. */
export async function logInWithPasskey(): Promise<void> {
  const { attempt, publicKey } = await callJson<{
    attempt: string;
    publicKey: PublicKeyCredentialRequestOptionsJSON;
  }>('auth/passkeys/login/begin', { body: {}, login: 'quiet' });
  const credential = (await navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey),
  })) as PublicKeyCredential;
  const answer = await callJson<SessionAnswer>('auth/passkeys/login/finish', {
    body: { attempt, credential: credential.toJSON() as unknown },
    login: 'quiet',
  });
  keepSession(answer);
}

/** Registers a passkey of this device. `password`: after PASSWORD_REQUIRED. */
export async function registerPasskey(name: string, password: string | undefined): Promise<void> {
  const { publicKey } = await callJson<{ publicKey: PublicKeyCredentialCreationOptionsJSON }>(
    'auth/passkeys/registration/begin',
    { body: password === undefined ? {} : { password } },
  );
  const credential = (await navigator.credentials.create({
    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey),
  })) as PublicKeyCredential;
  await callJson('auth/passkeys/registration/finish', {
    body: { ...(name === '' ? {} : { name }), credential: credential.toJSON() as unknown },
  });
}
