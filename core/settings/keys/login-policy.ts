import type { KnownKey } from '../known-key.js';

/** Who needs a second factor, and where. */
export const loginPolicyKeys = [
  {
    path: 'security.secondFactor.requiredForRoles',
    type: 'strings',
    default: [],
    acts: true,
    meaning:
      'roles whose users need a second factor, such as ROLE_ADMIN; * for all. Users without one must set it ' +
      'up at their next login (docs/guides/administration.md)',
  },
  {
    path: 'security.secondFactor.trustedNetworks',
    type: 'strings',
    default: [],
    acts: true,
    meaning:
      'networks such as 10.0.0.0/8 in which security.secondFactor.requiredForRoles does not apply; behind a ' +
      'proxy, set server.trustedProxies',
  },
  {
    path: 'security.secondFactor.requiredOutsideNetworks',
    type: 'strings',
    default: [],
    acts: true,
    meaning: 'outside these networks everybody needs a second factor, whatever their role; empty: no such rule',
  },
] as const satisfies readonly KnownKey[];
