import { useState } from 'preact/hooks';
import { asProblem, callJson } from '../../../api/index.ts';
import {
  Button,
  Empty,
  Icon,
  IconButton,
  LoadedView,
  Menu,
  Table,
  TextInput,
  toast,
  useLoaded,
} from '../../../components/index.ts';
import { formatDate } from '../../../i18n/index.ts';
import { PersonLine } from '../../../people/index.ts';
import { plain } from '../../tools/search.ts';
import { t } from '../texts.ts';
import { GrantsDialog } from '../roles/grants-dialog.tsx';
import '../roles/roles.css';
import { loadRoleNames, roleName } from './roles.ts';
import type { Account, AccountsPage, Invite } from './user-facts.ts';
import { InviteDialog, PasswordDialog, RoleDialog, UserDialog } from './user-dialogs.tsx';
import { DeleteDialog, SessionsDialog } from './session-dialogs.tsx';

const PAGE = 50;

type Open =
  | { readonly what: 'add' | 'invite' }
  | { readonly what: 'role' | 'password' | 'sessions' | 'grants' | 'delete'; readonly user: Account };

/** Accounts and open invites. */
export function Users() {
  const [query, setQuery] = useState('');
  const [shown, setShown] = useState(PAGE);
  const [open, setOpen] = useState<Open | undefined>();
  const loaded = useLoaded(async () => {
    const [page, { invites }] = await Promise.all([
      callJson<AccountsPage>('proprietary/ui-data/admin-settings'),
      callJson<{ invites: readonly Invite[] }>('invite/list'),
      loadRoleNames(),
    ]);
    return { page, invites };
  }, []);
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
    await loaded.reload();
  };
  return (
    <LoadedView loaded={loaded}>
      {({ page, invites }) => {
        const found = page.users.filter((user) =>
          plain(`${user.username} ${user.displayName ?? ''} ${user.team?.name ?? ''}`).includes(plain(query.trim())),
        );
        const close = (): void => setOpen(undefined);
        const dialogs = { page, onClose: close, onDone: loaded.reload };
        return (
          <>
            <div class="row between">
              <TextInput
                type="search"
                class="grow"
                aria-label={t('Search users')}
                placeholder={t('Search users')}
                value={query}
                onText={setQuery}
              />
              <div class="row">
                <Button icon="link" onClick={() => setOpen({ what: 'invite' })}>
                  {t('Invite')}
                </Button>
                <Button kind="primary" icon="user-plus" onClick={() => setOpen({ what: 'add' })}>
                  {t('Add a user')}
                </Button>
              </div>
            </div>
            <p class="soft small">
              {t.count(page.totalUsers, '{count} user', '{count} users')}
              {page.availableSlots === null
                ? ''
                : ` · ${t.count(page.availableSlots, '{count} place free', '{count} places free')}`}
            </p>
            <Table<Account>
              label={t('Users')}
              rows={found.slice(0, shown)}
              rowKey={({ username }) => username}
              empty={<Empty icon="search-x" title={t('No user matches “{query}”', { query })} />}
              columns={[
                {
                  id: 'name',
                  label: t('Name'),
                  cell: (user) => <UserName user={user} own={user.username === page.currentUsername} />,
                },
                { id: 'role', label: t('Role'), cell: ({ role }) => roleName(role) },
                { id: 'login-ways', label: t('Logs in with'), cell: (user) => <LoginWays user={user} /> },
                { id: 'team', label: t('Team'), cell: ({ team }) => <span class="team-name">{team?.name ?? ''}</span> },
                {
                  id: 'login',
                  label: t('Last login'),
                  cell: ({ lastLogin }) => (lastLogin === null ? t('Never') : formatDate(lastLogin)),
                },
                {
                  id: 'actions',
                  label: t('Actions'),
                  quiet: true,
                  cell: (user) => (
                    <UserMenu
                      user={user}
                      own={user.username === page.currentUsername}
                      open={setOpen}
                      attempt={attempt}
                    />
                  ),
                },
              ]}
            />
            {found.length > shown ? (
              <div class="row">
                <Button onClick={() => setShown(shown + PAGE)}>{t('Show more')}</Button>
              </div>
            ) : null}
            <Invites invites={invites} attempt={attempt} />
            {open?.what === 'add' ? <UserDialog {...dialogs} /> : null}
            {open?.what === 'invite' ? <InviteDialog {...dialogs} /> : null}
            {open?.what === 'role' ? <RoleDialog {...dialogs} user={open.user} /> : null}
            {open?.what === 'password' ? <PasswordDialog {...dialogs} user={open.user} /> : null}
            {open?.what === 'sessions' ? <SessionsDialog user={open.user} onClose={close} /> : null}
            {open?.what === 'grants' ? (
              <GrantsDialog principalType="USER" principalId={open.user.id} name={open.user.username} onClose={close} />
            ) : null}
            {open?.what === 'delete' ? <DeleteDialog user={open.user} onClose={close} onDone={loaded.reload} /> : null}
          </>
        );
      }}
    </LoadedView>
  );
}

