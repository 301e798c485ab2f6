import { catalog, catalogProblem, loadCatalog } from '../../../api/index.ts';
import type { ScreenProps } from '../../../app/screen-props.ts';
import { Empty, LinkButton, LoadedView, useLoaded } from '../../../components/index.ts';
import '../../pipelines/pipelines.css';
import '../files.css';
import { listFolders, listProcessing, pathTo, type Folder } from '../stored-files.ts';
import { t } from '../texts.ts';
import { ProcessingDraft } from './processing-draft.ts';
import { ProcessingForm } from './processing-form.tsx';

/** What a folder does with its files: made, changed, paused and ended here. */
export function Screen({ params }: ScreenProps) {
  const folderId = params['folder'] ?? '';
  return <Processing key={folderId} folderId={folderId} />;
}

interface Found {
  /** From the outermost folder down to this one; empty if there is no such folder. */
  readonly path: readonly Folder[];
  readonly draft: ProcessingDraft | undefined;
}

async function find(folderId: string, signal: AbortSignal): Promise<Found> {
  const [folders, processing] = await Promise.all([listFolders(signal), listProcessing(signal), loadCatalog()]);
  if (catalog.value === undefined && catalogProblem.value !== undefined) throw catalogProblem.value;
  const path = pathTo(folders, folderId);
  const folder = path.at(-1);
  const before = processing.find((one) => one.folderId === folderId);
  return { path, draft: folder === undefined ? undefined : new ProcessingDraft(folder, before) };
}

function Processing({ folderId }: { readonly folderId: string }) {
  const loaded = useLoaded((signal) => find(folderId, signal), [folderId]);
  return (
    <div class="page processing">
      <LoadedView loaded={loaded}>
        {({ path, draft }) =>
          draft === undefined ? (
            <Empty whole icon="search-x" title={t('There is no such folder')}>
              <LinkButton kind="primary" href="files">
                {t('Files')}
              </LinkButton>
            </Empty>
          ) : (
            <>
              <header class="page-head">
                <nav class="row small" aria-label={t('You are here')}>
                  <a href="files">{t('Files')}</a>
                  {path.map(({ id, name }) => (
                    <a key={id} class="break" href={`files/${id}`}>
                      {name}
                    </a>
                  ))}
                </nav>
                <h1>{t('Process files automatically')}</h1>
                <p class="soft break">
                  {t('Files that are in “{name}” are processed at once, others when they arrive or change.', {
                    name: draft.folder.name,
                  })}
                </p>
              </header>
              <ProcessingForm draft={draft} />
            </>
          )
        }
      </LoadedView>
    </div>
  );
}
