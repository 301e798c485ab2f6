import type { PipelineTemplate } from '@quire/registry';
import { catalog, catalogProblem, operationOf } from '../../api/index.ts';
import { Empty, LinkButton, Loading } from '../../components/index.ts';
import { CodeBox } from '../pipelines/json-panel.tsx';
import { stepsOf } from '../pipelines/starts.ts';
import type { FolderList } from './facts.ts';
import { t } from './texts.ts';

interface HowToStartProps extends Pick<FolderList, 'roots'> {
  /** There are folders: only the steps are shown. */
  readonly beside?: true;
}

/** Where to put a pipeline and documents, with commands to copy. */
export function HowToStart({ roots, beside }: HowToStartProps) {
  const root = roots[0] ?? { path: 'pipeline/watchedFolders', inBase: true };
  const where = root.inBase
    ? t('Make a folder in {place} inside the base folder of the server, and put a pipeline and documents into it.', {
        place: root.path,
      })
    : t('Make a folder in the folder that the setting {setting} names, and put a pipeline and documents into it.', {
        setting: 'system.customPaths.pipeline.watchedFoldersDir',
      });
  const then = t(
    'The folder appears here. Results go to the folder for finished files, originals to “done” or “failed”.',
  );
  const steps = (
    <div class="stack folder-steps">
      <p>
        {where} {then}
      </p>
      {catalog.value === undefined && catalogProblem.value === undefined ? (
        <Loading label={t('Loading')} />
      ) : (
        <CodeBox text={commands(root.path)} label={t('Commands')} />
      )}
      <p class="row">
        <LinkButton href="pipelines">{t('Build a pipeline')}</LinkButton>
      </p>
    </div>
  );
  return beside === true ? (
    steps
  ) : (
    <Empty icon="folder-sync" title={t('No watched folder has a file yet')}>
      {steps}
    </Empty>
  );
}

/** Commands for a folder with the first template that works on this server as its pipeline. */
function commands(place: string): string {
  const works = (path: string): boolean => operationOf(path)?.availability.state === 'available';
  const template = catalog.value?.templates.find(({ steps }) => steps.every(({ operation }) => works(operation)));
  const definition = `${place}/example/pipeline.json`;
  return [
    `mkdir -p ${place}/example`,
    template === undefined ? `cp pipeline.json ${definition}` : `echo '${quoted(template)}' > ${definition}`,
    `cp *.pdf ${place}/example/`,
  ].join('\n');
}

/** The pipeline of a template as JSON, for a text in single quotes of a shell. */
function quoted({ steps }: PipelineTemplate): string {
  return JSON.stringify({ pipeline: stepsOf(steps) }).replaceAll("'", String.raw`'\''`);
}
