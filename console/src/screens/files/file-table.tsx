import { useState } from 'preact/hooks';
import { apiAddress, asProblem, callBlob, config, loadCatalog } from '../../api/index.ts';
import { Button, Dialog, Empty, Icon, Menu, Table, toast } from '../../components/index.ts';
import { navigate } from '../../app/router.ts';
import { saveFile } from '../../files/index.ts';
import { formatBytes, formatDate } from '../../i18n/index.ts';
import { DocumentView } from '../../viewers/index.ts';
import { NextDialog } from '../tool/next-dialog.tsx';
import { DeleteFilesDialog, DeleteFolderDialog, MoveDialog, RenameFolderDialog } from './file-dialogs.tsx';
import { ProcessingBadge, processingWords } from './processing-badge.tsx';
import { ShareDialog } from './share-dialog.tsx';
import { pathTo, processingPage, type Folder, type ProcessingFolder, type StoredFile } from './stored-files.ts';
import { t } from './texts.ts';

type Row = { readonly kind: 'folder'; readonly folder: Folder } | { readonly kind: 'file'; readonly file: StoredFile };
type Open =
  | { readonly what: 'view' | 'tool' | 'share'; readonly file: StoredFile }
  | { readonly what: 'move' | 'delete'; readonly files: readonly StoredFile[] }
  | { readonly what: 'rename' | 'deleteFolder'; readonly folder: Folder };

interface FileTableProps {
  readonly files: readonly StoredFile[];
  readonly folders: readonly Folder[];
  readonly allFolders: readonly Folder[];
  readonly processing: readonly ProcessingFolder[];
  readonly onDone: () => Promise<void>;
}

/** Folders first, then files, with what can be done with each. */
export function FileTable({ files, folders, allFolders, processing, onDone }: FileTableProps) {
  const [open, setOpen] = useState<Open | undefined>();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const close = (): void => setOpen(undefined);
  const selected = files.filter(({ id }) => chosen.has(id));
  const finish = async (): Promise<void> => {
    setChosen(new Set());
    await onDone();
  };
  const rows: readonly Row[] = [
    ...folders.map((folder): Row => ({ kind: 'folder', folder })),
    ...files.map((file): Row => ({ kind: 'file', file })),
  ];
  return (
    <>
      {selected.length === 0 ? null : (
        <SelectionBar selected={selected} all={files} onChosen={setChosen} onOpen={setOpen} />
      )}
      <Table<Row>
        label={t('Files')}
        rows={rows}
        rowKey={(row) => (row.kind === 'folder' ? `d${row.folder.id}` : `f${row.file.id}`)}
        empty={
          <Empty icon="folder-open" title={t('No files')}>
            <p class="soft">{t('Upload a file, or drop one here.')}</p>
          </Empty>
        }
        columns={[
          {
            id: 'chosen',
            label: t('Select'),
            quiet: true,
            cell: (row) =>
              row.kind === 'folder' ? null : (
                <input
                  type="checkbox"
                  aria-label={t('Select {name}', { name: row.file.fileName })}
                  checked={chosen.has(row.file.id)}
                  onChange={(event) => setChosen(withItem(chosen, row.file.id, event.currentTarget.checked))}
                />
              ),
          },
          {
            id: 'name',
            label: t('Name'),
            cell: (row) =>
              row.kind === 'folder' ? (
                <span class="row">
                  <a class="row file-link" href={`files/${row.folder.id}`}>
                    <Icon name="folder-closed" size={18} />
                    <span class="break">{row.folder.name}</span>
                  </a>
                  <ProcessingBadge folder={processing.find(({ folderId }) => folderId === row.folder.id)} />
                </span>
              ) : (
                <button type="button" class="row file-link" onClick={() => setOpen({ what: 'view', file: row.file })}>
                  <Icon name="file-text" size={18} />
                  <span class="break">{row.file.fileName}</span>
                </button>
              ),
          },
          { id: 'owner', label: t('Owner'), cell: (row) => (row.kind === 'file' ? <Owner file={row.file} /> : '') },
          {
            id: 'size',
            label: t('Size'),
            number: true,
            cell: (row) => (row.kind === 'file' ? formatBytes(row.file.sizeBytes) : ''),
          },
          {
            id: 'time',
            label: t('Changed'),
            cell: (row) => (row.kind === 'file' ? formatDate(row.file.updatedAt ?? row.file.createdAt) : ''),
          },
          {
            id: 'actions',
            label: t('Actions'),
            quiet: true,
            cell: (row) => <RowMenu row={row} processing={processing} onOpen={setOpen} />,
          },
        ]}
      />
      {open?.what === 'view' ? (
        <Dialog size="large" title={open.file.fileName} onClose={close}>
          <LoadedFile file={open.file} />
        </Dialog>
      ) : null}
      {open?.what === 'tool' ? (
        <NextDialog from="" name={open.file.fileName} read={async () => [await read(open.file)]} onClose={close} />
      ) : null}
      {open?.what === 'share' ? <ShareDialog file={open.file} onClose={close} onDone={onDone} /> : null}
      {open?.what === 'move' ? (
        <MoveDialog files={open.files} folders={allFolders} onClose={close} onDone={finish} />
      ) : null}
      {open?.what === 'delete' ? <DeleteFilesDialog files={open.files} onClose={close} onDone={finish} /> : null}
      {open?.what === 'rename' ? <RenameFolderDialog folder={open.folder} onClose={close} onDone={onDone} /> : null}
      {open?.what === 'deleteFolder' ? (
        <DeleteFolderDialog
          folder={open.folder}
          processes={processing.some(({ folderId }) => pathTo(allFolders, folderId).includes(open.folder))}
          onClose={close}
          onDone={onDone}
        />
      ) : null}
    </>
  );
}

