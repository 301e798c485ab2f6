import type { ComponentType } from 'preact';
import { administers } from '../api/administers.ts';
import type { AppConfig } from '../api/index.ts';
import type { Params, ScreenProps, Section } from './screen-props.ts';
import paths from './paths.json';

export interface Screen {
  readonly id: string;
  /** Address: `tool/:category/:name`. A last `*` matches the rest. Its first segment is in `paths.json`. */
  readonly path: string;
  /** English; a text of the frame's catalogue. */
  readonly title: string;
  /** Place in the navigation; absent for screens that are reached from others. */
  readonly icon?: string;
  /** Which entry of the navigation is marked, if it is not this screen's own. */
  readonly under?: string;
  /**
   * For people without an account: no navigation, no login. `strangers`: only while nobody is logged in.
   */
  readonly outside?: true | 'strangers';
  /** Paths of operations without which the navigation does not offer it; the screen says what is missing. */
  readonly needs?: readonly string[];
  /** Why the caller does not see it; undefined shows it. An English text of the frame's catalogue. */
  readonly hidden?: (config: AppConfig) => string | undefined;
  /** How the search shows a screen that is not in the navigation to callers who may open it; `words` find it too. */
  readonly searched?: (config: AppConfig) => { readonly icon: string; readonly words: string } | undefined;
  /** What lists the sections that the caller may open, for the search; loaded when it is first used. */
  readonly sections?: () => Promise<() => readonly Section[]>;
  readonly load: () => Promise<{ readonly Screen: ComponentType<ScreenProps> }>;
}

const ADMINS = /* t */ 'Only administrators see this. Ask one of them for what you need.';

/** For administrators of anything. */
function adminsOnly({ enableLogin, adminAreas }: AppConfig): string | undefined {
  return enableLogin && adminAreas?.length === 0 ? ADMINS : undefined;
}

function storageOff({ storageEnabled }: AppConfig): string | undefined {
  return storageEnabled ? undefined : /* t */ 'The storage is off: files are not kept on this server.';
}

