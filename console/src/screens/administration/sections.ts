import type { ComponentType } from 'preact';
import { administers, config } from '../../api/index.ts';
import type { Section as FoundSection } from '../../app/screen-props.ts';
import { t } from './texts.ts';

export interface Section {
  readonly id: string;
  readonly title: string;
  /** Other words by which the search finds it. */
  readonly words?: string;
  /** Without login there are no accounts and nothing to log. */
  readonly needsLogin?: true;
  /** Areas of administration that it needs; without them it is for administrators of everything. */
  readonly areas?: readonly string[] | 'any';
  readonly load: () => Promise<ComponentType>;
}

const sections: readonly Section[] = [
  { id: '', title: /* t */ 'Overview', load: async () => (await import('./overview.tsx')).Overview },
  {
    id: 'users',
    areas: ['users'],
    title: /* t */ 'Users',
    words: /* t */ 'accounts, people, invites, passwords',
    needsLogin: true,
    load: async () => (await import('./users/users.tsx')).Users,
  },
  {
    id: 'teams',
    areas: ['users'],
    title: /* t */ 'Teams',
    words: /* t */ 'groups, members',
    needsLogin: true,
    load: async () => (await import('./users/teams.tsx')).Teams,
  },
  {
    id: 'roles',
    areas: ['roles', 'settings', 'users'],
    title: /* t */ 'Roles',
    words: /* t */ 'rights, permissions, grants, limits',
    needsLogin: true,
    load: async () => (await import('./roles/roles.tsx')).Roles,
  },
  {
    id: 'login-providers',
    areas: ['settings'],
    title: /* t */ 'Login providers',
    words: /* t */ 'single sign-on, SSO, OpenID Connect, SAML',
    needsLogin: true,
    load: async () => (await import('./login-providers/login-providers.tsx')).LoginProviders,
  },
  {
    id: 'tools',
    areas: ['plugins'],
    title: /* t */ 'Tools',
    words: /* t */ 'switch tools on and off, plugins',
    needsLogin: true,
    load: async () => (await import('./tools.tsx')).Tools,
  },
  {
    id: 'settings',
    areas: ['settings'],
    title: /* t */ 'Settings',
    words: /* t */ 'configuration, options, preferences',
    needsLogin: true,
    load: async () => (await import('./settings/settings.tsx')).SettingsEditor,
  },
  {
    id: 'programs',
    areas: 'any',
    title: /* t */ 'Programs',
    words: /* t */ 'missing programs, languages, installation',
    load: async () => (await import('./programs.tsx')).Programs,
  },
  {
    id: 'usage',
    areas: ['usage'],
    title: /* t */ 'Usage',
    words: /* t */ 'metrics, statistics, load, memory',
    needsLogin: true,
    load: async () => (await import('./usage/usage.tsx')).Usage,
  },
  {
    id: 'audit',
    areas: ['audit'],
    title: /* t */ 'Audit log',
    words: /* t */ 'history, events, who did what',
    needsLogin: true,
    load: async () => (await import('./audit.tsx')).Audit,
  },
  {
    id: 'backups',
    title: /* t */ 'Backups',
    words: /* t */ 'database, export, restore',
    needsLogin: true,
    load: async () => (await import('./backups.tsx')).Backups,
  },
  {
    id: 'certificates',
    areas: ['certificates'],
    title: /* t */ 'Certificates',
    words: /* t */ 'keys, trust, keystore',
    needsLogin: true,
    load: async () => (await import('./certificates/certificates.tsx')).Certificates,
  },
  {
    id: 'licence',
    title: /* t */ 'Licence',
    words: /* t */ 'licence key, edition',
    needsLogin: true,
    load: async () => (await import('./licence.tsx')).Licence,
  },
  {
    id: 'nodes',
    areas: ['jobs'],
    title: /* t */ 'Servers',
    words: /* t */ 'nodes, cluster, versions',
    load: async () => (await import('./nodes.tsx')).Nodes,
  },
];

/** The sections that the caller may open. */
export function offeredSections(): readonly Section[] {
  const known = config.value;
  return sections.filter(
    ({ needsLogin, areas = [] }) =>
      (known?.enableLogin === true || needsLogin !== true) &&
      (known === undefined || areas === 'any' || administers(known, ...areas)),
  );
}

export function addressOf({ id }: Section): string {
  return id === '' ? 'administration' : `administration/${id}`;
}

/** What the search finds: all but the overview, at which the administration opens. */
export function foundSections(): readonly FoundSection[] {
  return offeredSections()
    .filter(({ id }) => id !== '')
    .map((section) => ({
      to: addressOf(section),
      title: t(section.title),
      words: [section.title, ...(section.words === undefined ? [] : [t(section.words), section.words])],
    }));
}
