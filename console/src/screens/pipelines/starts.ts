import type { PipelineTemplate } from '@quire/registry';
import { catalog, operationOf } from '../../api/index.ts';
import { rt } from '../../i18n/index.ts';
import { toolsOf } from './model/branches.ts';
import { API, type PipelineJson } from './model/definition.ts';
import { localStore, type StoredPipeline } from './model/store.ts';
import type { SavedPipeline } from './saved/saved.ts';
import { t } from './texts.ts';

/** Steps that a pipeline can begin with. */
export interface Start extends Pick<StoredPipeline, 'json' | 'off' | 'ask'> {
  readonly key: string;
  readonly title: string;
  readonly icon: string;
  /** Where they come from. */
  readonly origin: string;
  /** Paths of the tools. */
  readonly tools: readonly string[];
}

/** The templates whose tools this server has. */
export function usableTemplates(): readonly PipelineTemplate[] {
  return (catalog.value?.templates ?? []).filter(({ steps }) =>
    steps.every(({ operation }) => operationOf(operation)?.availability.state === 'available'),
  );
}

export function jsonOf({ title, steps }: PipelineTemplate): PipelineJson {
  return {
    name: rt(title),
    pipeline: stepsOf(steps),
  };
}

/** The steps of a template as a definition has them. */
export function stepsOf(steps: PipelineTemplate['steps']): PipelineJson['pipeline'] {
  return steps.map(({ operation, parameters, name }) => ({
    operation: `${API}${operation}`,
    parameters,
    ...(name === undefined ? {} : { name }),
  }));
}

export function askOf({ steps }: PipelineTemplate): NonNullable<StoredPipeline['ask']> {
  return Object.fromEntries(steps.flatMap(({ ask = [] }, i) => (ask.length === 0 ? [] : [[i, ask]])));
}

export function nameOf({ json }: StoredPipeline): string {
  return typeof json.name === 'string' && json.name.trim() !== '' ? json.name : t('Untitled pipeline');
}

/** Pipelines of the server whose steps the caller sees, those of this browser, and templates. */
export function startsOf(saved: readonly SavedPipeline[]): readonly Start[] {
  const ofServer = saved.flatMap(({ name, title, definition }) =>
    definition === undefined ? [] : [startWith(`saved ${name}`, title, t('On this server'), definition)],
  );
  const own = localStore.list().map((stored) => ({
    ...startWith(stored.id, nameOf(stored), t('Your pipelines'), stored.json),
    off: stored.off,
    ask: stored.ask ?? {},
  }));
  const templates = usableTemplates().map((template) => ({
    ...startWith(`template ${template.id}`, rt(template.title), t('Template'), jsonOf(template)),
    icon: template.icon,
    ask: askOf(template),
  }));
  return [...ofServer, ...own, ...templates].filter(({ tools }) => tools.length > 0);
}

function startWith(key: string, title: string, origin: string, json: PipelineJson): Start {
  return { key, title, origin, json, off: [], icon: 'workflow', tools: toolsOf(json.pipeline) };
}
