import { useEffect } from 'preact/hooks';
import { catalog, catalogProblem, loadCatalog } from '../../api/index.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { Button, Empty, LinkButton, Loading, ProblemNotice } from '../../components/index.ts';
import '../tool/tool.css';
import '../tools/tools.css';
import { PipelineEditor } from './pipeline-editor.tsx';
import { PipelineList } from './pipeline-list.tsx';
import { browserStore } from './pipeline-store.ts';
import './pipelines.css';
import { t } from './texts.ts';

/** All pipelines of this browser, or one that is edited. */
export function Screen({ params }: ScreenProps) {
  useEffect(() => void loadCatalog(), []);
  if (catalog.value === undefined)
    return catalogProblem.value === undefined ? (
      <Loading label={t('Loading')} />
    ) : (
      <div class="page">
        <ProblemNotice
          problem={catalogProblem.value}
          actions={<Button onClick={() => void loadCatalog(true)}>{t('Try again')}</Button>}
        />
      </div>
    );
  const id = params['rest'] ?? '';
  if (id === '') return <PipelineList templates={catalog.value.templates} />;
  const saved = browserStore.get(id);
  if (saved === undefined)
    return (
      <Empty whole icon="search-x" title={t('There is no such pipeline in this browser')}>
        <LinkButton kind="primary" href="pipelines">
          {t('Show all pipelines')}
        </LinkButton>
      </Empty>
    );
  return <PipelineEditor key={id} saved={saved} />;
}
