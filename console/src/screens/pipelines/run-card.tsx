import type { ShownOperation } from '@quire/registry';
import { useMemo, useState } from 'preact/hooks';
import { Button, ProblemNotice } from '../../components/index.ts';
import { saveFile } from '../../files/index.ts';
import { formatBytes } from '../../i18n/index.ts';
import { DocumentView } from '../../viewers/index.ts';
import { Draft } from '../tool/draft.ts';
import { FilePart } from '../tool/file-part.tsx';
import { ReportView } from '../tool/report-view.tsx';
import { ItemProgress } from '../tool/run-parts.tsx';
import { RunItem } from '../tool/run/run.ts';
import type { Check } from './live-check.ts';
import type { PipelineModel } from './pipeline-model.ts';
import { t } from './texts.ts';
import { appendSecondFiles, type TrialRun } from './trial-run.ts';

const PATH = 'pipeline/handleData';
const part = {
  field: 'fileInput',
  label: 'Files',
  kinds: ['any'],
  extensions: [],
  required: true,
  many: true,
} as const;
/** What a form for files needs of an operation. */
const inputs: ShownOperation = {
  path: PATH,
  category: 'pipeline',
  title: 'Pipeline',
  summary: '',
  keywords: [],
  icon: 'workflow',
  order: 0,
  files: 'all',
  parts: [part],
  groups: [],
  fields: [],
  returns: { type: 'file', kinds: ['any'], many: false, mayDrop: true },
  effects: [],
  pipeline: false,
  job: true,
  availability: { state: 'available' },
  examples: [],
};

interface RunCardProps {
  readonly model: PipelineModel;
  readonly check: Check;
  readonly trial: TrialRun;
}

/** Files, and the two ways to run: step by step with every result between, or as one call. */
export function RunCard({ model, check, trial }: RunCardProps) {
  const draft = useMemo(() => new Draft(inputs), []);
  const [item, setItem] = useState<RunItem | undefined>();
  const files = (draft.files.value['fileInput'] ?? []).map(({ file }) => file);
  const running = trial.running.value || (item !== undefined && !item.ended);
  const ready = check.valid === true && model.active.length > 0 && files.length > 0 && !running;
  const run = (): void => {
    const json = model.json.value;
    const next = new RunItem(inputs, {
      label: model.name.value,
      inputBytes: files.reduce((sum, { size }) => sum + size, 0),
      form: () => {
        const form = new FormData();
        form.append('json', json);
        for (const file of files) form.append('fileInput', file, file.name);
        appendSecondFiles(form, model.active);
        return form;
      },
    });
    setItem(next);
    void next.start();
  };
  return (
    <div class="card stack run-pipeline">
      <FilePart draft={draft} part={part} many />
      <div class="stack-small">
        <Button kind="primary" icon="play" disabled={!ready} onClick={run}>
          {t('Run')}
        </Button>
        <Button icon="footprints" disabled={!ready} onClick={() => void trial.start(files)}>
          {t('Try it step by step')}
        </Button>
        {running ? (
          <Button kind="quiet" icon="x" onClick={() => (trial.running.value ? trial.stop() : void item?.cancel())}>
            {t('Cancel')}
          </Button>
        ) : null}
      </div>
      {item === undefined ? null : <Outcome item={item} />}
    </div>
  );
}

function Outcome({ item }: { readonly item: RunItem }) {
  const problem = item.problem.value;
  const outcome = item.outcome.value;
  if (problem !== undefined) return <ProblemNotice problem={problem} />;
  if (outcome === undefined) return <ItemProgress item={item} />;
  const { blob, name } = outcome;
  return (
    <section class="stack result" aria-label={t('Result')}>
      {blob === undefined ? (
        <p role="status">{t('No file matches: nothing is returned.')}</p>
      ) : (
        <>
          <div class="row between">
            <h2 class="break">{name}</h2>
            <span class="soft small">{formatBytes(blob.size)}</span>
          </div>
          <Button kind="primary" icon="download" onClick={() => saveFile(blob, name)}>
            {t('Download')}
          </Button>
        </>
      )}
      <ReportView outcome={outcome} />
      {blob === undefined ? null : <DocumentView source={blob} name={name} />}
    </section>
  );
}
