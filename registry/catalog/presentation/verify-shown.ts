import { holds, type AnyOperation, type Example, type ShownField, type When } from '@quire/registry';
import type Joi from 'joi';
import { LONGEST_TITLE, showOperation, type OperationPresentation } from './show-operation.js';
import { LONGEST_LABEL } from './verify-declared.js';

/**
 * Returns why people could not be shown an operation well: a sentence for each fault of its title, labels, choices and
 * conditions, derived ones included, and for each example that sends a field which is not shown.
 */
export function presentationFaults(operation: AnyOperation, schema: Joi.ObjectSchema): string[] {
  const shown = showOperation({ operation, schema }, (file) => file);
  return [
    ...textFaults(shown),
    ...shown.fields.flatMap(fieldFaults),
    ...(operation.examples as readonly Example<Record<string, unknown>>[])
      .filter(({ expect }) => expect.refused === undefined)
      .flatMap((example) => exampleFaults(example, schema, shown)),
  ];
}

function textFaults({ title, fields, parts, groups }: OperationPresentation): string[] {
  const labels = [...parts, ...fields].map(({ label }) => label);
  const doubled = new Set(labels.filter((label, i) => labels.indexOf(label) !== i));
  const used = new Set(fields.map(({ group }) => group));
  return [
    ...(title.length > LONGEST_TITLE
      ? [`its title "${title}" has ${title.length} characters; declare a title of at most ${LONGEST_TITLE}.`]
      : []),
    ...labels
      .filter((label) => label.length > LONGEST_LABEL)
      .map((label) => `the label "${label}" has ${label.length} characters; declare one of at most ${LONGEST_LABEL}.`),
    ...[...doubled].map((label) => `two of its fields have the label "${label}".`),
    ...groups.filter(({ id }) => !used.has(id)).map(({ id }) => `no field is in the group ${id}.`),
  ];
}

function fieldFaults({ name, widget, values, element, required, requiredWhen, when }: ShownField): string[] {
  const labels = (values ?? []).map(({ label }) => label);
  return [
    ...(widget === 'choice' && element === undefined && labels.length === 0
      ? [`the field ${name} is shown as a choice, but its values are not known; offer them (offering).`]
      : []),
    ...(new Set(labels).size < labels.length ? [`two values of the field ${name} have the same label.`] : []),
    ...(required && when !== undefined ? [`the field ${name} is required, but not always shown.`] : []),
    ...(requiredWhen !== undefined && !implies(requiredWhen, when)
      ? [`the field ${name} is required when ${JSON.stringify(requiredWhen)}, but shown when ${JSON.stringify(when)}.`]
      : []),
  ];
}

/** Whether a condition holds wherever another does: it allows each of the other's values of each field that it has. */
function implies(narrow: When, wide: When | undefined): boolean {
  if (wide === undefined || wide === 'always') return true;
  if (narrow === 'always') return false;
  return Object.entries(wide).every(([field, allowed]) => {
    const wanted = narrow[field];
    return wanted !== undefined && [wanted].flat().every((value) => [allowed].flat().includes(value));
  });
}

function exampleFaults(
  example: Example<Record<string, unknown>>,
  schema: Joi.ObjectSchema,
  { fields, parts }: OperationPresentation,
): string[] {
  const title = `the example "${example.title}"`;
  const { value, error } = schema.validate(example.params, { convert: true }) as Joi.ValidationResult<
    Record<string, unknown>
  >;
  if (error !== undefined) return [];
  const faults = Object.keys(example.params).flatMap((name) => {
    const field = fields.find((each) => each.name === name);
    if (field === undefined) return [`${title} sends ${name}, which people cannot see.`];
    if (field.when !== undefined && !holds(field.when, value))
      return [`${title} sends ${name}, which is shown only when ${JSON.stringify(field.when)}.`];
    const known = field.values?.map((each) => each.value);
    return field.widget === 'choice' && known !== undefined && !known.includes(value[name] as never)
      ? [`${title} sends ${name}=${String(value[name])}, which is not among the choices.`]
      : [];
  });
  const hiddenParts = Object.keys(example.parts ?? {}).filter((name) => {
    const when = parts.find(({ field }) => field === name)?.when;
    return when !== undefined && !holds(when, value);
  });
  return [...faults, ...hiddenParts.map((name) => `${title} sends the part ${name}, which is not shown then.`)];
}
