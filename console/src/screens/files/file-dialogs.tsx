import { useState } from 'preact/hooks';
import { asProblem, callJson } from '../../api/index.ts';
import { ActionDialog, Field, Select, TextInput, toast } from '../../components/index.ts';
import { formatList } from '../../i18n/index.ts';
import { deleteFile, moveFiles, type Folder, type StoredFile } from './stored-files.ts';
import { t } from './texts.ts';

export interface DialogProps {
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

export function DeleteFolderDialog({
  folder,
  processes,
  onClose,
  onDone,
}: DialogProps & {
  readonly folder: Folder;
  /** Whether it, or a folder in it, processes its files. */
  readonly processes: boolean;
}) {
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
      {processes ? <p>{t('It processes its files; that ends too. The files stay.')}</p> : null}
      <p>{t('This cannot be undone.')}</p>
    </ActionDialog>
  );
}
