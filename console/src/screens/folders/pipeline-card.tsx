import { Button, Notice } from '../../components/index.ts';
import { operationOf } from '../../api/index.ts';
import { rt } from '../../i18n/index.ts';
import { CodeBox } from '../pipelines/json-panel.tsx';
import { API, textOf } from '../pipelines/model/definition.ts';
import { openNew } from '../pipelines/open-new.ts';
import { localStore } from '../pipelines/model/store.ts';
import type { Definition } from './facts.ts';
import { t } from './texts.ts';

/** The pipeline of a folder: its steps, its text, and a copy to change. */
export function PipelineCard({ definition }: { readonly definition: Definition | null }) {
  return (
    <section class="stack" aria-labelledby="folder-pipeline">
      <div class="row between">
        <h2 id="folder-pipeline">{t('Pipeline')}</h2>
        {definition === null ? null : (
          <Button icon="workflow" onClick={() => openNew(localStore, jsonOf(definition))}>
            {t('Open a copy in Pipelines')}
          </Button>
        )}
      </div>
      {definition === null ? (
        <p class="soft">{t('The server that answers finds no pipeline in this folder that it can read.')}</p>
      ) : (
        <>
          <p class="soft small">
            {t(
              'To change what the folder does, change the copy, export it, and replace {file} in the folder with it.',
              {
                file: definition.file,
              },
            )}
          </p>
          {definition.hidden.length === 0 ? null : (
            <Notice>
              <p>{t('Passwords are not shown. Enter them again before you replace the file.')}</p>
            </Notice>
          )}
          <ol class="folder-pipeline-steps">
            {definition.pipeline.map(({ operation }, index) => (
              <li key={`${index} ${operation}`} class="break">
                <bdi>{titleOf(operation)}</bdi>
              </li>
            ))}
          </ol>
          <CodeBox text={textOf(jsonOf(definition))} label="JSON" />
        </>
      )}
    </section>
  );
}

function titleOf(operation: string): string {
  const known = operationOf(operation.replace(API, ''));
  return known === undefined ? operation : rt(known.title);
}

function jsonOf({ name, pipeline, outputDir, outputFileName }: Definition) {
  return {
    name,
    pipeline,
    ...(outputDir === undefined ? {} : { outputDir }),
    ...(outputFileName === undefined ? {} : { outputFileName }),
  };
}
