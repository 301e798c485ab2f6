import { useState } from 'preact/hooks';
import { asProblem, callJson, config, root } from '../../api/index.ts';
import { ActionDialog, Button, Dialog, Field, IconButton, Select, TextInput, toast } from '../../components/index.ts';
import { formatDate, formatList } from '../../i18n/index.ts';
import { copy } from '../tool/snippet-panel.tsx';
import { deleteFile, moveFiles, type Folder, type StoredFile } from './stored-files.ts';
import { t } from './texts.ts';

interface DialogProps {
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

export function NewFolderDialog({ parent, onClose, onDone }: DialogProps & { readonly parent: string }) {
  const [name, setName] = useState('');
  return (
    <ActionDialog
      title={t('New folder')}
      action={t('Create')}
      valid={name.trim() !== ''}
      onClose={onClose}
      run={async () => {
        const body = {
          id: crypto.randomUUID(),
          name: name.trim(),
          ...(parent === '' ? {} : { parentFolderId: parent }),
        };
        await callJson('storage/folders', { body });
        await onDone();
      }}
    >
      <Field label={t('Name')} required>
        {(control) => <TextInput control={control} autoFocus value={name} onText={setName} />}
      </Field>
    </ActionDialog>
  );
}

export function RenameFolderDialog({ folder, onClose, onDone }: DialogProps & { readonly folder: Folder }) {
  const [name, setName] = useState(folder.name);
  return (
    <ActionDialog
      title={t('Rename {name}', { name: folder.name })}
      action={t('Save')}
      valid={name.trim() !== ''}
      onClose={onClose}
      run={async () => {
        const path = `storage/folders/${encodeURIComponent(folder.id)}`;
        await callJson(path, { method: 'PATCH', body: { name: name.trim() } });
        await onDone();
      }}
    >
      <Field label={t('Name')} required>
        {(control) => <TextInput control={control} autoFocus value={name} onText={setName} />}
      </Field>
    </ActionDialog>
  );
}

interface MoveDialogProps extends DialogProps {
  readonly files: readonly StoredFile[];
  readonly folders: readonly Folder[];
}

/** Moves one file or several at once. */
export function MoveDialog({ files, folders, onClose, onDone }: MoveDialogProps) {
  const [to, setTo] = useState(files[0]?.folderId ?? '');
  return (
    <ActionDialog
      title={t('Move {name}', { name: namesOf(files) })}
      action={t('Move')}
      onClose={onClose}
      run={async () => {
        const skipped = await moveFiles(
          files.map(({ id }) => id),
          to,
        );
        if (skipped.length > 0) {
          const left = files.filter(({ id }) => skipped.includes(id));
          toast(t('Not moved: {names}', { names: formatList(left.map(({ fileName }) => fileName)) }), 'error');
        }
        await onDone();
      }}
    >
      <Field label={t('Folder')}>
        {(control) => (
          <Select
            control={control}
            value={to}
            onValue={setTo}
            options={[{ value: '', label: t('Files') }, ...folders.map(({ id, name }) => ({ value: id, label: name }))]}
          />
        )}
      </Field>
    </ActionDialog>
  );
}

/** The name of a file, or how many there are. */
function namesOf(files: readonly StoredFile[]): string {
  const [first] = files;
  return files.length === 1 && first !== undefined
    ? first.fileName
    : t.count(files.length, '{count} file', '{count} files');
}

/** Deletes one file or several; those that are shared with the user are only taken from the list. */
export function DeleteFilesDialog({ files, onClose, onDone }: DialogProps & { readonly files: readonly StoredFile[] }) {
  const shared = files.filter(({ ownedByCurrentUser }) => !ownedByCurrentUser).length;
  return (
    <ActionDialog
      title={t('Delete {name}', { name: namesOf(files) })}
      action={t('Delete')}
      danger
      onClose={onClose}
      run={async () => {
        const failed: string[] = [];
        for (const file of files) {
          await deleteFile(file).catch((error: unknown) => {
            failed.push(`${file.fileName}: ${asProblem(error).message}`);
          });
        }
        if (failed.length > 0) toast(t('Not deleted: {names}', { names: formatList(failed) }), 'error');
        await onDone();
      }}
    >
      <p>{t('This cannot be undone.')}</p>
      {shared === 0 ? null : <p>{t('Files of others are only removed from your list.')}</p>}
    </ActionDialog>
  );
}

export function DeleteFolderDialog({ folder, onClose, onDone }: DialogProps & { readonly folder: Folder }) {
  return (
    <ActionDialog
      title={t('Delete {name}', { name: folder.name })}
      action={t('Delete')}
      danger
      onClose={onClose}
      run={async () => {
        await callJson(`storage/folders/${encodeURIComponent(folder.id)}`, { method: 'DELETE' });
        await onDone();
      }}
    >
      <p>{t('This cannot be undone.')}</p>
    </ActionDialog>
  );
}

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
        class="row"
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