function UserName({ user, own }: { readonly user: Account; readonly own: boolean }) {
  return (
    <span class="row">
      <PersonLine person={user} />
      {own ? <span class="badge accent">{t('You')}</span> : null}
      {user.enabled ? null : <span class="badge danger">{t('Disabled')}</span>}
      {user.mustChangePassword ? <span class="badge warning">{t('Must change the password')}</span> : null}
    </span>
  );
}

/** What an account logs in with, beside a password. */
function LoginWays({ user }: { readonly user: Account }) {
  const { mfaEnabled, passkeys, providers, authenticationType } = user;
  const passwordOnly = authenticationType === 'web' && !mfaEnabled && passkeys === 0 && providers.length === 0;
  return (
    <span class="row">
      {mfaEnabled ? (
        <span class="badge done">
          <Icon name="shield-check" size={14} />
          {t('Authenticator app')}
        </span>
      ) : null}
      {passkeys === 0 ? null : (
        <span class="badge done">
          <Icon name="fingerprint" size={14} />
          {t.count(passkeys, '{count} passkey', '{count} passkeys')}
        </span>
      )}
      {[...new Set(providers)].map((name) => (
        <span key={name} class="badge">
          <Icon name="log-in" size={14} />
          {name}
        </span>
      ))}
      {passwordOnly ? <span class="soft small">{t('Password')}</span> : null}
    </span>
  );
}

interface UserMenuProps {
  readonly user: Account;
  readonly own: boolean;
  readonly open: (what: Open) => void;
  readonly attempt: (work: () => Promise<unknown>) => Promise<void>;
}

function UserMenu({ user, own, open, attempt }: UserMenuProps) {
  const { username, enabled, mfaEnabled } = user;
  const name = encodeURIComponent(username);
  const form = new FormData();
  form.append('enabled', String(!enabled));
  return (
    <Menu
      label={t('Actions for {name}', { name: username })}
      side="end"
      class="button quiet normal icon-button"
      items={[
        ...(own ? [] : [{ label: t('Role and team'), icon: 'users', run: () => open({ what: 'role', user }) }]),
        { label: t('Tools beside the role'), icon: 'wrench', run: () => open({ what: 'grants', user }) },
        { label: t('Set a password'), icon: 'key-round', run: () => open({ what: 'password', user }) },
        { label: t('Sessions and passkeys'), icon: 'monitor-smartphone', run: () => open({ what: 'sessions', user }) },
        ...(mfaEnabled
          ? [
              {
                label: t('Turn off the second factor'),
                icon: 'shield-off',
                run: () => void attempt(() => callJson(`auth/mfa/disable/admin/${name}`, { method: 'POST' })),
              },
            ]
          : []),
        {
          label: t('Unlock after wrong passwords'),
          icon: 'lock-open',
          run: () => void attempt(() => callJson(`user/admin/unlockUser/${name}`, { method: 'POST' })),
        },
        ...(own
          ? []
          : [
              {
                label: enabled ? t('Disable') : t('Enable'),
                icon: enabled ? 'circle-slash' : 'circle-check',
                apart: true,
                run: () => void attempt(() => callJson(`user/admin/changeUserEnabled/${name}`, { body: form })),
              },
              { label: t('Delete'), icon: 'trash-2', danger: true, run: () => open({ what: 'delete', user }) },
            ]),
      ]}
    >
      <Icon name="ellipsis" size={18} />
    </Menu>
  );
}

interface InvitesProps {
  readonly invites: readonly Invite[];
  readonly attempt: (work: () => Promise<unknown>) => Promise<void>;
}

function Invites({ invites, attempt }: InvitesProps) {
  if (invites.length === 0) return null;
  return (
    <section class="stack">
      <h2>{t('Open invites')}</h2>
      <Table<Invite>
        label={t('Open invites')}
        rows={invites}
        rowKey={({ id }) => String(id)}
        columns={[
          { id: 'email', label: t('Mail address'), cell: ({ email }) => email ?? t('Anybody with the link') },
          { id: 'role', label: t('Role'), cell: ({ role }) => roleName(role) },
          { id: 'ends', label: t('Valid until'), cell: ({ expiresAt }) => formatDate(expiresAt) },
          {
            id: 'actions',
            label: t('Actions'),
            quiet: true,
            cell: ({ id, email }) => (
              <IconButton
                icon="trash-2"
                label={t('Delete the invite of {name}', { name: email ?? String(id) })}
                onClick={() =>
                  void attempt(() => callJson(`invite/revoke/${encodeURIComponent(String(id))}`, { method: 'DELETE' }))
                }
              />
            ),
          },
        ]}
      />
    </section>
  );
}
