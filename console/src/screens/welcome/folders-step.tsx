import { Icon, Notice, Table } from '../../components/index.ts';
import { formatBytes } from '../../i18n/index.ts';
import type { ServerFolder, StepProps } from './setup.ts';
import { t } from './texts.ts';

const purposes: Readonly<Record<ServerFolder['purpose'], string>> = {
  data: /* t */ 'All data',
  configs: /* t */ 'Settings',
  store: /* t */ 'Accounts, jobs and files',
  temporary: /* t */ 'Temporary files',
  logs: /* t */ 'Logs',
  watched: /* t */ 'Watched folders',
  results: /* t */ 'Results of watched folders',
};

/** Where the server keeps and looks for files. */
export function FoldersStep({ setup: { folders } }: StepProps) {
  return (
    <>
      {folders.every(({ writable }) => writable) ? null : (
        <Notice kind="error">
          <p>{t('The server cannot write to every folder. Change the owner of the folder, or move it.')}</p>
        </Notice>
      )}
      <Table<ServerFolder>
        label={t('Folders')}
        rows={folders}
        rowKey={({ purpose, path }) => `${purpose} ${path}`}
        columns={[
          {
            id: 'purpose',
            label: t('Contents'),
            cell: (folder) => (
              <span class="row nowrap">
                <Icon
                  name={folder.writable ? 'circle-check' : 'circle-alert'}
                  size={18}
                  label={folder.writable ? t('Can be written to') : t('Cannot be written to')}
                />
                <strong>{t(purposes[folder.purpose])}</strong>
              </span>
            ),
          },
          { id: 'path', label: t('Folder'), cell: (folder) => <Place folder={folder} /> },
          {
            id: 'free',
            label: t('Free space'),
            number: true,
            cell: ({ freeBytes }) => (freeBytes === null ? t('Unknown') : formatBytes(freeBytes)),
          },
          {
            id: 'setting',
            label: t('Moved by'),
            cell: ({ setting }) => (setting === undefined ? '–' : <code class="small break">{setting}</code>),
          },
        ]}
      />
    </>
  );
}

function Place({ folder: { path, exists, writable } }: { readonly folder: ServerFolder }) {
  return (
    <div>
      <code class="break" dir="ltr">
        {path}
      </code>
      {exists || !writable ? null : <p class="soft small">{t('Created when it is first needed')}</p>}
    </div>
  );
}
