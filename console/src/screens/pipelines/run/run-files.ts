import { signal } from '@preact/signals';
import type { ShownOperation, ShownPart } from '@quire/registry';
import { asProblem } from '../../../api/index.ts';
import { Draft } from '../../tool/draft.ts';
import { RunItem } from '../../tool/run/run.ts';
import type { Pipeline } from '../model/pipeline.ts';
import { hasMask } from '../model/sample-values.ts';
import { t } from '../texts.ts';
import { PipelineValues } from './pipeline-values.ts';
import { Trial } from './trial.ts';

/** The call that runs a pipeline, as the form for its files needs it. */
function pipelineCall(): ShownOperation {
  return {
    path: 'pipeline/handleData',
    name: 'runPipeline',
    category: 'pipeline',
    title: t('Pipeline'),
    summary: '',
    keywords: [],
    icon: 'workflow',
    order: 0,
    files: 'all',
    parts: [{ field: 'fileInput', label: t('Files'), kinds: ['any'], extensions: [], required: true, many: true }],
    groups: [],
    fields: [],
    returns: { type: 'file', kinds: ['any'], many: true, mayDrop: true },
    effects: [],
    pipeline: false,
    job: true,
    availability: { state: 'available' },
    examples: [],
  };
}

/** The files that somebody tries a pipeline with, and its runs. They stay while another tab of the editor is shown. */
export class RunFiles {
  readonly draft: Draft;
  readonly item = signal<RunItem | undefined>(undefined);
  readonly trial: Trial;
  readonly values: PipelineValues;

  constructor(readonly pipeline: Pipeline) {
    this.draft = new Draft(pipelineCall(), `pipeline/${pipeline.id}`);
    this.values = new PipelineValues(pipeline);
    this.trial = new Trial(pipeline, () => {
      const { values } = pipeline.sampled.value;
      return values === undefined ? undefined : { ...Object(values), ...this.values.entered };
    });
  }

  /** The file part, with the kinds that the first step takes. */
  get part(): ShownPart {
    const [part] = this.draft.operation.parts;
    const first = this.pipeline.enabledSteps.value[0]?.operation?.parts[0];
    return { ...part!, extensions: first?.extensions ?? [] };
  }

  get files(): readonly File[] {
    return (this.draft.files.value['fileInput'] ?? []).map(({ file }) => file);
  }

  /** The saved pipeline whose stored secrets a run needs: the definition here has masks in place of them. */
  get savedAs(): string | undefined {
    return hasMask(this.pipeline.json.value.pipeline) ? this.pipeline.link.value?.name : undefined;
  }

  /**
   * Runs the whole pipeline in one call, which becomes a job if it takes long; not while values are missing. With
   * stored secrets it stays a call: the record of a job would outlive it.
   */
  async run(): Promise<void> {
    if (!this.values.check()) return;
    const { files, savedAs } = this;
    const { entered } = this.values;
    const json = JSON.stringify({ ...this.pipeline.json.value, ...(entered === undefined ? {} : { values: entered }) });
    const path = savedAs === undefined ? undefined : `pipelines/${encodeURIComponent(savedAs)}/try`;
    const { operation } = this.draft;
    const item = new RunItem(path === undefined ? operation : { ...operation, path, job: false }, {
      label: files.map(({ name }) => name).join(', '),
      inputBytes: files.reduce((sum, { size }) => sum + size, 0),
      original: files.length === 1 ? files[0] : undefined,
      form: () => {
        const form = new FormData();
        form.append('json', json);
        for (const file of files) form.append('fileInput', file, file.name);
        return form;
      },
    });
    this.item.value = item;
    await item.start().catch((error: unknown) => (item.problem.value = asProblem(error)));
  }
}
