import { useState } from 'preact/hooks';
import { apiAddress, config } from '../../api/index.ts';
import { Button, Tabs } from '../../components/index.ts';
import { saveFile } from '../../files/index.ts';
import { copy } from '../tool/snippet-panel.tsx';
import type { PipelineModel } from './pipeline-model.ts';
import { t } from './texts.ts';

/** How the pipeline is used outside of the console: its JSON, a call, a watched folder. */
export function WherePanel({ model }: { readonly model: PipelineModel }) {
  const [chosen, setChosen] = useState('json');
  const json = model.json.value;
  const file = `${model.name.value.trim().replaceAll(/[^\p{L}\p{N}]+/gu, '-') || 'pipeline'}.json`;
  const second = model.active
    .flatMap(({ draft }) => draft?.shownParts ?? [])
    .filter((one) => one.field !== 'fileInput');
  const key = config.value?.enableLogin === true ? ` \\\n  -H "X-API-KEY: $QUIRE_KEY"` : '';
  const files = [...new Set(second.map(({ field }) => field))].map((field) => ` \\\n  -F ${field}=@${field}`).join('');
  const call = (more: string): string =>
    `curl --fail-with-body -OJ ${apiAddress('pipeline/handleData')}${key} \\\n  -F fileInput=@document.pdf${files}${more} \\\n  -F 'json=<${file}'`;
  const text = (content: string) => (
    <div class="snippet">
      <pre tabIndex={0}>
        <code>{content}</code>
      </pre>
      <Button size="small" icon="copy" onClick={() => void copy(content)}>
        {t('Copy')}
      </Button>
    </div>
  );
  return (
    <Tabs
      label={t('Where it runs')}
      chosen={chosen}
      onChoose={setChosen}
      tabs={[
        {
          id: 'json',
          label: 'JSON',
          content: () => (
            <div class="stack">
              {text(json)}
              <div class="row">
                <Button icon="download" onClick={() => saveFile(new Blob([json], { type: 'application/json' }), file)}>
                  {t('Export')}
                </Button>
              </div>
            </div>
          ),
        },
        { id: 'call', label: t('Call'), content: () => text(call('')) },
        { id: 'job', label: t('Job'), content: () => text(call(' \\\n  -F async=true')) },
        {
          id: 'folder',
          label: t('Watched folder'),
          content: () => (
            <div class="stack">
              <p>{t('Save the JSON as a file in a watched folder. Every document that arrives there is processed.')}</p>
              {text(json)}
            </div>
          ),
        },
      ]}
    />
  );
}
