import type { KnownKey } from '../known-key.js';

const generated =
  'The server makes and keeps this value itself, in its store; what other servers generated has no use here.';

/** Session tokens. */
export const identityKeys = [
  {
    path: 'security.jwt.enableKeyCleanup',
    type: 'boolean',
    default: true,
    acts: true,
    meaning: 'delete expired signing key pairs',
  },
  {
    path: 'security.jwt.tokenExpiryMinutes',
    type: 'integer',
    default: 1440,
    min: 1,
    acts: true,
    meaning: 'web token life in minutes',
  },
  {
    path: 'security.jwt.desktopTokenExpiryMinutes',
    type: 'integer',
    default: 43200,
    min: 1,
    acts: true,
    meaning: 'desktop token life in minutes',
  },
  {
    path: 'security.jwt.allowedClockSkewSeconds',
    type: 'integer',
    default: 60,
    min: 0,
    acts: true,
    meaning: 'tolerated clock difference',
  },
  {
    path: 'security.jwt.refreshGraceMinutes',
    type: 'integer',
    default: 15,
    min: 0,
    acts: true,
    meaning: 'minutes after expiry in which a token may still be refreshed',
  },
  {
    path: 'security.jwt.enableKeystore',
    type: 'boolean',
    default: true,
    acts: true,
    meaning: 'keep signing keys, encrypted, in the store; false: every start ends all sessions',
  },
  {
    path: 'AutomaticallyGenerated.key',
    type: 'string',
    default: '',
    secret: true,
    acts: false,
    instead: generated,
    meaning: 'generated secret; written by the server',
  },
  {
    path: 'AutomaticallyGenerated.UUID',
    type: 'string',
    default: '',
    acts: false,
    instead: generated,
    meaning: 'generated installation id; written by the server',
  },
  {
    path: 'AutomaticallyGenerated.appVersion',
    type: 'string',
    default: '',
    acts: false,
    instead: generated,
    meaning: 'version that last wrote the file; written by the server',
  },
  {
    path: 'AutomaticallyGenerated.isNewServer',
    type: 'boolean',
    default: false,
    acts: false,
    instead: generated,
    meaning: 'set by the server on first run',
  },
] as const satisfies readonly KnownKey[];
