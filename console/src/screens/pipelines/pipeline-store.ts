import { kept } from '../../app/preferences.ts';

/** One step as the interface's JSON has it (`/api/v1/pipeline/handleData`). */
export interface StepDefinition {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A pipeline that somebody works on. */
export interface SavedPipeline {
  readonly id: string;
  readonly name: string;
  readonly outputFileName: string;
  readonly steps: readonly (StepDefinition & { readonly off?: true })[];
  /** Other members of an imported definition, kept for its export. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Time of the last change, in milliseconds. */
  readonly changedAt: number;
}

/** Where pipelines are kept. */
export interface PipelineStore {
  list(): readonly SavedPipeline[];
  get(id: string): SavedPipeline | undefined;
  save(pipeline: SavedPipeline): void;
  remove(id: string): void;
}

const stored = kept<readonly SavedPipeline[]>('pipelines', []);

/** Keeps them in this browser. */
export const browserStore: PipelineStore = {
  list: () => [...stored.value].sort((a, b) => b.changedAt - a.changedAt),
  get: (id) => stored.peek().find((pipeline) => pipeline.id === id),
  save: (pipeline) => {
    stored.value = [...stored.peek().filter(({ id }) => id !== pipeline.id), pipeline];
  },
  remove: (id) => {
    stored.value = stored.peek().filter((pipeline) => pipeline.id !== id);
  },
};

export function newPipeline(given: Partial<SavedPipeline> = {}): SavedPipeline {
  const empty = { name: '', outputFileName: '', steps: [], extra: {} };
  return { ...empty, ...given, id: crypto.randomUUID(), changedAt: Date.now() };
}
