import { useState } from 'preact/hooks';
import { asProblem, callJson } from '../../../api/index.ts';
import {
  ActionDialog,
  Button,
  Dialog,
  Field,
  IconButton,
  LoadedView,
  TextInput,
  toast,
  useLoaded,
} from '../../../components/index.ts';
import { formatDate } from '../../../i18n/index.ts';
import { t } from '../texts.ts';
import type { Account } from './user-facts.ts';

interface Session {
  readonly id: string;
  readonly lastUsed: string;
  readonly address: string;
  readonly client: string;
}
interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt?: string;
}

/** Where a user is logged in, and the user's passkeys; each can be ended. */
export function SessionsDialog({ user, onClose }: { readonly user: Account; readonly onClose: () => void }) {
  const name = encodeURIComponent(user.username);
  const loaded = useLoaded(async () => {
    const [{ sessions }, { passkeys }] = await Promise.all([
      callJson<{ sessions: readonly Session[] }>(`user/admin/sessions/${name}`),
      callJson<{ passkeys: readonly Passkey[] }>(`user/admin/passkeys/${name}`),
    ]);
    return { sessions, passkeys };
  }, []);
  const remove = async (path: string): Promise<void> => {
    try {
      await callJson(path, { method: 'DELETE' });
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
    await loaded.reload();
  };
  return (
    <Dialog title={t('Sessions and passkeys of {name}', { name: user.username })} onClose={onClose}>
      <LoadedView loaded={loaded}>
        {({ sessions, passkeys }) => (
          <>
            <h3>{t('Sessions')}</h3>
            {sessions.length === 0 ? <p class="soft">{t('Not logged in anywhere.')}</p> : null}
            <ul>
              {sessions.map(({ id, lastUsed, address, client }) => (
                <li key={id} class="switch-row">
                  <span class="grow break">
                    {client} <span class="soft small block">{`${address} · ${formatDate(lastUsed)}`}</span>
                  </span>
                  <IconButton
                    icon="log-out"
                    label={t('End the session of {client}', { client })}
                    onClick={() => void remove(`user/admin/sessions/${name}/${encodeURIComponent(id)}`)}
                  />
                </li>
              ))}
            </ul>
            {sessions.length > 1 ? (
              <Button icon="log-out" onClick={() => void remove(`user/admin/sessions/${name}`)}>
                {t('End all sessions')}
              </Button>
            ) : null}
            <h3>{t('Passkeys')}</h3>
            {passkeys.length === 0 ? <p class="soft">{t('None')}</p> : null}
            <ul>
              {passkeys.map(({ id, name: label }) => (
                <li key={id} class="switch-row">
                  <span class="grow break">{label}</span>
                  <IconButton
                    icon="trash-2"
                    label={t('Remove the passkey {name}', { name: label })}
                    onClick={() => void remove(`user/admin/passkeys/${name}/${encodeURIComponent(id)}`)}
                  />
                </li>
              ))}
            </ul>
          </>
        )}
      </LoadedView>
    </Dialog>
  );
}

interface DeleteDialogProps {
  readonly user: Account;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

/** Deletes an account once its name was typed. */
export function DeleteDialog({ user, onClose, onDone }: DeleteDialogProps) {
  const [typed, setTyped] = useState('');
  return (
    <ActionDialog
      title={t('Delete {name}', { name: user.username })}
      action={t('Delete')}
      danger
      valid={typed === user.username}
      onClose={onClose}
      run={async () => {
        await callJson(`user/admin/deleteUser/${encodeURIComponent(user.username)}`, { method: 'POST' });
        await onDone();
      }}
    >
      <p>{t('The account, its keys, sessions and stored files are deleted. This cannot be undone.')}</p>
      <Field label={t('Type {name} to confirm', { name: user.username })} required>
        {(control) => <TextInput control={control} autocomplete="off" autoFocus value={typed} onText={setTyped} />}
      </Field>
    </ActionDialog>
  );
}
