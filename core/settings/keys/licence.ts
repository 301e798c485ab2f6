import type { KnownKey } from '../known-key.js';

const noLicenceKey = 'No licence key is needed: licence.tier decides what the licence allows.';
/** Licence, allowance and what they unlock. */
export const licenceKeys = [
  {
    path: 'licence.tier',
    type: 'string',
    default: 'enterprise',
    allowed: ['free', 'team', 'enterprise'],
    acts: true,
    meaning: 'which licence rules apply. Only this setting decides; premium.key and premium.enabled have no effect',
  },
  {
    path: 'licence.allowance',
    type: 'integer',
    default: -1,
    min: -1,
    acts: true,
    meaning: 'units that calls with a key and pipeline steps of the whole server may use per period; -1: no limit',
  },
  {
    path: 'licence.allowancePeriod',
    type: 'string',
    default: 'none',
    allowed: ['none', 'day', 'month'],
    acts: true,
    meaning: 'when allowance and credits are reset, in UTC; none: never',
  },
  {
    path: 'licence.credits',
    type: 'integer',
    default: -1,
    min: -1,
    acts: true,
    meaning: 'cloud only: free units per period of each team, or of each user without a team; -1: no limit',
  },
  {
    path: 'licence.spendCap',
    type: 'integer',
    default: 0,
    min: -1,
    acts: true,
    meaning: 'cloud only: units beyond the credits that each team has bought; 0: none, -1: no cap',
  },
  {
    path: 'licence.meter',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'count usage even if nothing is limited, for GET /api/v1/admin/usage',
  },
  {
    path: 'premium.key',
    type: 'string',
    default: '00000000-0000-0000-0000-000000000000',
    secret: true,
    acts: false,
    instead: noLicenceKey,
    meaning:
      'licence key; an all-zero id means none. Kept for existing settings files: licence.tier decides what the ' +
      'licence allows',
  },
  {
    path: 'premium.enabled',
    type: 'boolean',
    default: false,
    acts: false,
    instead: noLicenceKey,
    meaning:
      'check the licence and open paid features. Kept for existing settings files: licence.tier decides what ' +
      'the licence allows',
  },
  {
    path: 'premium.proFeatures.ssoAutoLogin',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'the login page goes to the login provider at once, if there is exactly one and users have no other way',
  },
  {
    path: 'premium.proFeatures.customMetadata.autoUpdateMetadata',
    type: 'boolean',
    default: false,
    acts: true,
    meaning:
      'write author, creator, producer and time of change into every resulting PDF; signed ones, and ' +
      'results whose metadata a call sets or removes, stay as they are',
  },
  {
    path: 'premium.proFeatures.customMetadata.author',
    type: 'string',
    default: 'username',
    acts: true,
    meaning: 'author of resulting PDFs; username: the name of the caller; empty: not changed',
  },
  {
    path: 'premium.proFeatures.customMetadata.creator',
    type: 'string',
    default: 'Quire',
    acts: true,
    meaning: 'creator of resulting PDFs; empty: not changed',
  },
  {
    path: 'premium.proFeatures.customMetadata.producer',
    type: 'string',
    default: 'Quire',
    acts: true,
    meaning: 'producer of resulting PDFs; empty: not changed',
  },
  {
    path: 'premium.proFeatures.googleDrive.enabled',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'file picker for Google Drive in clients',
  },
  {
    path: 'premium.proFeatures.googleDrive.clientId',
    type: 'string',
    default: '',
    acts: true,
    meaning: 'OAuth client id',
  },
  {
    path: 'premium.proFeatures.googleDrive.apiKey',
    type: 'string',
    default: '',
    secret: true,
    acts: true,
    meaning: 'picker API key',
  },
  { path: 'premium.proFeatures.googleDrive.appId', type: 'string', default: '', acts: true, meaning: 'Drive app id' },
  {
    path: 'premium.enterpriseFeatures.audit.enabled',
    type: 'boolean',
    default: true,
    acts: true,
    meaning: 'keep an audit log',
  },
  {
    path: 'premium.enterpriseFeatures.audit.level',
    type: 'integer',
    default: 2,
    allowed: [0, 1, 2, 3],
    min: 0,
    acts: true,
    meaning: 'detail of the audit log: 0 off, 1 basic, 2 standard, 3 verbose',
  },
  {
    path: 'premium.enterpriseFeatures.audit.retentionDays',
    type: 'integer',
    default: 90,
    acts: true,
    meaning: 'days for which audit entries are kept; 0 or less: for ever',
  },
  {
    path: 'premium.enterpriseFeatures.audit.captureFileHash',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'store the SHA-256 of each uploaded file in the audit log',
  },
  {
    path: 'premium.enterpriseFeatures.audit.capturePdfAuthor',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'store the author that each uploaded PDF names, at most 200 characters',
  },
  {
    path: 'premium.enterpriseFeatures.audit.captureOperationResults',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'store the results of calls in the audit log',
  },
  {
    path: 'premium.enterpriseFeatures.databaseNotifications.backups.successful',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'mail to administrators when a backup of the embedded store was made; needs mail.enabled and login',
  },
  {
    path: 'premium.enterpriseFeatures.databaseNotifications.backups.failed',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'mail to administrators when a backup of the embedded store failed; needs mail.enabled and login',
  },
  {
    path: 'premium.enterpriseFeatures.databaseNotifications.imports.successful',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'mail to administrators when a backup was accepted for the next start; needs mail.enabled and login',
  },
  {
    path: 'premium.enterpriseFeatures.databaseNotifications.imports.failed',
    type: 'boolean',
    default: false,
    acts: true,
    meaning:
      'mail to administrators when a backup that was to be restored was not accepted; needs mail.enabled and login',
  },
  {
    path: 'premium.maxUsers',
    type: 'integer',
    default: 0,
    min: -1,
    acts: true,
    meaning:
      'most users with licence.tier team or enterprise; 0: no limit. The free tier allows five users with a ' +
      'password, and any number who log in with a provider',
  },
  {
    path: 'premium.proFeatures.database',
    type: 'boolean',
    default: false,
    acts: false,
    instead: 'An external database needs no licence here: set store.mongodb.url.',
    meaning: 'external database allowed',
  },
  {
    path: 'premium.enterpriseFeatures.persistentMetrics.enabled',
    type: 'boolean',
    default: false,
    acts: true,
    meaning:
      'counts of calls (/api/v1/info/requests, /load) are those of all servers on the store, by route, and ' +
      'survive a restart; sessions and browsers are counted from the start on, because they would have to be stored',
  },
  {
    path: 'premium.enterpriseFeatures.persistentMetrics.retentionDays',
    type: 'integer',
    default: 0,
    min: 0,
    max: 3650,
    acts: true,
    meaning:
      'days that counts of calls are kept while persistentMetrics.enabled is on, also those of the usage ' +
      'statistics; 0: 365',
  },
] as const satisfies readonly KnownKey[];
