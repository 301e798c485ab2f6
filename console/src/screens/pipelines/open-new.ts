import { navigate } from '../../app/router.ts';
import type { PipelineJson } from './model/definition.ts';
import type { PipelineStore, StoredPipeline } from './model/store.ts';

/** Keeps a pipeline and opens it; `ask`: fields that people fill in before it runs. */
export function openNew(store: PipelineStore, json: PipelineJson, ask: StoredPipeline['ask'] = {}): void {
  const id = crypto.randomUUID();
  store.save({ id, json, off: [], ...(Object.keys(ask).length === 0 ? {} : { ask }) });
  navigate(`pipelines/edit/${id}`);
}
