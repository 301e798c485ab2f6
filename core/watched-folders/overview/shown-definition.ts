import type { Catalog } from '@quire/catalog';
import { isObject, isSecretParameter, mapSteps, pathOf, type WrittenStep } from '../../operations/pipelines/index.js';
import { escapePointer } from '../../operations/runner/index.js';
import { readableDefinition } from '../folder-pipelines.js';

/** The pipeline file of a folder. */
export interface ShownDefinition {
  readonly file: string;
  readonly name: string;
  /** Passwords are left out. */
  readonly pipeline: readonly unknown[];
  readonly outputDir?: string;
  readonly outputFileName?: string;
  /** JSON Pointers of the parameters that are left out. */
  readonly hidden: readonly string[];
}

/**
 * Reads the pipeline file of a folder; undefined if there is none that can be read as a pipeline. `named`: the file, if
 * it is known.
 */
export async function shownDefinition(
  folder: string,
  catalog: Pick<Catalog, 'operations'>,
  named?: string,
): Promise<ShownDefinition | undefined> {
  const readable = await readableDefinition(folder, named);
  if (readable === undefined) return undefined;
  const { file, name, outputDir, outputFileName } = readable.definition;
  const hidden: string[] = [];
  return {
    file,
    name,
    pipeline: mapSteps(readable.steps, (step, pointer) => shownStep(step, pointer, catalog, hidden)),
    hidden,
    ...(outputDir === undefined ? {} : { outputDir }),
    ...(outputFileName === undefined ? {} : { outputFileName }),
  };
}

function shownStep(
  step: WrittenStep,
  pointer: string,
  catalog: Pick<Catalog, 'operations'>,
  hidden: string[],
): WrittenStep {
  const { parameters, onError, name } = step;
  const path = pathOf(step);
  const shown = Object.entries(isObject(parameters) ? parameters : {}).filter(([name]) => {
    const open = !isSecretParameter(catalog, path, name);
    if (!open) hidden.push(`${pointer}/parameters/${escapePointer(name)}`);
    return open;
  });
  return {
    ['filter' in step ? 'filter' : 'operation']: path,
    parameters: Object.fromEntries(shown),
    ...(onError === undefined ? {} : { onError }),
    ...(name === undefined ? {} : { name }),
  };
}
