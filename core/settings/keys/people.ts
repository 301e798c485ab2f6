import type { KnownKey } from '../known-key.js';

/** Names and pictures of people. */
export const peopleKeys = [
  {
    path: 'security.userPictures',
    type: 'boolean',
    default: true,
    acts: true,
    meaning:
      'when users log in with a provider, fetch the pictures that it names, and show them; off: stored ones are ' +
      'deleted at the start',
  },
] as const satisfies readonly KnownKey[];
