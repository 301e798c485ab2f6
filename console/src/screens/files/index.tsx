import { useRef, useState } from 'preact/hooks';
import { asProblem } from '../../api/index.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { Button, Icon, LoadedView, Progress, toast, useLoaded } from '../../components/index.ts';
import { filesOfTransfer } from '../../files/index.ts';
import { NewFolderDialog } from './file-dialogs.tsx';
import { FileTable } from './file-table.tsx';
import './files.css';
import { loadStorage, pathTo, store } from './stored-files.ts';
import { t } from './texts.ts';

interface Sending {
  readonly name: string;
  readonly share: number;
}

/** Stored files: folders, upload, download, tools, sharing. */
export function Screen({ params }: ScreenProps) {
  return <Files key={params['rest'] ?? ''} folderId={params['rest'] ?? ''} />;
}

function Files({ folderId }: { readonly folderId: string }) {
  const loaded = useLoaded(loadStorage, []);
  const [sending, setSending] = useState<Sending | undefined>();
  const [creating, setCreating] = useState(false);
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const stop = useRef(new AbortController());
  const send = async (files: readonly File[]): Promise<void> => {
    stop.current = new AbortController();
    for (const file of files) {
      setSending({ name: file.name, share: 0 });
      try {
        await store(file, folderId, {
          signal: stop.current.signal,
          progress: (share) => setSending({ name: file.name, share }),
        });
      } catch (error) {
        const problem = asProblem(error);
        if (problem.isAbort) break;
        toast(`${file.name}: ${problem.message}`, 'error');
      }
    }
    setSending(undefined);
    await loaded.reload();
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
        void filesOfTransfer(event.dataTransfer).then(send);
      }}
    >
      <LoadedView loaded={loaded}>
        {({ files, folders }) => {
          const path = pathTo(folders, folderId);
          return (
            <>
              <header class="row between">
                <div class="page-head">
                  <h1 class="break">{path.at(-1)?.name ?? t('Files')}</h1>
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
                  <input
                    ref={input}
                    type="file"
                    multiple
                    hidden
                    aria-label={t('Upload')}
                    onChange={(event) => {
                      const chosen = [...(event.currentTarget.files ?? [])];
                      event.currentTarget.value = '';
                      void send(chosen);
                    }}
                  />
                </div>
              </header>
              {sending === undefined ? null : (
                <div class="card row" role="status">
                  <div class="grow">
                    <Progress label={t('Sending {name}', { name: sending.name })} value={sending.share} />
                  </div>
                  <Button icon="x" onClick={() => stop.current.abort()}>
                    {t('Cancel')}
                  </Button>
                </div>
              )}
              <FileTable
                files={files.filter((file) => (file.folderId ?? '') === folderId)}
                folders={folders.filter((folder) => (folder.parentFolderId ?? '') === folderId)}
                allFolders={folders}
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
