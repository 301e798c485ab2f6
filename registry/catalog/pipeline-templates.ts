import type { PipelineTemplate } from '@quire/registry';
import type { CatalogOperation, CatalogWarning } from './catalog.js';
import type { LoadedPlugin } from './load-plugin.js';

/**
 * Returns the templates whose operations are all loaded. One that an operation would refuse, or whose id another one
 * has, is left out with a warning: the plugin was written for another version of the other plugin.
 */
export function templatesOf(
  plugins: readonly LoadedPlugin[],
  operations: ReadonlyMap<string, CatalogOperation>,
): { readonly templates: readonly PipelineTemplate[]; readonly templateFaults: readonly CatalogWarning[] } {
  const templates = new Map<string, PipelineTemplate>();
  const templateFaults: CatalogWarning[] = [];
  for (const { name, version, plugin } of plugins)
    for (const template of plugin.templates ?? []) {
      if (!template.steps.every(({ operation }) => operations.has(operation))) continue;
      const problems = template.steps.flatMap(({ operation, parameters }) =>
        stepFaults(operations.get(operation)!, parameters),
      );
      if (templates.has(template.id)) problems.push('another template has this id.');
      if (problems.length === 0) templates.set(template.id, template);
      else
        templateFaults.push({
          plugin: name,
          version,
          problems: problems.map((each) => `template ${template.id}: ${each}`),
        });
    }
  return { templates: [...templates.values()], templateFaults };
}

function stepFaults({ operation, schema }: CatalogOperation, parameters: Readonly<Record<string, unknown>>): string[] {
  if (operation.pipeline === false) return [`${operation.path} cannot be a pipeline step.`];
  const { error } = schema.validate(parameters);
  return (error?.details ?? []).map(({ message }) => `${operation.path}: ${message}.`);
}
