import type { KnownKey } from '../known-key.js';

/** Names and pictures of people. */
export const peopleKeys = [
  {
    path: 'security.userPictures',
    type: 'boolean',
    default: true,
    acts: true,
    meaning:
      'fetch and show the pictures of users who log in with a provider; if off, stored ones are deleted at ' + 'start',
  },
] as const satisfies readonly KnownKey[];
