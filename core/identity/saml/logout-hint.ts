import type { ProviderSession } from '../../accounts/index.js';
import type { NameId } from './read-assertion.js';

/** Names the session at the identity provider when the user logs out here. */
export interface LogoutHint {
  readonly nameId: NameId;
  readonly sessionIndex: string | undefined;
}

/** Reads the hint of a session that began at an identity provider of SAML; undefined for another one. */
export function logoutHintOf({ idToken }: ProviderSession): LogoutHint | undefined {
  try {
    const found = JSON.parse(idToken ?? '') as LogoutHint;
    return typeof found.nameId.value === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}