/** Every screen, in the order of the navigation. Each is loaded when it is first shown, but the start page (`main`). */
export const screens: readonly Screen[] = [
  { id: 'tools', path: '', title: 'Tools', icon: 'layout-grid', load: () => import('../screens/tools/index.tsx') },
  {
    id: 'tool',
    path: 'tool/*',
    title: 'Tool',
    under: 'tools',
    load: () => import('../screens/tool/index.tsx'),
  },
  {
    id: 'organise',
    path: 'organise',
    title: 'Organise pages',
    icon: 'layers',
    load: () => import('../screens/organise/index.tsx'),
  },
  {
    id: 'document',
    path: 'document/*',
    title: 'Edit a document',
    icon: 'file-pen-line',
    load: () => import('../screens/document/index.tsx'),
  },
  {
    id: 'pipelines',
    path: 'pipelines/*',
    title: 'Pipelines',
    icon: 'workflow',
    load: () => import('../screens/pipelines/index.tsx'),
  },
  {
    id: 'automations',
    path: 'automations/*',
    title: 'Automations',
    icon: 'zap',
    load: () => import('../screens/automations/index.tsx'),
  },
  { id: 'jobs', path: 'jobs/*', title: 'Jobs', icon: 'list-checks', load: () => import('../screens/jobs/index.tsx') },
  {
    id: 'folders',
    path: 'folders/*',
    title: 'Watched folders',
    icon: 'folder-sync',
    hidden: (config) => (administers(config, 'folders') ? undefined : ADMINS),
    load: () => import('../screens/folders/index.tsx'),
  },
  {
    id: 'processing',
    path: 'files/:folder/processing',
    title: 'Process files automatically',
    under: 'files',
    // Folders process their files wherever there are folders.
    hidden: storageOff,
    load: () => import('../screens/files/processing/index.tsx'),
  },
  {
    id: 'files',
    path: 'files/*',
    title: 'Files',
    icon: 'folder-closed',
    hidden: storageOff,
    load: () => import('../screens/files/index.tsx'),
  },
  {
    id: 'share',
    path: 'share/*',
    title: 'Shared file',
    under: 'files',
    outside: 'strangers',
    load: () => import('../screens/share/index.tsx'),
  },
  {
    id: 'scan',
    path: 'scan',
    title: 'Scan with a phone',
    icon: 'smartphone',
    hidden: ({ enableMobileScanner }) =>
      enableMobileScanner
        ? undefined
        : /* t */ 'Scanning is off: an administrator turns it on with the setting system.enableMobileScanner.',
    load: () => import('../screens/scan/index.tsx'),
  },
  {
    id: 'signatures',
    path: 'signatures',
    title: 'Signatures',
    icon: 'signature',
    load: () => import('../screens/signatures/index.tsx'),
  },
  {
    id: 'invoices',
    path: 'invoices/*',
    title: 'Invoices',
    icon: 'receipt-text',
    needs: ['invoice/validate', 'invoice/extract'],
    load: () => import('../screens/invoices/index.tsx'),
  },
  {
    id: 'administration',
    path: 'administration/*',
    title: 'Administration',
    icon: 'settings',
    hidden: adminsOnly,
    sections: async () => (await import('../screens/administration/sections.ts')).foundSections,
    load: () => import('../screens/administration/index.tsx'),
  },
  {
    id: 'welcome',
    path: 'welcome/*',
    title: 'First steps',
    under: 'administration',
    searched: (config) =>
      administers(config) ? { icon: 'footprints', words: /* t */ 'setup, programs, folders' } : undefined,
    load: () => import('../screens/welcome/index.tsx'),
  },
  {
    id: 'account',
    path: 'account',
    title: 'Your account',
    searched: ({ enableLogin }) =>
      enableLogin
        ? { icon: 'user', words: /* t */ 'API keys, password, second factor, passkeys, sessions, profile' }
        : undefined,
    load: () => import('../screens/account/index.tsx'),
  },
  {
    id: 'phone',
    path: 'scan/:session',
    title: 'Scan',
    outside: true,
    load: () => import('../screens/scan/phone/index.tsx'),
  },
  { id: 'invite', path: 'invite/*', title: 'Invite', outside: true, load: () => import('../screens/invite/index.tsx') },
  {
    id: 'reset',
    path: 'reset',
    title: 'New password',
    outside: true,
    load: () => import('../screens/reset/index.tsx'),
  },
  {
    id: 'auth',
    path: 'auth/callback',
    title: 'Log in',
    outside: true,
    load: () => import('../screens/auth/index.tsx'),
  },
  { id: 'login', path: 'login', title: 'Log in', outside: true, load: () => import('../screens/login/index.tsx') },
];

/** The address at which a screen begins: `jobs` of `jobs/*`. */
export function addressOf({ path }: Pick<Screen, 'path'>): string {
  return path.replace(/\/\*$/, '') || './';
}

/** Whether a screen is shown without navigation to this caller. */
export function isOutside({ outside }: Pick<Screen, 'outside'>, isLoggedIn: boolean): boolean {
  return outside === true || (outside === 'strangers' && !isLoggedIn);
}

const roots: ReadonlySet<string> = new Set(paths);

/** Whether the server answers this path with the console's page. */
export function isOwnPath(path: string): boolean {
  return path === '' || roots.has(path.split('/')[0] ?? '');
}

/** Finds the screen for a path, with its parameters. */
export function findScreen(path: string): { readonly screen: Screen; readonly params: Params } | undefined {
  const given = path === '' ? [] : path.split('/');
  for (const screen of screens) {
    const wanted = screen.path === '' ? [] : screen.path.split('/');
    const rest = wanted.at(-1) === '*';
    if (rest ? given.length < wanted.length - 1 : given.length !== wanted.length) continue;
    if (!wanted.every((segment, i) => segment === '*' || segment.startsWith(':') || segment === given[i])) continue;
    const params = Object.fromEntries(
      wanted.flatMap((segment, i) => (segment.startsWith(':') ? [[segment.slice(1), given[i] ?? '']] : [])),
    );
    return { screen, params: rest ? { ...params, rest: given.slice(wanted.length - 1).join('/') } : params };
  }
  return undefined;
}
