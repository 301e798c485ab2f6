import { useState } from 'preact/hooks';
import { asProblem, callJson, config, root } from '../../api/index.ts';
import { Button, Dialog, Field, IconButton, TextInput, toast, useLoaded } from '../../components/index.ts';
import { formatDate } from '../../i18n/index.ts';
import { copy } from '../tool/snippet-panel.tsx';
import type { DialogProps } from './file-dialogs.tsx';
import type { StoredFile } from './stored-files.ts';
import { t } from './texts.ts';

/** Who sees the file: users, and links for those who are logged in. */
export function ShareDialog({ file, onClose, onDone }: DialogProps & { readonly file: StoredFile }) {
  const [shared, setShared] = useState(file);
  const [name, setName] = useState('');
  const base = `storage/files/${file.id}/shares`;
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      setShared(await callJson<StoredFile>(`storage/files/${file.id}`));
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
    await onDone();
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
        {shared.sharedUsers.map(({ username }) => (
          <li key={username} class="row between">
            <span class="break">{username}</span>
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
          <p class="soft small">{t('Whoever has a link and is logged in sees the file.')}</p>
          <ul class="stack">
            {shared.shareLinks.map(({ token, expiresAt }) => {
              const address = new URL(`share/${token}`, root).href;
              return (
                <li key={token} class="row">
                  <span class="grow break">
                    <code>{address}</code>
                    {expiresAt === null ? null : (
                      <span class="soft small block">{t('Valid until {time}', { time: formatDate(expiresAt) })}</span>
                    )}
                    <LinkUses path={`${base}/links/${token}/accesses`} />
                  </span>
                  <IconButton icon="copy" label={t('Copy the link')} onClick={() => void copy(address)} />
                  <IconButton
                    icon="trash-2"
                    label={t('Delete the link')}
                    onClick={() => void change(() => callJson(`${base}/links/${token}`, { method: 'DELETE' }))}
                  />
                </li>
              );
            })}
          </ul>
          <div class="row">
            <Button
              icon="link"
              onClick={() => void change(() => callJson(`${base}/links`, { body: { accessRole: 'viewer' } }))}
            >
              {t('Create a link')}
            </Button>
          </div>
        </>
      ) : null}
    </Dialog>
  );
}

interface LinkUse {
  readonly username: string | null;
  readonly accessType: string;
  readonly accessedAt: string;
}

/** Who has opened a link, newest first. */
function LinkUses({ path }: { readonly path: string }) {
  const { data } = useLoaded(() => callJson<readonly LinkUse[]>(path), [path]);
  if (data === undefined) return null;
  if (data.length === 0) return <span class="soft small block">{t('Nobody has opened it yet.')}</span>;
  return (
    <details class="small">
      <summary>{t.count(data.length, 'Opened {count} time', 'Opened {count} times')}</summary>
      <ul class="link-uses">
        {data.map(({ username, accessType, accessedAt }, i) => (
          <li key={i}>
            {username ?? t('Unknown user')} · {accessType === 'DOWNLOAD' ? t('Downloaded') : t('Viewed')} ·{' '}
            {formatDate(accessedAt)}
          </li>
        ))}
      </ul>
    </details>
  );
}
