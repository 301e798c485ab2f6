import { isRecord } from '../../viewers/index.ts';
import type { SavedPipeline, StepDefinition } from './pipeline-store.ts';
import { t } from './texts.ts';

export const PREFIX = '/api/v1/';

/** The interface's JSON of a pipeline; steps that are switched off are left out. */
export function definitionOf({ name, outputFileName, steps, extra }: Omit<SavedPipeline, 'id' | 'changedAt'>): object {
  return {
    ...extra,
    ...(name === '' ? {} : { name }),
    pipeline: steps.filter(({ off }) => off !== true).map(({ operation, parameters }) => ({ operation, parameters })),
    ...(outputFileName === '' ? {} : { outputFileName }),
  };
}

/** Reads the interface's JSON. Throws an error that says what is wrong. */
export function readDefinition(text: string): Omit<SavedPipeline, 'id' | 'changedAt'> {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (error) {
    throw new Error(t('This is not JSON: {reason}', { reason: (error as Error).message }));
  }
  if (!isRecord(found) || !Array.isArray(found['pipeline']))
    throw new Error(t('This is not a pipeline: it needs a list named “pipeline”.'));
  const { pipeline, name, outputFileName, ...extra } = found;
  return {
    name: typeof name === 'string' ? name : '',
    outputFileName: typeof outputFileName === 'string' ? outputFileName : '',
    steps: (pipeline as unknown[]).map((step, i) => readStep(step, i + 1)),
    extra,
  };
}

function readStep(step: unknown, number: number): StepDefinition {
  if (!isRecord(step) || typeof step['operation'] !== 'string')
    throw new Error(t('Step {number} has no operation.', { number }));
  const parameters = isRecord(step['parameters']) ? step['parameters'] : {};
  // Files of the steps are sent with the call; older definitions name them here.
  const { fileInput: _, ...rest } = parameters;
  return { operation: step['operation'], parameters: rest };
}
