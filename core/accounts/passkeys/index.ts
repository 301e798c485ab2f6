export { Challenges } from './challenges.js';
export { CHALLENGE_MINUTES, MAX_PASSKEYS, type RelyingParty } from './model.js';
export { PasskeyLogin } from './passkey-login.js';
export { Passkeys } from './passkeys.js';
export { relyingParties } from './relying-party.js';
export type { AuthenticationResponseJSON, RegistrationResponseJSON } from './verify.js';
