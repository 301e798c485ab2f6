import { navigate } from '../../app/router.ts';
import type { PipelineJson } from './model/definition.ts';
import { linkOf, type PipelineStore, type StoredPipeline } from './model/store.ts';
import type { SavedPipeline } from './saved/saved.ts';

/** Keeps a pipeline and opens it; `ask`: fields that people fill in before it runs. */
export function openNew(store: PipelineStore, json: PipelineJson, ask: StoredPipeline['ask'] = {}): void {
  const id = crypto.randomUUID();
  store.save({ id, json, off: [], ...(Object.keys(ask).length === 0 ? {} : { ask }) });
  navigate(`pipelines/edit/${id}`);
}

/** Opens a copy of a pipeline on the server: the one that was begun in this browser, if nobody has saved since. */
export function openSaved(store: PipelineStore, saved: SavedPipeline): void {
  const begun = store.list().find(({ link }) => link?.name === saved.name && link.version === saved.version);
  if (begun !== undefined) return navigate(`pipelines/edit/${begun.id}`);
  const id = crypto.randomUUID();
  store.save({
    id,
    json: { ...saved.definition, pipeline: saved.definition?.pipeline ?? [], name: saved.title },
    off: [],
    link: linkOf(saved),
  });
  navigate(`pipelines/edit/${id}`);
}
