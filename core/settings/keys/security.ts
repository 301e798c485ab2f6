import type { KnownKey } from '../known-key.js';

/** Login, accounts and limits of attempts. */
export const securityKeys = [
  { path: 'security.enableLogin', type: 'boolean', default: false, acts: true, meaning: 'login on the server' },
  {
    path: 'security.loginAttemptCount',
    type: 'integer',
    default: 5,
    min: -1,
    acts: true,
    meaning: 'failed logins before an account locks; -1 never locks',
  },
  {
    path: 'security.loginResetTimeMinutes',
    type: 'integer',
    default: 120,
    min: -1,
    acts: true,
    meaning: 'minutes an account stays locked',
  },
  {
    path: 'security.loginMethod',
    type: 'string',
    default: 'all',
    allowed: ['all', 'normal', 'oauth2', 'saml2'],
    acts: true,
    meaning: 'which login methods are offered',
  },
  {
    path: 'security.initialLogin.username',
    type: 'string',
    default: '',
    acts: true,
    meaning: 'name of the first administrator; empty uses admin',
  },
  {
    path: 'security.initialLogin.password',
    type: 'string',
    default: '',
    secret: true,
    acts: true,
    meaning: 'password of the first administrator; empty: a random one is printed once at first start',
  },
  {
    path: 'security.xFrameOptions',
    type: 'string',
    default: 'DENY',
    allowed: ['DENY', 'SAMEORIGIN', 'DISABLED'],
    acts: true,
    meaning: 'X-Frame-Options header, and who may frame pages',
  },
  {
    path: 'security.customGlobalAPIKey',
    type: 'string',
    default: '',
    secret: true,
    acts: true,
    meaning: 'one server-wide API key, run as the built-in API user; only when login is on',
  },
] as const satisfies readonly KnownKey[];
