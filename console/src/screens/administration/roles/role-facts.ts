import { t } from './texts.ts';

export const limitNames = [
  'apiCallsPerDay',
  'webCallsPerDay',
  'uploadMb',
  'pagesPerDocument',
  'jobsAtOnce',
  'jobsWaiting',
  'storageMb',
] as const;
export type LimitName = (typeof limitNames)[number];

/** What the accounts with a role may do (`GET /api/v1/admin/roles`). */
export interface Rights {
  /** Null: all. */
  readonly categories: readonly string[] | null;
  readonly operations: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly storage: 'none' | 'read' | 'use';
  readonly automations: boolean;
  readonly apiKeys: boolean;
  /** Null: all, which only full administrators have. */
  readonly areas: readonly string[] | null;
  readonly limits: Readonly<Record<LimitName, number | null>>;
}

export interface Role {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly builtIn: boolean;
  /** Cannot be changed. */
  readonly fixed: boolean;
  readonly version: number;
  readonly users: number;
  readonly rights: Rights;
}

export interface RolesPage {
  readonly roles: readonly Role[];
  readonly options: {
    readonly categories: readonly string[];
    readonly operations: readonly string[];
    readonly areas: readonly string[];
    readonly defaultRole: string;
  };
}

/** Rights of a new role: all tools, no administration. */
export const firstRights: Rights = {
  categories: null,
  operations: { allow: [], deny: [] },
  storage: 'use',
  automations: true,
  apiKeys: true,
  areas: [],
  limits: {
    apiCallsPerDay: null,
    webCallsPerDay: null,
    uploadMb: null,
    pagesPerDocument: null,
    jobsAtOnce: null,
    jobsWaiting: null,
    storageMb: null,
  },
};

export function categoryOf(path: string): string {
  return path.split('/')[0] ?? '';
}

/** Whether a role includes a tool, as the server decides it. */
export function includes({ categories, operations: { allow, deny } }: Rights, path: string): boolean {
  if (deny.includes(path)) return false;
  return allow.includes(path) || categories === null || categories.includes(categoryOf(path));
}

/** Rights with one tool more or less. */
export function withTool(rights: Rights, path: string, wanted: boolean): Rights {
  const { categories, operations } = rights;
  const byCategory = categories === null || categories.includes(categoryOf(path));
  const allow = operations.allow.filter((one) => one !== path);
  const deny = operations.deny.filter((one) => one !== path);
  return {
    ...rights,
    operations: {
      allow: wanted && !byCategory ? [...allow, path] : allow,
      deny: !wanted && byCategory ? [...deny, path] : deny,
    },
  };
}

/** Rights with a whole category more or less; what was said about its tools is forgotten. */
export function withCategory(rights: Rights, all: readonly string[], id: string, wanted: boolean): Rights {
  const rest = (rights.categories ?? all).filter((one) => one !== id);
  const others = (paths: readonly string[]): string[] => paths.filter((path) => categoryOf(path) !== id);
  return {
    ...rights,
    categories: wanted ? [...rest, id] : rest,
    operations: { allow: others(rights.operations.allow), deny: others(rights.operations.deny) },
  };
}

/** A name for a role with this title. */
export function nameFrom(title: string): string {
  const words = title
    .normalize('NFD')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '');
  return words === '' ? '' : `ROLE_${words.slice(0, 58)}`;
}

const areas: Readonly<Record<string, () => string>> = {
  audit: () => t('Audit log'),
  certificates: () => t('Certificates'),
  folders: () => t('Watched folders'),
  jobs: () => t('Jobs and servers'),
  plugins: () => t('Switching tools on and off'),
  roles: () => t('Roles'),
  settings: () => t('Settings'),
  usage: () => t('Usage'),
  users: () => t('Users and teams'),
};

export function areaTitle(id: string): string {
  return areas[id]?.() ?? id;
}

const limits: Readonly<Record<LimitName, () => string>> = {
  apiCallsPerDay: () => t('Calls with API keys per day'),
  webCallsPerDay: () => t('Calls in the browser per day'),
  uploadMb: () => t('Megabytes in one upload'),
  pagesPerDocument: () => t('Pages of one document'),
  jobsAtOnce: () => t('Jobs that run at once'),
  jobsWaiting: () => t('Jobs that wait at once'),
  storageMb: () => t('Megabytes of stored files'),
};

export function limitTitle(name: LimitName): string {
  return limits[name]();
}
