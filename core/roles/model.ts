import type { Identified } from '../store/index.js';

/** Limits of one account beside those of the server; null: none. */
export interface RoleLimits {
  /** POST calls per day (UTC) with API keys, and in the browser. */
  readonly apiCallsPerDay: number | null;
  readonly webCallsPerDay: number | null;
  /** Most megabytes in one request. */
  readonly uploadMb: number | null;
  /** Most pages of one document that a tool is given. */
  readonly pagesPerDocument: number | null;
  /** Most jobs that run at once; further ones wait. */
  readonly jobsAtOnce: number | null;
  /** Most jobs that wait at once; further ones are refused. */
  readonly jobsWaiting: number | null;
  /** Most megabytes of stored files. */
  readonly storageMb: number | null;
}

export const limitNames = [
  'apiCallsPerDay',
  'webCallsPerDay',
  'uploadMb',
  'pagesPerDocument',
  'jobsAtOnce',
  'jobsWaiting',
  'storageMb',
] as const satisfies readonly (keyof RoleLimits)[];

/** Use of stored files, from least to most. */
export const storageUses = ['none', 'read', 'use'] as const;
export type StorageUse = (typeof storageUses)[number];

/** What an account may do. */
export interface Rights {
  /** Categories of operations; null: all. */
  readonly categories: readonly string[] | null;
  /** Single operations beside and against the categories, by path (`general/rotate-pdf`); `deny` wins. */
  readonly operations: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly storage: StorageUse;
  /** May make and change automations and saved pipelines. */
  readonly automations: boolean;
  /** May make API keys. */
  readonly apiKeys: boolean;
  /** Areas of administration (`Access.area`); null: everything, which only ROLE_ADMIN has. */
  readonly areas: readonly string[] | null;
  readonly limits: RoleLimits;
}

export interface Role {
  /** `ROLE_` and capitals; cannot be changed. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Comes with the server and cannot be deleted. */
  readonly builtIn: boolean;
  /** Cannot be changed either. */
  readonly fixed: boolean;
  /** Grows with each change; 0: as shipped. */
  readonly version: number;
  readonly rights: Rights;
  /** ISO instant and name of the administrator; null: as shipped. */
  readonly changedAt: string | null;
  readonly changedBy: string | null;
}

/** A role as stored; the id is its name. Built-in roles have a record once somebody has changed them. */
export interface RoleRecord extends Identified {
  readonly title: string;
  readonly description: string;
  readonly version: number;
  /** `Rights` as JSON. */
  readonly rights: string;
  readonly changedAt: string;
  readonly changedBy: string;
}

export const ADMIN_ROLE = 'ROLE_ADMIN';
/** The role that no administrator can assign: loopback calls and the global key use it. */
export const INTERNAL_ROLE = 'ROLE_BACKEND_API_USER';

/** Names of roles: what an account's role may be called. */
export const ROLE_NAME = /^ROLE_[A-Z][A-Z0-9_]{0,57}$/;

export const unlimited: RoleLimits = {
  apiCallsPerDay: null,
  webCallsPerDay: null,
  uploadMb: null,
  pagesPerDocument: null,
  jobsAtOnce: null,
  jobsWaiting: null,
  storageMb: null,
};

/** What a user may do whose role says nothing else. */
const everyTool: Rights = {
  categories: null,
  operations: { allow: [], deny: [] },
  storage: 'use',
  automations: true,
  apiKeys: true,
  areas: [],
  limits: unlimited,
};

/** Rights of an account whose role does not exist. */
export const noRights: Rights = {
  categories: [],
  operations: { allow: [], deny: [] },
  storage: 'none',
  automations: false,
  apiKeys: false,
  areas: [],
  limits: unlimited,
};

const daily = (apiCallsPerDay: number, webCallsPerDay: number): Partial<RoleLimits> => ({
  apiCallsPerDay,
  webCallsPerDay,
});

const shipped: readonly (readonly [name: string, title: string, description: string, limits?: Partial<RoleLimits>])[] =
  [
    ['ROLE_ADMIN', 'Administrator', 'Everything. At least one account keeps this role.'],
    ['ROLE_USER', 'User', 'All tools, without limits.'],
    ['ROLE_PRO_USER', 'Pro user', 'All tools, without limits.'],
    ['ROLE_LIMITED_API_USER', 'Limited user', 'All tools; 40 calls a day while rateLimit is on.', daily(40, 40)],
    ['ROLE_EXTRA_LIMITED_API_USER', 'Very limited user', 'As limited users, with 20 calls a day.', daily(20, 20)],
    ['ROLE_WEB_ONLY_USER', 'Browser only', 'No calls with API keys, 20 in the browser.', daily(0, 20)],
    ['ROLE_DEMO_USER', 'Demo', 'Shared by strangers: cannot change the account; 100 calls a day.', daily(100, 100)],
    [INTERNAL_ROLE, 'Server', 'The built-in user of the global API key.'],
  ];

/** Names of the roles that come with the server (`docs/interface/auth.yml`, roles and limits). */
export const builtInNames: readonly string[] = shipped.map(([name]) => name);

/** Returns the roles as shipped. Their daily limits hold while the setting `rateLimit` is on. */
export function builtInRoles(rateLimit: boolean): Role[] {
  return shipped.map(([name, title, description, limits = {}]) => ({
    name,
    title,
    description,
    builtIn: true,
    fixed: name === ADMIN_ROLE || name === INTERNAL_ROLE,
    version: 0,
    rights: {
      ...everyTool,
      areas: name === ADMIN_ROLE ? null : [],
      limits: rateLimit ? { ...unlimited, ...limits } : unlimited,
    },
    changedAt: null,
    changedBy: null,
  }));
}
