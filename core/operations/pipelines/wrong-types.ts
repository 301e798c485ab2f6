import { InputError, kindName, kindOfName, type QuireError } from '@quire/registry';
import { kindList } from '../runner/index.js';
import type { WireFile } from '../workers/index.js';
import { FaultList, withRest } from './fault-list.js';
import { placedAt } from './flow/run-step.js';
import type { DroppedFile, PipelineResult } from './run-pipeline.js';
import type { PipelineReport } from './verify-pipeline.js';

/** File names in the message of an error; further ones are counted. */
const MOST_NAMES = 3;

/**
 * Throws INPUT_KIND if a run returned nothing because no step accepted the type of any file, as a call without a
 * pipeline does. A file that a filter dropped, or that was left out after an error, is what the pipeline asks for.
 */
export function refuseWrongTypes(report: PipelineReport, result: PipelineResult, sent: readonly WireFile[]): void {
  const { files, dropped } = result;
  if (files.length > 0 || dropped.some(({ reason }) => reason !== 'kind')) return;
  const error = wrongTypes(report, dropped, sent);
  if (error !== undefined) throw error;
}

/** The error for files that left a run because of their type, which names each of them; undefined without any. */
export function wrongTypes(
  { steps }: Pick<PipelineReport, 'steps'>,
  dropped: readonly DroppedFile[],
  sent: readonly WireFile[],
): QuireError | undefined {
  const ofType = dropped.filter(({ reason }) => reason === 'kind');
  const [first] = ofType;
  const step = first === undefined ? undefined : steps[first.step];
  if (first === undefined || step === undefined) return undefined;
  const here = ofType.filter((file) => file.step === first.step);
  const faults = new FaultList();
  for (const { file, step: index } of ofType)
    faults.add(steps[index]?.at ?? '/pipeline', () => {
      const { accepts = [] } = steps[index]?.entry.operation ?? {};
      return `${file} is ${typeOf(sent, file)}; ${steps[index]?.path ?? 'the step'} accepts ${kindList(accepts)}`;
    });
  const error = new InputError('INPUT_KIND', {
    field: 'fileInput',
    found: [...new Set(here.map(({ file }) => typeOf(sent, file)))].join(', '),
    allowed: kindList(step.entry.operation.accepts),
  });
  const names = here.map(({ file }) => file);
  const more = names.length - MOST_NAMES;
  return placedAt(
    error,
    {
      index: first.step,
      path: step.path,
      file: [...names.slice(0, MOST_NAMES), ...(more > 0 ? [`${more} more`] : [])].join(', '),
    },
    withRest(faults.listed, faults.unlisted),
  );
}

/** A file that a step returned is known by its name only. */
function typeOf(sent: readonly WireFile[], name: string): string {
  const kind = sent.find((file) => file.name === name)?.kind ?? kindOfName(name) ?? 'bin';
  return kind === 'bin' ? 'of an unknown type' : kindName(kind);
}
