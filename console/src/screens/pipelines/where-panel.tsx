import { useState } from 'preact/hooks';
import { apiAddress, config } from '../../api/index.ts';
import { Button, Field, Tabs, TextInput } from '../../components/index.ts';
import { callSnippets } from '../tool/snippets.ts';
import { CodeBox } from './json-panel.tsx';
import { exportPipeline } from './export.ts';
import { textOf } from './model/definition.ts';
import type { Pipeline } from './model/pipeline.ts';
import { t } from './texts.ts';

interface WherePanelProps {
  readonly pipeline: Pipeline;
  readonly name: string;
}

/** How the pipeline runs outside of this page: a call, a job, a watched folder. */
export function WherePanel({ pipeline, name }: WherePanelProps) {
  const [place, setPlace] = useState('call');
  return (
    <Tabs
      label={t('Where it runs')}
      chosen={place}
      onChoose={setPlace}
      tabs={[
        { id: 'call', label: t('Call'), content: () => <CallPlace pipeline={pipeline} job={false} /> },
        { id: 'job', label: t('Job'), content: () => <CallPlace pipeline={pipeline} job /> },
        { id: 'folder', label: t('Watched folder'), content: () => <FolderPlace pipeline={pipeline} name={name} /> },
      ]}
    />
  );
}

function CallPlace({ pipeline, job }: { readonly pipeline: Pipeline; readonly job: boolean }) {
  const [language, setLanguage] = useState('curl');
  const snippets = callSnippets({
    address: apiAddress('pipeline/handleData'),
    fields: [['json', JSON.stringify(pipeline.json.value)], ...(job ? ([['async', 'true']] as const) : [])],
    files: [['fileInput', 'document.pdf']],
    output: job ? 'job.json' : 'result.pdf',
    needsKey: config.value?.enableLogin === true,
  });
  return (
    <div class="stack">
      <p class="soft small">
        {job
          ? t('The answer has the id of a job: follow it under Jobs, or at {address}.', {
              address: '/api/v1/general/job/<jobId>',
            })
          : t('The answer is the file, or a zip if there are several. Repeat fileInput for more files.')}
      </p>
      <Tabs
        label={t('Languages')}
        chosen={language}
        onChoose={setLanguage}
        tabs={snippets.map(({ id, label, text }) => ({
          id,
          label,
          content: () => <CodeBox text={text} label={label} />,
        }))}
      />
    </div>
  );
}

function FolderPlace({ pipeline, name }: WherePanelProps) {
  return (
    <div class="stack">
      <p class="soft small">
        {t(
          'Put this file into a folder of its own inside the watched folder. Every document that arrives is processed.',
        )}
      </p>
      <Field
        label={t('Names of the results')}
        help={t('A pattern such as “{pattern}”; empty for the usual names.', { pattern: '{filename}-{date}' })}
      >
        {(control) => (
          <TextInput
            control={control}
            value={pipeline.member('outputFileName')}
            onText={(text) => pipeline.setMember('outputFileName', text)}
            spellcheck={false}
          />
        )}
      </Field>
      <div class="row">
        <Button icon="download" onClick={() => exportPipeline(pipeline.json.value, name)}>
          {t('Download the file')}
        </Button>
      </div>
      <CodeBox text={textOf(pipeline.json.value)} label="JSON" />
    </div>
  );
}
