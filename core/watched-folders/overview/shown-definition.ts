import type { Catalog } from '@quire/catalog';
import { escapePointer } from '../../operations/runner/index.js';
import { readableDefinition } from '../folder-pipelines.js';

/** A step of the pipeline of a folder. Passwords are left out. */
interface ShownStep {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The pipeline file of a folder. */
export interface ShownDefinition {
  readonly file: string;
  readonly name: string;
  readonly pipeline: readonly ShownStep[];
  readonly outputDir?: string;
  readonly outputFileName?: string;
  /** JSON Pointers of the parameters that are left out. */
  readonly hidden: readonly string[];
}

/** Reads the pipeline file of a folder; undefined if there is none that can be read as a pipeline. */
export async function shownDefinition(
  folder: string,
  catalog: Pick<Catalog, 'operations'>,
): Promise<ShownDefinition | undefined> {
  const readable = await readableDefinition(folder);
  if (readable === undefined) return undefined;
  const { file, name, outputDir, outputFileName } = readable.definition;
  const hidden: string[] = [];
  return {
    file,
    name,
    pipeline: readable.steps.map((step, index) => shownStep(step, index, catalog, hidden)),
    hidden,
    ...(outputDir === undefined ? {} : { outputDir }),
    ...(outputFileName === undefined ? {} : { outputFileName }),
  };
}

function shownStep(
  step: unknown,
  index: number,
  { operations }: Pick<Catalog, 'operations'>,
  hidden: string[],
): ShownStep {
  const { operation, parameters } = (step ?? {}) as { readonly operation?: unknown; readonly parameters?: unknown };
  const path = typeof operation === 'string' ? operation : '';
  const passwords = operations.get(path.replace(/^\/?api\/v1\//, ''))?.operation.passwords ?? {};
  const secret = new Set(Object.values(passwords));
  const given = typeof parameters === 'object' && parameters !== null ? Object.entries(parameters) : [];
  const shown = given.filter(([name]) => {
    // Names of other operations may be spelled differently, or unknown to this server.
    const open = !secret.has(name) && !/pass(word|phrase|code)|secret|token|api_?key/i.test(name);
    if (!open) hidden.push(`/pipeline/${index}/parameters/${escapePointer(name)}`);
    return open;
  });
  return { operation: path, parameters: Object.fromEntries(shown) };
}
