import { convertTemplate } from './convert.js';
import { editTemplate } from './edit.js';
import { jsonTemplate } from './json.js';
import type { OperationTemplate } from './template.js';

export type { OperationTemplate } from './template.js';

export const operationTemplates = { edit: editTemplate, convert: convertTemplate, json: jsonTemplate } as const;

export type TemplateName = keyof typeof operationTemplates;

/** Returns the template with a name; undefined for an unknown one. */
export function templateNamed(name: string): OperationTemplate | undefined {
  return Object.hasOwn(operationTemplates, name) ? operationTemplates[name as TemplateName] : undefined;
}
