import { useState } from 'preact/hooks';
import { asProblem, callJson, config } from '../../api/index.ts';
import { Button, Dialog, Field, IconButton, TextInput, toast } from '../../components/index.ts';
import { PersonName } from '../../people/index.ts';
import type { DialogProps } from './file-dialogs.tsx';
import { LinkForm } from './link-form.tsx';
import { LinkEntry } from './share-link.tsx';
import type { StoredFile } from './stored-files.ts';
import { t } from './texts.ts';

/** Who sees the file: users, and whoever has a link. */
export function ShareDialog({ file, onClose, onDone }: DialogProps & { readonly file: StoredFile }) {
  const [shared, setShared] = useState(file);
  const [name, setName] = useState('');
  const base = `storage/files/${file.id}/shares`;
  /** Returns whether it succeeded. */
  const change = async (work: () => Promise<unknown>): Promise<boolean> => {
    let done = false;
    try {
      await work();
      done = true;
      setShared(await callJson<StoredFile>(`storage/files/${file.id}`));
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
    await onDone();
    return done;
  };
  return (
    <Dialog title={t('Share {name}', { name: file.fileName })} onClose={onClose}>
      <form
        class="row share-user"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() === '') return;
          const body = { username: name.trim(), accessRole: 'viewer' };
          void change(() => callJson(`${base}/users`, { body })).then(() => setName(''));
        }}
      >
        <div class="grow">
          <Field label={t('User or mail address')}>
            {(control) => <TextInput control={control} value={name} onText={setName} />}
          </Field>
        </div>
        <Button type="submit" disabled={name.trim() === ''}>
          {t('Share')}
        </Button>
      </form>
      <ul>
        {shared.sharedUsers.map(({ username, displayName }) => (
          <li key={username} class="row between">
            <PersonName person={{ username, displayName }} />
            <IconButton
              icon="x"
              label={t('Stop sharing with {name}', { name: username })}
              onClick={() =>
                void change(() => callJson(`${base}/users/${encodeURIComponent(username)}`, { method: 'DELETE' }))
              }
            />
          </li>
        ))}
      </ul>
      {config.value?.storageShareLinksEnabled === true ? (
        <>
          <h3>{t('Links')}</h3>
          {shared.shareLinks.length === 0 ? null : (
            <ul class="stack">
              {shared.shareLinks.map((link) => (
                <LinkEntry
                  key={link.token}
                  link={link}
                  base={base}
                  onDelete={() => void change(() => callJson(`${base}/links/${link.token}`, { method: 'DELETE' }))}
                />
              ))}
            </ul>
          )}
          <LinkForm onCreate={(options) => change(() => callJson(`${base}/links`, { body: options }))} />
        </>
      ) : null}
    </Dialog>
  );
}
