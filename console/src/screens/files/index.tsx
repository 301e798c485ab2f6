import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ScreenProps } from '../../app/screen-props.ts';
import { Button, Icon, LinkButton, LoadedView, toast, useLoaded } from '../../components/index.ts';
import { filesOfInput, placedFilesOfTransfer, type PlacedFile } from '../../files/index.ts';
import { NewFolderDialog } from './file-dialogs.tsx';
import { FileTable } from './file-table.tsx';
import './files.css';
import { ProcessingBadge, processingWords } from './processing-badge.tsx';
import { loadStorage, pathTo, processingPage } from './stored-files.ts';
import { t } from './texts.ts';
import { UploadList } from './upload-list.tsx';
import { sendAll, Upload } from './uploads.ts';
import { UsageLine } from './usage-line.tsx';

/** Stored files: folders, upload, download, tools, sharing. */
export function Screen({ params }: ScreenProps) {
  return <Files key={params['rest'] ?? ''} folderId={params['rest'] ?? ''} />;
}

function Files({ folderId }: { readonly folderId: string }) {
  const loaded = useLoaded(loadStorage, []);
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [creating, setCreating] = useState(false);
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const start = async (added: readonly Upload[]): Promise<void> => {
    await sendAll(added, folderId, loaded.data?.folders ?? []);
    await loaded.reload();
    // Only what has failed is still of interest: the rest is in the table.
    setUploads((all) => (all.every(({ state }) => state.value === 'done') ? [] : all));
    const done = added.filter(({ state }) => state.value === 'done').length;
    if (done === added.length) toast(t('{done} of {total} files uploaded', { done, total: done }));
  };
  const send = (files: readonly PlacedFile[]): void => {
    const added = files.map((file) => new Upload(file));
    if (added.length === 0) return;
    // What has been uploaded before is in the table.
    setUploads([...uploads.filter(({ state }) => state.value !== 'done'), ...added]);
    void start(added);
  };
  const retry = (upload: Upload): void => {
    const again = new Upload(upload);
    setUploads(uploads.map((each) => (each === upload ? again : each)));
    void start([again]);
  };
  return (
    <div
      class={`page files ${over ? 'over' : ''}`}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes('Files') !== true) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (event.dataTransfer === null) return;
        event.preventDefault();
        setOver(false);
        void placedFilesOfTransfer(event.dataTransfer).then(send);
      }}
    >
      <LoadedView loaded={loaded}>
        {({ files, folders, processing, usage }) => {
          const path = pathTo(folders, folderId);
          const process = processing.find((one) => one.folderId === folderId);
          return (
            <>
              <header class="row between">
                <div class="page-head">
                  <div class="row">
                    <h1 class="break">{path.at(-1)?.name ?? t('Files')}</h1>
                    <ProcessingBadge folder={process} />
                  </div>
                  {path.length === 0 ? null : (
                    <nav class="row small" aria-label={t('You are here')}>
                      <a href="files">{t('Files')}</a>
                      {path.slice(0, -1).map(({ id, name }) => (
                        <a key={id} href={`files/${id}`}>
                          {name}
                        </a>
                      ))}
                    </nav>
                  )}
                </div>
                <div class="row">
                  <Button icon="folder-plus" onClick={() => setCreating(true)}>
                    {t('New folder')}
                  </Button>
                  <Button kind="primary" icon="upload" onClick={() => input.current?.click()}>
                    {t('Upload')}
                  </Button>
                  <Button icon="folder-up" onClick={() => folder.current?.click()}>
                    {t('Upload a folder')}
                  </Button>
                  {path.length === 0 ? null : (
                    <LinkButton icon="zap" href={processingPage(folderId)}>
                      {processingWords(process !== undefined)}
                    </LinkButton>
                  )}
                  <UploadInput input={input} label={t('Upload')} onFiles={send} />
                  <UploadInput input={folder} label={t('Upload a folder')} whole onFiles={send} />
                </div>
              </header>
              <UsageLine usage={usage} />
              {uploads.length === 0 ? null : (
                <UploadList uploads={uploads} onRetry={retry} onClose={() => setUploads([])} />
              )}
              <FileTable
                files={files.filter((file) => (file.folderId ?? '') === folderId)}
                folders={folders.filter((folder) => (folder.parentFolderId ?? '') === folderId)}
                allFolders={folders}
                processing={processing}
                onDone={loaded.reload}
              />
              <p class="soft small row">
                <Icon name="upload" size={16} />
                {t('Files can be dropped anywhere on this page.')}
              </p>
              {creating ? (
                <NewFolderDialog parent={folderId} onClose={() => setCreating(false)} onDone={loaded.reload} />
              ) : null}
            </>
          );
        }}
      </LoadedView>
    </div>
  );
}

interface UploadInputProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly label: string;
  /** A folder is chosen, with all files in it. */
  readonly whole?: boolean;
  readonly onFiles: (files: readonly PlacedFile[]) => void;
}

function UploadInput({ input, label, whole = false, onFiles }: UploadInputProps) {
  return (
    <input
      ref={input}
      type="file"
      multiple
      hidden
      {...(whole ? { webkitdirectory: true } : {})}
      aria-label={label}
      onChange={(event) => {
        const chosen = filesOfInput(event.currentTarget);
        event.currentTarget.value = '';
        onFiles(chosen);
      }}
    />
  );
}
