import { navigate } from '../../app/router.ts';
import type { PipelineJson } from './model/definition.ts';
import type { PipelineStore } from './model/store.ts';

/** Keeps a pipeline and opens it. */
export function openNew(store: PipelineStore, json: PipelineJson): void {
  const id = crypto.randomUUID();
  store.save({ id, json, off: [] });
  navigate(`pipelines/edit/${id}`);
}
