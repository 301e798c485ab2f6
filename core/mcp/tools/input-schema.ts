import { schemaOfField, type OperationPresentation } from '@quire/catalog';
import type { ShownField, ShownPart, When } from '@quire/registry';
import type { JsonSchema } from './tool.js';

const LONGEST_HELP = 140;

/** Returns the arguments of an operation as a schema: its fields, and its files as ids. */
export function inputSchema({
  parts,
  fields,
}: Pick<OperationPresentation, 'parts' | 'fields'>): JsonSchema & { readonly type: 'object' } {
  const properties = Object.fromEntries([
    ...parts.map((part) => [part.field, fileSchema(part)] as const),
    ...fields.map((field) => [field.name, fieldSchema(field)] as const),
  ]);
  const required = [
    ...parts.filter((part) => part.required).map(({ field }) => field),
    ...fields.filter((field) => field.required).map(({ name }) => name),
  ];
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** The input document may be several files: an operation that works on each file runs once for each. */
function fileSchema({ field, help, extensions, many, requiredWhen }: ShownPart): JsonSchema {
  const kinds = extensions.length === 0 || extensions.length > 12 ? '' : ` (${extensions.join(' ')})`;
  const description = sentences(
    field === 'fileInput'
      ? `fileId of the document${many ? 's, in order' : ''}${kinds}`
      : `fileId: ${help ?? ''}${kinds}`,
    condition(requiredWhen),
  );
  const one = { type: 'string' };
  const list = { type: 'array', items: one, minItems: 1 };
  if (many) return { ...list, description };
  return field === 'fileInput' ? { type: ['string', 'array'], items: one, description } : { ...one, description };
}

function fieldSchema(field: ShownField): JsonSchema {
  const { help = '', label, unit, requiredWhen, default: usual } = field;
  const text = shortened(help === '' ? label : help);
  const described = sentences(text, unit === undefined || text.includes(unit) ? '' : `Unit: ${unit}`);
  return {
    ...schemaOfField(field),
    description: sentences(described, condition(requiredWhen)),
    ...(usual === undefined || usual === '' ? {} : { default: usual }),
  };
}

/** Says when a field is required, where a schema cannot. */
function condition(when: When | undefined): string {
  if (when === undefined || when === 'always') return '';
  const parts = Object.entries(when).map(([field, value]) => `${field} is ${[value].flat().join(' or ')}`);
  return `Required when ${parts.join(' and ')}`;
}

function sentences(...texts: readonly string[]): string {
  return texts
    .map((text) => text.trim().replace(/\.$/, ''))
    .filter((text) => text !== '')
    .join('. ');
}

/** The first sentences of a text, without Markdown, as far as they fit. */
export function shortened(text: string, longest = LONGEST_HELP): string {
  const plain = text.replace(/[`*]/g, '').replace(/\s+/g, ' ').trim();
  if (plain.length <= longest) return plain;
  const end = plain.slice(0, longest).lastIndexOf('. ');
  return end > 0 ? plain.slice(0, end + 1) : `${plain.slice(0, plain.lastIndexOf(' ', longest))} …`;
}
