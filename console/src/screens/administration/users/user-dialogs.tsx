import { useState } from 'preact/hooks';
import { callJson, formData } from '../../../api/index.ts';
import { ActionDialog, Button, Dialog, Field, PasswordInput, Select, TextInput } from '../../../components/index.ts';
import { copy } from '../../tool/snippet-panel.tsx';
import { t } from '../texts.ts';
import { givenRoles, roleName } from './roles.ts';
import type { Account, AccountsPage } from './user-facts.ts';

interface DialogProps {
  readonly page: AccountsPage;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

/** Creates an account with a password that must be changed at the first login. */
export function UserDialog({ page, onClose, onDone }: DialogProps) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<string>('ROLE_USER');
  const [teamId, setTeamId] = useState(String(page.teams[0]?.id ?? ''));
  return (
    <ActionDialog
      title={t('Add a user')}
      action={t('Add')}
      valid={username.trim() !== '' && password !== ''}
      onClose={onClose}
      run={async () => {
        const team = teamId === '' ? undefined : Number(teamId);
        await callJson('user/admin/saveUser', {
          body: formData({
            username: username.trim(),
            password,
            role,
            teamId: team,
            authType: 'web',
            forceChange: true,
          }),
        });
        await onDone();
      }}
    >
      <Field label={t('Name')} help={t('A name or a mail address')} required>
        {(control) => (
          <TextInput control={control} autocomplete="off" autoFocus value={username} onText={setUsername} />
        )}
      </Field>
      <Field label={t('First password')} help={t('It must be changed at the first login.')} required>
        {(control) => (
          <PasswordInput control={control} autocomplete="new-password" value={password} onText={setPassword} />
        )}
      </Field>
      <RoleField role={role} onRole={setRole} />
      <TeamField page={page} teamId={teamId} onTeam={setTeamId} />
    </ActionDialog>
  );
}

/** Creates a link with which somebody makes an account. */
export function InviteDialog({ page, onClose, onDone }: DialogProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<string>('ROLE_USER');
  const [hours, setHours] = useState('72');
  const [teamId, setTeamId] = useState(String(page.teams[0]?.id ?? ''));
  const [link, setLink] = useState<string | undefined>();
  if (link !== undefined)
    return (
      <Dialog size="small" title={t('The invite')} onClose={onClose}>
        <p>{t('Send this link to the person. It is shown only now.')}</p>
        <p class="break">
          <code>{link}</code>
        </p>
        <Button kind="primary" icon="copy" onClick={() => void copy(link)}>
          {t('Copy')}
        </Button>
      </Dialog>
    );
  return (
    <ActionDialog
      title={t('Invite somebody')}
      action={t('Create the link')}
      valid={Number(hours) > 0}
      onClose={() => (link === undefined ? undefined : onClose())}
      run={async () => {
        const team = teamId === '' ? undefined : Number(teamId);
        const mail = email.trim() === '' ? undefined : email.trim();
        const { inviteUrl } = await callJson<{ inviteUrl: string }>('invite/generate', {
          body: formData({
            email: mail,
            role,
            teamId: team,
            expiryHours: Number(hours),
            sendEmail: page.mailEnabled && mail !== undefined,
          }),
        });
        setLink(inviteUrl);
        await onDone();
      }}
    >
      <Field
        label={t('Mail address')}
        help={
          page.mailEnabled
            ? t('The invite is sent there. Empty: anybody with the link.')
            : t('Empty: anybody with the link.')
        }
      >
        {(control) => <TextInput control={control} type="email" autoFocus value={email} onText={setEmail} />}
      </Field>
      <RoleField role={role} onRole={setRole} />
      <TeamField page={page} teamId={teamId} onTeam={setTeamId} />
      <Field label={t('Valid for hours')}>
        {(control) => <TextInput control={control} class="short" inputMode="numeric" value={hours} onText={setHours} />}
      </Field>
    </ActionDialog>
  );
}

export function RoleDialog({ page, user, onClose, onDone }: DialogProps & { readonly user: Account }) {
  const [role, setRole] = useState(user.role);
  const [teamId, setTeamId] = useState(String(user.team?.id ?? ''));
  return (
    <ActionDialog
      title={t('Role and team of {name}', { name: user.username })}
      action={t('Save')}
      onClose={onClose}
      run={async () => {
        const team = teamId === '' ? undefined : Number(teamId);
        await callJson('user/admin/changeRole', { body: formData({ username: user.username, role, teamId: team }) });
        await onDone();
      }}
    >
      <RoleField role={role} onRole={setRole} />
      <TeamField page={page} teamId={teamId} onTeam={setTeamId} />
    </ActionDialog>
  );
}

export function PasswordDialog({ user, onClose, onDone }: DialogProps & { readonly user: Account }) {
  const [password, setPassword] = useState('');
  return (
    <ActionDialog
      title={t('Set a password for {name}', { name: user.username })}
      action={t('Save')}
      valid={password !== ''}
      onClose={onClose}
      run={async () => {
        await callJson('user/admin/changePasswordForUser', {
          body: formData({ username: user.username, newPassword: password, forcePasswordChange: true }),
        });
        await onDone();
      }}
    >
      <p class="soft">{t('All sessions of the user end, and the password must be changed at the next login.')}</p>
      <Field label={t('New password')} required>
        {(control) => (
          <PasswordInput
            control={control}
            autocomplete="new-password"
            autoFocus
            value={password}
            onText={setPassword}
          />
        )}
      </Field>
    </ActionDialog>
  );
}

function RoleField({ role, onRole }: { readonly role: string; readonly onRole: (role: string) => void }) {
  const offered = [...new Set([...givenRoles(), role])];
  return (
    <Field label={t('Role')}>
      {(control) => (
        <Select
          control={control}
          value={role}
          onValue={onRole}
          options={offered.map((value) => ({ value, label: roleName(value) }))}
        />
      )}
    </Field>
  );
}

interface TeamFieldProps {
  readonly page: AccountsPage;
  readonly teamId: string;
  readonly onTeam: (id: string) => void;
}

function TeamField({ page, teamId, onTeam }: TeamFieldProps) {
  return (
    <Field label={t('Team')}>
      {(control) => (
        <Select
          control={control}
          value={teamId}
          onValue={onTeam}
          options={page.teams.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
      )}
    </Field>
  );
}
