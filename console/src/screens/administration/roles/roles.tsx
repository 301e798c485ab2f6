import { useState } from 'preact/hooks';
import { asProblem, callJson } from '../../../api/index.ts';
import {
  ActionDialog,
  Button,
  Icon,
  LoadedView,
  Menu,
  Notice,
  Table,
  toast,
  useLoaded,
} from '../../../components/index.ts';
import { PersonLine } from '../../../people/index.ts';
import type { AccountsPage } from '../users/user-facts.ts';
import { RoleEditor } from './role-editor.tsx';
import { firstRights, includes, type Role, type RolesPage } from './role-facts.ts';
import { roleDescription, roleTitle } from './role-words.ts';
import './roles.css';
import { t } from './texts.ts';

type Open =
  | { readonly what: 'edit'; readonly role: Role; readonly isNew: boolean }
  | { readonly what: 'delete' | 'holders'; readonly role: Role };

const blank: Role = {
  name: '',
  title: '',
  description: '',
  builtIn: false,
  fixed: false,
  version: 0,
  users: 0,
  rights: firstRights,
};

/** Roles: what the accounts that have them may do. */
export function Roles() {
  const [open, setOpen] = useState<Open | undefined>();
  const loaded = useLoaded(() => callJson<RolesPage>('admin/roles'), []);
  const close = (): void => setOpen(undefined);
  const makeDefault = async ({ name }: Role): Promise<void> => {
    try {
      await callJson('admin/settings', { method: 'PUT', body: { settings: { 'security.defaultRole': name } } });
      toast(t('Saved. It takes effect after a restart.'));
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
  };
  return (
    <LoadedView loaded={loaded}>
      {(page) =>
        open?.what === 'edit' ? (
          <RoleEditor page={page} role={open.role} isNew={open.isNew} onClose={close} onSaved={loaded.reload} />
        ) : (
          <>
            <div class="row between">
              <p class="soft grow">
                {t('A role says which tools an account has, its limits, and what it administers.')}
              </p>
              <Button kind="primary" icon="plus" onClick={() => setOpen({ what: 'edit', role: blank, isNew: true })}>
                {t('Add a role')}
              </Button>
            </div>
            <Table<Role>
              label={t('Roles')}
              rows={page.roles}
              rowKey={({ name }) => name}
              columns={[
                { id: 'name', label: t('Role'), cell: (role) => <RoleName role={role} page={page} /> },
                { id: 'tools', label: t('Tools'), cell: ({ rights }) => toolsOf(page, rights) },
                {
                  id: 'users',
                  label: t('Users'),
                  number: true,
                  cell: (role) => (
                    <button type="button" class="link" onClick={() => setOpen({ what: 'holders', role })}>
                      {role.users}
                      <span class="hidden-visually">{t('Who has {role}', { role: roleTitle(role) })}</span>
                    </button>
                  ),
                },
                {
                  id: 'actions',
                  label: t('Actions'),
                  quiet: true,
                  cell: (role) => (
                    <RoleMenu role={role} page={page} onOpen={setOpen} onDefault={() => void makeDefault(role)} />
                  ),
                },
              ]}
            />
            {open?.what === 'delete' ? (
              <ActionDialog
                danger
                title={t('Delete {name}', { name: roleTitle(open.role) })}
                action={t('Delete')}
                onClose={close}
                run={async () => {
                  await callJson(`admin/roles/${open.role.name}`, { method: 'DELETE' });
                  await loaded.reload();
                }}
              >
                <p>{t('Only a role that nobody has can be deleted.')}</p>
              </ActionDialog>
            ) : null}
            {open?.what === 'holders' ? <HoldersDialog role={open.role} onClose={close} /> : null}
          </>
        )
      }
    </LoadedView>
  );
}

function toolsOf({ options: { operations } }: RolesPage, rights: Role['rights']): string {
  const count = operations.filter((path) => includes(rights, path)).length;
  return count === operations.length ? t('All tools') : t('{count} of {total}', { count, total: operations.length });
}

function RoleName({ role, page }: { readonly role: Role; readonly page: RolesPage }) {
  const { name, rights } = role;
  const administers = rights.areas === null || rights.areas.length > 0;
  return (
    <span>
      <span class="row">
        <strong class="break">{roleTitle(role)}</strong>
        {name === page.options.defaultRole ? <span class="badge accent">{t('New users')}</span> : null}
        {administers ? <span class="badge warning">{t('Administers')}</span> : null}
      </span>
      <span class="soft small block break">
        <code>{name}</code> {roleDescription(role)}
      </span>
    </span>
  );
}

interface RoleMenuProps {
  readonly role: Role;
  readonly page: RolesPage;
  readonly onOpen: (open: Open) => void;
  readonly onDefault: () => void;
}

function RoleMenu({ role, page, onOpen, onDefault }: RoleMenuProps) {
  const blanks = { name: '', title: '', builtIn: false, fixed: false, version: 0, users: 0 };
  const copy: Role = { ...role, ...blanks, description: roleDescription(role) };
  const rights = { ...role.rights, areas: role.rights.areas ?? [] };
  const canBeDefault = role.name !== page.options.defaultRole && role.name !== 'ROLE_ADMIN';
  return (
    <Menu
      label={t('Actions for {name}', { name: roleTitle(role) })}
      side="end"
      class="button quiet normal icon-button"
      items={[
        ...(role.fixed
          ? []
          : [{ label: t('Change'), icon: 'pencil', run: () => onOpen({ what: 'edit', role, isNew: false }) }]),
        { label: t('Copy'), icon: 'copy', run: () => onOpen({ what: 'edit', role: { ...copy, rights }, isNew: true }) },
        { label: t('Who has it'), icon: 'users', run: () => onOpen({ what: 'holders', role }) },
        ...(canBeDefault ? [{ label: t('Give it to new users'), icon: 'user-plus', run: onDefault }] : []),
        ...(role.builtIn
          ? []
          : [{ label: t('Delete'), icon: 'trash-2', danger: true, run: () => onOpen({ what: 'delete', role }) }]),
      ]}
    >
      <Icon name="ellipsis" size={18} />
    </Menu>
  );
}

function HoldersDialog({ role, onClose }: { readonly role: Role; readonly onClose: () => void }) {
  const loaded = useLoaded(() => callJson<AccountsPage>('proprietary/ui-data/admin-settings'), []);
  return (
    <ActionDialog
      title={t('Who has {role}', { role: roleTitle(role) })}
      action={t('Close')}
      onClose={onClose}
      run={async () => undefined}
    >
      <LoadedView loaded={loaded}>
        {({ users }) => {
          const holders = users.filter((user) => user.role === role.name);
          return holders.length === 0 ? (
            <Notice>
              <p>{t('No account has this role.')}</p>
            </Notice>
          ) : (
            <ul class="holders">
              {holders.map((holder) => (
                <li key={holder.username} class="row">
                  <PersonLine person={holder} />
                  <span class="soft small break">{holder.team?.name ?? ''}</span>
                </li>
              ))}
            </ul>
          );
        }}
      </LoadedView>
    </ActionDialog>
  );
}
