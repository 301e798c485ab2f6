import { useState } from 'preact/hooks';
import { callJson, passkeysPossible, registerPasskey } from '../../api/index.ts';
import { ActionDialog, Button, Field, IconButton, LoadedView, TextInput, useLoaded } from '../../components/index.ts';
import { formatDate } from '../../i18n/index.ts';
import { useConfirmed } from './confirmed.tsx';
import { t } from './texts.ts';

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly lastUsed: string | null;
  readonly suspect: boolean;
}

/** Keys of devices that log in without a password. */
export function Passkeys() {
  const [adding, setAdding] = useState(false);
  const [renaming, setRenaming] = useState<Passkey | undefined>();
  const [name, setName] = useState('');
  const loaded = useLoaded(() => callJson<{ passkeys: readonly Passkey[] }>('auth/passkeys'), []);
  const { attemptAloud, dialog } = useConfirmed();
  return (
    <section class="card stack">
      <div class="row between">
        <div>
          <h2>{t('Passkeys')}</h2>
          <p class="soft small">{t('Log in with a fingerprint, a face or a PIN instead of the password.')}</p>
        </div>
        <Button
          disabled={!passkeysPossible}
          title={passkeysPossible ? undefined : t('The browser allows passkeys on https pages only.')}
          onClick={() => {
            setName('');
            setAdding(true);
          }}
        >
          {t('Add a passkey')}
        </Button>
      </div>
      <LoadedView loaded={loaded}>
        {({ passkeys }) => (
          <ul>
            {passkeys.map((passkey) => (
              <li key={passkey.id} class="line">
                <span class="grow break">
                  {passkey.name}{' '}
                  {passkey.suspect ? <span class="badge danger">{t('There may be a copy of it')}</span> : null}
                  <span class="soft small block">
                    {passkey.lastUsed === null
                      ? t('Never used')
                      : t('Last used {time}', { time: formatDate(passkey.lastUsed) })}
                  </span>
                </span>
                <IconButton
                  icon="pencil"
                  label={t('Rename {name}', { name: passkey.name })}
                  onClick={() => {
                    setName(passkey.name);
                    setRenaming(passkey);
                  }}
                />
                <IconButton
                  icon="trash-2"
                  label={t('Remove {name}', { name: passkey.name })}
                  onClick={() =>
                    attemptAloud(async (password) => {
                      const body = password === undefined ? {} : { body: { password } };
                      await callJson(`auth/passkeys/${encodeURIComponent(passkey.id)}`, { method: 'DELETE', ...body });
                      await loaded.reload();
                    })
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </LoadedView>
      {adding ? (
        <ActionDialog
          title={t('Add a passkey')}
          action={t('Continue')}
          onClose={() => setAdding(false)}
          run={async () => {
            setAdding(false);
            attemptAloud(async (password) => {
              await registerPasskey(name.trim(), password);
              await loaded.reload();
            });
          }}
        >
          <Field label={t('Name')} help={t('For example the name of this device')}>
            {(control) => <TextInput control={control} autoFocus value={name} onText={setName} />}
          </Field>
        </ActionDialog>
      ) : null}
      {renaming === undefined ? null : (
        <ActionDialog
          title={t('Rename {name}', { name: renaming.name })}
          action={t('Save')}
          valid={name.trim() !== ''}
          onClose={() => setRenaming(undefined)}
          run={async () => {
            const path = `auth/passkeys/${encodeURIComponent(renaming.id)}`;
            await callJson(path, { method: 'PATCH', body: { name: name.trim() } });
            await loaded.reload();
          }}
        >
          <Field label={t('Name')} required>
            {(control) => <TextInput control={control} autoFocus value={name} onText={setName} />}
          </Field>
        </ActionDialog>
      )}
      {dialog}
    </section>
  );
}
