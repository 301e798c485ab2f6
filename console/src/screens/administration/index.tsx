import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { administers, config, loadCatalog, loadModule } from '../../api/index.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { Empty, LinkButton, Loading } from '../../components/index.ts';
import { SectionLinks } from '../../components/section-links.tsx';
import { textsReady } from '../../i18n/index.ts';
import './administration.css';
import { t } from './texts.ts';

interface Section {
  readonly id: string;
  readonly title: string;
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
    needsLogin: true,
    load: async () => (await import('./users/users.tsx')).Users,
  },
  {
    id: 'teams',
    areas: ['users'],
    title: /* t */ 'Teams',
    needsLogin: true,
    load: async () => (await import('./users/teams.tsx')).Teams,
  },
  {
    id: 'roles',
    areas: ['roles', 'settings', 'users'],
    title: /* t */ 'Roles',
    needsLogin: true,
    load: async () => (await import('./roles/roles.tsx')).Roles,
  },
  {
    id: 'login-providers',
    areas: ['settings'],
    title: /* t */ 'Login providers',
    needsLogin: true,
    load: async () => (await import('./login-providers/login-providers.tsx')).LoginProviders,
  },
  {
    id: 'tools',
    areas: ['plugins'],
    title: /* t */ 'Tools',
    needsLogin: true,
    load: async () => (await import('./tools.tsx')).Tools,
  },
  {
    id: 'settings',
    areas: ['settings'],
    title: /* t */ 'Settings',
    needsLogin: true,
    load: async () => (await import('./settings/settings.tsx')).SettingsEditor,
  },
  {
    id: 'programs',
    areas: 'any',
    title: /* t */ 'Programs',
    load: async () => (await import('./programs.tsx')).Programs,
  },
  {
    id: 'usage',
    areas: ['usage'],
    title: /* t */ 'Usage',
    needsLogin: true,
    load: async () => (await import('./usage/usage.tsx')).Usage,
  },
  {
    id: 'audit',
    areas: ['audit'],
    title: /* t */ 'Audit log',
    needsLogin: true,
    load: async () => (await import('./audit.tsx')).Audit,
  },
  {
    id: 'backups',
    title: /* t */ 'Backups',
    needsLogin: true,
    load: async () => (await import('./backups.tsx')).Backups,
  },
  {
    id: 'certificates',
    areas: ['certificates'],
    title: /* t */ 'Certificates',
    needsLogin: true,
    load: async () => (await import('./certificates/certificates.tsx')).Certificates,
  },
  {
    id: 'licence',
    title: /* t */ 'Licence',
    needsLogin: true,
    load: async () => (await import('./licence.tsx')).Licence,
  },
  { id: 'nodes', areas: ['jobs'], title: /* t */ 'Servers', load: async () => (await import('./nodes.tsx')).Nodes },
];

/** The administration: one section at a time, each loaded when it is first shown. */
export function Screen({ params }: ScreenProps) {
  const id = params['rest'] ?? '';
  const known = config.value;
  const shown = sections.filter(
    ({ needsLogin, areas = [] }) =>
      (known?.enableLogin === true || needsLogin !== true) &&
      (known === undefined || areas === 'any' || administers(known, ...areas)),
  );
  const isFull = known === undefined || administers(known);
  // The overview is of everything.
  const section = shown.find((each) => each.id === id) ?? (id === '' ? shown[0] : undefined);
  return (
    <div class="page">
      <header class="page-head">
        <div class="row between">
          <h1>{t('Administration')}</h1>
          {isFull ? (
            <LinkButton size="small" icon="footprints" href="welcome">
              {t('First steps')}
            </LinkButton>
          ) : null}
        </div>
      </header>
      <SectionLinks
        label={t('Sections')}
        current={section?.id}
        sections={shown.map((each) => ({
          id: each.id,
          title: t(each.title),
          href: each.id === '' ? 'administration' : `administration/${each.id}`,
        }))}
      />
      {section === undefined ? (
        <Empty icon="map-pin-off" title={t('There is no such section')}>
          <LinkButton href="administration">{t('Overview')}</LinkButton>
        </Empty>
      ) : (
        <SectionHost key={section.id} section={section} />
      )}
    </div>
  );
}

function SectionHost({ section }: { readonly section: Section }) {
  const [Shown, setShown] = useState<ComponentType | undefined>();
  useEffect(() => {
    let current = true;
    void loadCatalog();
    void loadModule(section.load).then(async (component) => {
      await textsReady();
      if (current) setShown(() => component);
    });
    return () => {
      current = false;
    };
  }, [section]);
  return Shown === undefined ? <Loading label={t('Loading')} /> : <Shown />;
}
