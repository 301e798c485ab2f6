import { kept } from '../../../app/preferences.ts';
import type { SavedInput, SavedPipeline, Share } from '../saved/saved.ts';
import type { PipelineJson } from './definition.ts';

/** The pipeline on the server that one in the browser is a copy of. */
export interface SavedLink {
  readonly name: string;
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly inputs: readonly SavedInput[];
  readonly sharedWith: readonly Share[];
}

export function linkOf({ name, version, title, description, inputs = [], sharedWith = [] }: SavedPipeline): SavedLink {
  return { name, version, title, description, inputs, sharedWith };
}

/** A pipeline as it is kept. */
export interface StoredPipeline {
  readonly id: string;
  readonly json: PipelineJson;
  /** Steps that are switched off: pointers, or indexes as earlier versions kept them. */
  readonly off: readonly (string | number)[];
  /** Fields that a template leaves to people, by index of the step. */
  readonly ask?: Readonly<Record<number, readonly string[]>>;
  readonly link?: SavedLink;
  /** ISO 8601. */
  readonly changedAt: string;
}

/** Where a user's pipelines are kept. Lists are signals: reading them in a component follows changes. */
export interface PipelineStore {
  list(): readonly StoredPipeline[];
  find(id: string): StoredPipeline | undefined;
  save(pipeline: Omit<StoredPipeline, 'changedAt'>): void;
  remove(id: string): void;
  /** Puts back one that was removed. */
  restore(pipeline: StoredPipeline): void;
}

const stored = kept<readonly StoredPipeline[]>('pipelineDrafts', []);

/** In this browser alone. */
export const localStore: PipelineStore = {
  list: () => stored.value.toSorted((a, b) => (a.changedAt < b.changedAt ? 1 : -1)),
  find: (id) => stored.value.find((each) => each.id === id),
  save: (pipeline) => put({ ...pipeline, changedAt: new Date().toISOString() }),
  remove: (id) => {
    stored.value = stored.value.filter((each) => each.id !== id);
  },
  restore: put,
};

function put(pipeline: StoredPipeline): void {
  stored.value = [...stored.value.filter(({ id }) => id !== pipeline.id), pipeline];
}
