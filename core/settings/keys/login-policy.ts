import type { KnownKey } from '../known-key.js';

/** Who needs a second factor, and where. */
export const loginPolicyKeys = [
  {
    path: 'security.secondFactor.requiredForRoles',
    type: 'strings',
    default: [],
    acts: true,
    meaning:
      'roles whose users need a second factor, such as ROLE_ADMIN; * for all. Who has none sets one up at the next ' +
      'login, before anything else (docs/guides/administration.md)',
  },
  {
    path: 'security.secondFactor.trustedNetworks',
    type: 'strings',
    default: [],
    acts: true,
    meaning:
      'networks such as 10.0.0.0/8 from which security.secondFactor.requiredForRoles asks for none; behind a proxy ' +
      'server.trustedProxies must name it',
  },
  {
    path: 'security.secondFactor.requiredOutsideNetworks',
    type: 'strings',
    default: [],
    acts: true,
    meaning: 'networks outside of which everybody needs a second factor, whatever role; empty: no such rule',
  },
] as const satisfies readonly KnownKey[];
