import { signal } from '@preact/signals';
import type { ShownField } from '@quire/registry';
import type { FieldFault } from '../../../api/index.ts';
import { faultsByField } from '../../../form/faults.ts';
import { FieldsDraft } from '../../automations/model/fields-draft.ts';
import { LiveCheck } from '../../pipelines/model/check.ts';
import type { StepJson } from '../../pipelines/model/definition.ts';
import { Pipeline } from '../../pipelines/model/pipeline.ts';
import { isWithin } from '../../pipelines/model/pointers.ts';
import type { Step } from '../../pipelines/model/step.ts';
import type { Folder, ProcessingFolder, ProcessingOutput } from '../stored-files.ts';
import { t } from '../texts.ts';

/** What is sent to save the processing of a folder. Whether it is paused stays as it is. */
interface SentProcessing {
  readonly id?: string;
  readonly folderId: string;
  readonly steps: readonly StepJson[];
  readonly output: ProcessingOutput;
}

/** The processing of a folder while somebody edits it. */
export class ProcessingDraft {
  readonly pipeline: Pipeline;
  readonly check: LiveCheck;
  readonly output: FieldsDraft;
  /** Faults that belong to no step and no field. */
  readonly others = signal<readonly FieldFault[]>([]);

  constructor(
    readonly folder: Folder,
    readonly before?: ProcessingFolder,
  ) {
    this.pipeline = new Pipeline(folder.id, { pipeline: (before?.steps ?? []).map(asWritten) });
    this.check = new LiveCheck(this.pipeline);
    const { mode = 'new_version', folderId = null } = before?.output ?? {};
    this.output = new FieldsDraft(outputFields, { mode, folderId, place: folderId === null ? 'same' : 'other' });
  }

  get sent(): SentProcessing {
    const { mode, place, folderId } = this.output.typed.value;
    return {
      ...(this.before === undefined ? {} : { id: this.before.id }),
      folderId: this.folder.id,
      steps: this.pipeline.json.value.pipeline,
      output: {
        mode: mode === 'new_file' ? 'new_file' : 'new_version',
        folderId: place === 'other' && typeof folderId === 'string' ? folderId : null,
      },
    };
  }

  /** Shows what can be seen here to be missing; returns whether nothing is. */
  isComplete(): boolean {
    const isGood = this.output.check();
    const steps = this.pipeline.placed();
    return isGood && steps.length > 0 && steps.every(([{ unanswered }]) => unanswered.length === 0);
  }

  /** Shows what the server says at the steps and fields that its pointers name. */
  refuse(faults: readonly FieldFault[]): void {
    const ofSteps = faults.filter(({ pointer }) => isWithin(pointer, '/steps'));
    const ofOutput = faults.filter(({ pointer }) => isWithin(pointer, '/output'));
    if (ofSteps.length > 0)
      this.check.refuse(ofSteps.map((fault) => ({ ...fault, pointer: fault.pointer.replace('/steps', '/pipeline') })));
    const { mode, folderId, ...rest } = faultsByField(ofOutput, '/output/');
    const place = ofOutput.find(({ pointer }) => pointer === '/output')?.detail ?? Object.values(rest)[0];
    const isFolderShown = this.output.typed.value['place'] === 'other';
    this.output.refused.value = withoutUndefined({
      mode,
      folderId: isFolderShown ? folderId : undefined,
      place: place ?? (isFolderShown ? undefined : folderId),
    });
    this.others.value = faults.filter((fault) => !ofSteps.includes(fault) && !ofOutput.includes(fault));
  }

  /** Opens the steps in which a field is wrong, and those around them, so that it is in view. */
  openFaulty(): void {
    const { pipeline } = this;
    for (const [wrong] of pipeline.placed().filter(([{ faults }]) => Object.keys(faults.value.fields).length > 0))
      for (let step: Step | undefined = wrong; step !== undefined;) {
        step.open.value = true;
        const list = pipeline.listWith(step);
        step = list === undefined ? undefined : pipeline.ownerOf(list);
      }
  }
}

/** Steps that contain steps are answered with empty members, which mean nothing there. */
function asWritten(step: StepJson): StepJson {
  if ('operation' in step) return step;
  const { parameters: _, fileParameters: __, ...written } = step;
  return written;
}

function outputFields(): readonly ShownField[] {
  return [
    {
      name: 'mode',
      label: t('Results'),
      help: t('A new version replaces the content of the file. Several results of one file become new files.'),
      widget: 'choice',
      type: 'text',
      required: false,
      default: 'new_version',
      values: [
        { value: 'new_version', label: t('New version of the file') },
        { value: 'new_file', label: t('New file') },
      ],
    },
    {
      name: 'place',
      label: t('New files go to'),
      widget: 'choice',
      type: 'text',
      required: false,
      default: 'same',
      values: [
        { value: 'same', label: t('This folder') },
        { value: 'other', label: t('Another folder') },
      ],
    },
    {
      name: 'folderId',
      label: t('Folder'),
      widget: 'folder',
      type: 'text',
      required: true,
      when: { place: 'other' },
    },
  ];
}

function withoutUndefined(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
