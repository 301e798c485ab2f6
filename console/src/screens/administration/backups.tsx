import { useState } from 'preact/hooks';
import { asProblem, callBlob, callJson, formData } from '../../api/index.ts';
import {
  ActionDialog,
  Button,
  Empty,
  IconButton,
  LoadedView,
  Notice,
  Table,
  toast,
  useLoaded,
} from '../../components/index.ts';
import { saveFile } from '../../files/index.ts';
import { formatBytes, formatDate } from '../../i18n/index.ts';
import { t } from './texts.ts';

interface Backup {
  readonly fileName: string;
  readonly formattedFileSize?: string;
  readonly fileSize?: number;
  readonly creationDate?: string;
  readonly modificationDate?: string;
}
interface DatabaseFacts {
  readonly backupsPossible: boolean;
  readonly restoreWaiting: boolean;
  readonly backupFiles: readonly Backup[];
}

/** Backups of the database: create, download, restore, delete. */
export function Backups() {
  const loaded = useLoaded(() => callJson<DatabaseFacts>('proprietary/ui-data/database'), []);
  const [busy, setBusy] = useState(false);
  const [restoring, setRestoring] = useState<Backup | undefined>();
  const [deleting, setDeleting] = useState<Backup | undefined>();
  const [uploading, setUploading] = useState<File | undefined>();
  const create = async (): Promise<void> => {
    setBusy(true);
    try {
      await callJson('database/createDatabaseBackup');
      await loaded.reload();
      toast(t('The backup is created'));
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
    setBusy(false);
  };
  const path = (name: string): string => encodeURIComponent(name);
  return (
    <LoadedView loaded={loaded}>
      {({ backupsPossible, restoreWaiting, backupFiles }) => (
        <>
          <p class="soft">
            {t('Users, keys, jobs and settings of accounts. Files of users and jobs are not in a backup.')}
          </p>
          {restoreWaiting ? (
            <Notice kind="warning">
              <p>{t('A restored backup takes effect when the server is started again.')}</p>
            </Notice>
          ) : null}
          {backupsPossible ? null : (
            <Notice>
              <p>{t('This database is backed up by its own tools.')}</p>
            </Notice>
          )}
          <div class="row">
            <Button
              kind="primary"
              icon="database-backup"
              busy={busy}
              disabled={!backupsPossible}
              onClick={() => void create()}
            >
              {t('Create a backup')}
            </Button>
            <label class={`button plain normal file-button`}>
              {t('Restore from a file')}
              <input
                type="file"
                class="hidden-visually"
                disabled={!backupsPossible}
                onChange={(event) => {
                  setUploading(event.currentTarget.files?.[0]);
                  event.currentTarget.value = '';
                }}
              />
            </label>
          </div>
          <Table<Backup>
            label={t('Backups')}
            rows={backupFiles}
            rowKey={({ fileName }) => fileName}
            empty={<Empty icon="database-backup" title={t('No backups')} />}
            columns={[
              { id: 'name', label: t('Name'), cell: ({ fileName }) => <span class="break">{fileName}</span> },
              {
                id: 'date',
                label: t('Created'),
                cell: ({ creationDate, modificationDate }) => formatDate(creationDate ?? modificationDate ?? ''),
              },
              {
                id: 'size',
                label: t('Size'),
                number: true,
                cell: ({ formattedFileSize, fileSize }) =>
                  formattedFileSize ?? (fileSize === undefined ? '' : formatBytes(fileSize)),
              },
              {
                id: 'actions',
                label: t('Actions'),
                quiet: true,
                cell: (backup) => (
                  <span class="row end">
                    <IconButton
                      icon="download"
                      label={t('Download {name}', { name: backup.fileName })}
                      onClick={() =>
                        void callBlob(`database/download/${path(backup.fileName)}`).then(
                          (blob) => saveFile(blob, backup.fileName),
                          (error: unknown) => toast(asProblem(error).message, 'error'),
                        )
                      }
                    />
                    <IconButton
                      icon="archive-restore"
                      label={t('Restore {name}', { name: backup.fileName })}
                      onClick={() => setRestoring(backup)}
                    />
                    <IconButton
                      icon="trash-2"
                      label={t('Delete {name}', { name: backup.fileName })}
                      onClick={() => setDeleting(backup)}
                    />
                  </span>
                ),
              },
            ]}
          />
          {restoring === undefined ? null : (
            <ActionDialog
              title={t('Restore a backup')}
              action={t('Restore')}
              danger
              onClose={() => setRestoring(undefined)}
              run={async () => {
                await callJson(`database/import-database-file/${path(restoring.fileName)}`);
                await loaded.reload();
              }}
            >
              <p>
                {t('Everything since “{name}” is lost when the server is started again.', { name: restoring.fileName })}
              </p>
            </ActionDialog>
          )}
          {deleting === undefined ? null : (
            <ActionDialog
              title={t('Delete a backup')}
              action={t('Delete')}
              danger
              onClose={() => setDeleting(undefined)}
              run={async () => {
                await callJson(`database/delete/${path(deleting.fileName)}`);
                await loaded.reload();
              }}
            >
              <p class="break">{deleting.fileName}</p>
            </ActionDialog>
          )}
          {uploading === undefined ? null : (
            <ActionDialog
              title={t('Restore a backup')}
              action={t('Restore')}
              danger
              onClose={() => setUploading(undefined)}
              run={async () => {
                const form = formData({});
                form.append('fileInput', uploading, uploading.name);
                await callJson('database/import-database', { body: form });
                await loaded.reload();
              }}
            >
              <p>
                {t('Everything since “{name}” is lost when the server is started again.', { name: uploading.name })}
              </p>
            </ActionDialog>
          )}
        </>
      )}
    </LoadedView>
  );
}
