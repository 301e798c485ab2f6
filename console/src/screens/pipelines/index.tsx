import { useEffect } from 'preact/hooks';
import { catalog, catalogProblem, loadCatalog } from '../../api/index.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { Button, Empty, LinkButton, Loading, ProblemNotice } from '../../components/index.ts';
import { Editor } from './editor.tsx';
import { PipelineList } from './list.tsx';
import { SavedTool } from './saved/saved-tool.tsx';
import { localStore } from './model/store.ts';
import { t } from './texts.ts';
import '../tool/tool.css';
import './pipelines.css';

/** The list of pipelines, one that is edited (`pipelines/edit/<id>`), or one of the server (`pipelines/run/<name>`). */
export function Screen({ params }: ScreenProps) {
  useEffect(() => void loadCatalog(), []);
  const [mode = '', id = ''] = (params['rest'] ?? '').split('/');
  if (catalog.value === undefined && catalogProblem.value !== undefined)
    return (
      <div class="page">
        <ProblemNotice
          problem={catalogProblem.value}
          actions={<Button onClick={() => void loadCatalog(true)}>{t('Try again')}</Button>}
        />
      </div>
    );
  if (catalog.value === undefined) return <Loading label={t('Loading')} />;
  if (mode === '') return <PipelineList store={localStore} />;
  if (mode === 'run') return <SavedTool key={id} name={decodeURIComponent(id)} />;
  const stored = mode === 'edit' ? localStore.find(id) : undefined;
  if (stored === undefined)
    return (
      <Empty whole icon="search-x" title={t('This pipeline is not in this browser')}>
        <p class="soft">{t('Pipelines are kept in the browser in which they were made. Export one to move it.')}</p>
        <LinkButton kind="primary" href="pipelines">
          {t('Show all pipelines')}
        </LinkButton>
      </Empty>
    );
  return <Editor key={id} store={localStore} stored={stored} />;
}