function withItem(set: ReadonlySet<number>, item: number, present: boolean): ReadonlySet<number> {
  const changed = new Set(set);
  if (present) changed.add(item);
  else changed.delete(item);
  return changed;
}

interface SelectionBarProps {
  readonly selected: readonly StoredFile[];
  readonly all: readonly StoredFile[];
  readonly onChosen: (chosen: ReadonlySet<number>) => void;
  readonly onOpen: (open: Open) => void;
}

/** What can be done with several files at once. */
function SelectionBar({ selected, all, onChosen, onOpen }: SelectionBarProps) {
  const own = selected.filter(({ ownedByCurrentUser }) => ownedByCurrentUser);
  return (
    <div class="card row between selection-bar">
      <p role="status">{t.count(selected.length, '{count} file selected', '{count} files selected')}</p>
      <div class="row">
        <Button size="small" kind="quiet" onClick={() => onChosen(new Set(all.map(({ id }) => id)))}>
          {t('Select all')}
        </Button>
        <Button size="small" kind="quiet" onClick={() => onChosen(new Set())}>
          {t('Select none')}
        </Button>
        <Button
          size="small"
          icon="folder-input"
          disabled={own.length === 0}
          onClick={() => onOpen({ what: 'move', files: own })}
        >
          {t('Move')}
        </Button>
        <Button size="small" kind="danger" icon="trash-2" onClick={() => onOpen({ what: 'delete', files: selected })}>
          {t('Delete')}
        </Button>
      </div>
    </div>
  );
}

async function read({ id, fileName, contentType }: StoredFile): Promise<File> {
  return new File([await callBlob(`storage/files/${id}/download`)], fileName, { type: contentType });
}

function LoadedFile({ file }: { readonly file: StoredFile }) {
  return <DocumentView source={apiAddress(`storage/files/${file.id}/download`)} name={file.fileName} />;
}

function Owner({ file }: { readonly file: StoredFile }) {
  const shared = file.sharedUsers.length + file.shareLinks.length;
  return (
    <span class="row">
      <span class="break">{file.ownedByCurrentUser ? t('You') : file.owner}</span>
      {shared > 0 ? <span class="badge accent">{t('Shared')}</span> : null}
    </span>
  );
}

interface RowMenuProps extends Pick<FileTableProps, 'processing'> {
  readonly row: Row;
  readonly onOpen: (open: Open) => void;
}

function RowMenu({ row, processing, onOpen }: RowMenuProps) {
  const name = row.kind === 'folder' ? row.folder.name : row.file.fileName;
  const items =
    row.kind === 'folder'
      ? folderItems(
          row.folder,
          processing.some(({ folderId }) => folderId === row.folder.id),
          onOpen,
        )
      : fileItems(row.file, onOpen);
  return (
    <Menu label={t('Actions for {name}', { name })} side="end" class="button quiet normal icon-button" items={items}>
      <Icon name="ellipsis" size={18} />
    </Menu>
  );
}

function folderItems(folder: Folder, processes: boolean, onOpen: (open: Open) => void) {
  return [
    { label: t('Rename'), icon: 'pencil', run: () => onOpen({ what: 'rename', folder }) },
    { label: processingWords(processes), icon: 'zap', run: () => navigate(processingPage(folder.id)) },
    { label: t('Delete'), icon: 'trash-2', danger: true, run: () => onOpen({ what: 'deleteFolder', folder }) },
  ];
}

function fileItems(file: StoredFile, onOpen: (open: Open) => void) {
  const own = file.ownedByCurrentUser;
  const download = async (): Promise<void> => {
    try {
      saveFile(await read(file), file.fileName);
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
  };
  return [
    { label: t('Download'), icon: 'download', run: () => void download() },
    {
      label: t('Open in a tool'),
      icon: 'arrow-right',
      run: () => {
        void loadCatalog();
        onOpen({ what: 'tool', file });
      },
    },
    ...(own && config.value?.storageSharingEnabled === true
      ? [{ label: t('Share'), icon: 'share-2', run: () => onOpen({ what: 'share', file }) }]
      : []),
    ...(own ? [{ label: t('Move'), icon: 'folder-input', run: () => onOpen({ what: 'move', files: [file] }) }] : []),
    {
      label: own ? t('Delete') : t('Remove from my list'),
      icon: 'trash-2',
      danger: true,
      apart: true,
      run: () => onOpen({ what: 'delete', files: [file] }),
    },
  ];
}
