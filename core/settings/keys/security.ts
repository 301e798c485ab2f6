import type { KnownKey } from '../known-key.js';

/** Login, accounts and limits of attempts. */
export const securityKeys = [
  {
    path: 'security.isolation',
    type: 'strings',
    default: ['permissions', 'namespaces', 'files', 'limits', 'user'],
    acts: true,
    fileOnly: true,
    meaning:
      'layers that confine workers and programs where the machine allows them; leave one out if it causes trouble',
  },
  {
    path: 'security.requireIsolation',
    type: 'strings',
    default: [],
    acts: true,
    fileOnly: true,
    meaning:
      'layers of workers and programs without which the server does not start: permissions (workers only), ' +
      'namespaces, files, limits, user (docs/guides/workers.md); GET /api/v1/capabilities lists those in use',
  },
  {
    path: 'security.readableFolders',
    type: 'strings',
    default: [],
    acts: true,
    fileOnly: true,
    meaning:
      'further folders that confined programs (LibreOffice, Ghostscript …) may read, such as fonts or programs that ' +
      'are installed outside /usr and /opt; documents of strangers can then read them too',
  },
  { path: 'security.enableLogin', type: 'boolean', default: false, acts: true, meaning: 'require login' },
  {
    path: 'security.loginAttemptCount',
    type: 'integer',
    default: 5,
    min: -1,
    acts: true,
    meaning: 'failed logins from one address before an account is locked for that address; -1: never',
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
    path: 'security.throttle.windowSeconds',
    type: 'integer',
    default: 60,
    min: 1,
    max: 86400,
    acts: true,
    meaning: 'seconds over which wrong keys and passwords of an address are counted',
  },
  {
    path: 'security.throttle.wrongKeys',
    type: 'integer',
    default: 10,
    min: 1,
    max: 1000000,
    acts: true,
    meaning: 'wrong API keys of one address in that time; further wrong ones get 429, valid ones still work',
  },
  {
    path: 'security.throttle.wrongPasswords',
    type: 'integer',
    default: 10,
    min: 1,
    max: 1000000,
    acts: true,
    meaning:
      'wrong passwords for one account from one address in that time; then none is checked until the time ' + 'is over',
  },
  {
    path: 'security.throttle.wrongPasswordsPerAddress',
    type: 'integer',
    default: 100,
    min: 1,
    max: 1000000,
    acts: true,
    meaning:
      'wrong passwords for all accounts from one address in that time; then only people who have logged in ' +
      'from there before can log in until it is over. Raise it for a large office behind one address',
  },
  {
    path: 'security.throttle.linkCalls',
    type: 'integer',
    default: 120,
    min: 1,
    max: 1000000,
    acts: true,
    meaning: 'calls with share links without an account from one address in that time; further ones get 429',
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
    path: 'security.recentLoginMinutes',
    type: 'integer',
    default: 15,
    min: 0,
    max: 1440,
    acts: true,
    meaning:
      'minutes after a login in which keys and passkeys can be created and a second factor turned on without sending ' +
      'the password again; 0: it is always needed',
  },
  {
    path: 'security.passkeys.enabled',
    type: 'boolean',
    default: true,
    acts: true,
    meaning: 'users can register passkeys and log in with them, where the login with a password is offered',
  },
  {
    path: 'security.passkeys.rpId',
    type: 'string',
    default: '',
    acts: true,
    meaning:
      'domain that passkeys are made for, such as example.org for pages on pdf.example.org; empty: the host of ' +
      'system.frontendUrl, else of system.backendUrl. Passkeys stop working when it changes',
  },
  {
    path: 'security.sessionMaxDays',
    type: 'integer',
    default: 30,
    min: 1,
    max: 3650,
    acts: true,
    meaning: 'days after the login at which a session ends, however often its token is refreshed',
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
    meaning: 'one API key for the whole server, which acts as a built-in user; only with login',
  },
] as const satisfies readonly KnownKey[];
