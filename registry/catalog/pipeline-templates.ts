import type { AnyOperation, PipelineTemplate } from '@quire/registry';
import type Joi from 'joi';
import type { LoadedPlugin } from './load-plugin.js';

/** Templates of a plugin that were left out, and the reasons. */
export interface TemplateFaults {
  readonly plugin: string;
  readonly version: string;
  readonly problems: readonly string[];
}

/** An operation that a step of a template names. */
export interface TemplateOperation {
  readonly operation: AnyOperation;
  readonly schema: Joi.ObjectSchema;
}

/**
 * Returns the templates whose operations are all loaded. One that an operation would refuse, or whose id another one
 * has, is left out with a warning: the plugin was written for another version of the other plugin.
 */
export function templatesOf(
  plugins: readonly LoadedPlugin[],
  operations: ReadonlyMap<string, TemplateOperation>,
): { readonly templates: readonly PipelineTemplate[]; readonly templateFaults: readonly TemplateFaults[] } {
  const templates = new Map<string, PipelineTemplate>();
  const templateFaults: TemplateFaults[] = [];
  for (const { name, version, plugin } of plugins)
    for (const template of plugin.templates ?? []) {
      if (!template.steps.every(({ operation }) => operations.has(operation))) continue;
      const problems = template.steps.flatMap((step) => stepFaults(operations.get(step.operation)!, step));
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

/** Faults of a template's step: what its operation would refuse, except that fields to ask for are still missing. */
export function stepFaults(
  { operation, schema }: TemplateOperation,
  { parameters, ask = [] }: PipelineTemplate['steps'][number],
): string[] {
  if (operation.pipeline === false) return [`${operation.path} cannot be a pipeline step.`];
  // A description takes a millisecond, and most steps ask for nothing.
  const known = ask.length === 0 ? [] : Object.keys((schema.describe() as { keys?: object }).keys ?? {});
  const unknown = ask.filter((name) => !known.includes(name));
  const { error } = schema.validate(parameters, { abortEarly: false });
  const refused = (error?.details ?? []).filter(
    ({ type, path }) => type !== 'any.required' || !ask.includes(String(path[0])),
  );
  return [
    ...unknown.map((name) => `${operation.path} has no field "${name}" to ask for; it has ${known.join(', ')}.`),
    ...refused.map(({ message }) => `${operation.path}: ${message}.`),
  ];
}
