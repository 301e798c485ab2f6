import { showFields, type CatalogOperation } from '@quire/catalog';
import type { FieldFault, ShownField } from '@quire/registry';
import { inputsUsed, mapSteps, pathOf, stepsWithin, type FoundStep } from '../operations/pipelines/index.js';
import type { Definition, InputDeclaration } from './model.js';

const FIELD = /^(\/pipeline(?:\/[^/]+)+)\/parameters\/([^/]+)$/;

/** Where the value of an input goes. */
interface Place {
  /** Pointer of the step, or of a filter in a condition. */
  readonly step: string;
  readonly field: string;
}

/** The inputs of a pipeline, as people see them and as its definition uses them. */
export interface ReadInputs {
  readonly fields: readonly ShownField[];
  readonly faults: readonly FieldFault[];
  /** The steps with a placeholder in place of each parameter that is an input. */
  readonly steps: readonly unknown[];
}

type Steps = readonly FoundStep[];

/** Reads the declared inputs against the steps that use them. `operationOf` finds an operation by its path. */
export function readInputs(
  { pipeline }: Definition,
  declared: readonly InputDeclaration[],
  operationOf: (path: string) => CatalogOperation | undefined,
): ReadInputs {
  const faults: FieldFault[] = [];
  const used = new Set(inputsUsed(pipeline));
  const steps = stepsWithin(pipeline);
  const fields = declared.flatMap((input, at) => {
    const report = (member: string, detail: string): void =>
      void faults.push({ pointer: `/inputs/${at}${member}`, detail });
    if (declared.findIndex(({ name }) => name === input.name) !== at)
      report('/name', `"${input.name}" is declared twice`);
    const field =
      input.field === undefined ? freeField(input, used, report) : ownField(input, steps, operationOf, report);
    return field === undefined ? [] : [field];
  });
  const found = declared.filter(({ name }) => fields.some((field) => field.name === name));
  return { fields, faults, steps: withPlaceholders(pipeline, found) };
}

/** The place that a pointer names; undefined if it does not name a parameter of a step. */
export function placeOf(pointer: string): Place | undefined {
  const [, step, field] = FIELD.exec(pointer) ?? [];
  if (step === undefined || field === undefined) return undefined;
  return { step, field: field.replaceAll('~1', '/').replaceAll('~0', '~') };
}

type Report = (member: string, detail: string) => void;

/** An input for placeholders in texts. */
function freeField(input: InputDeclaration, used: ReadonlySet<string>, report: Report): ShownField {
  const { name, type = 'text', values } = input;
  if (!used.has(name)) report('/name', `no step uses {{input.${name}}}, and it has no field of a step`);
  const widget = values !== undefined ? 'choice' : type === 'boolean' ? 'switch' : type === 'text' ? 'text' : 'number';
  return withDeclared({ name, label: name, widget, type, required: false }, input);
}

/** An input that is a parameter of a step. */
function ownField(
  input: InputDeclaration,
  steps: Steps,
  operationOf: (path: string) => CatalogOperation | undefined,
  report: Report,
): ShownField | undefined {
  const place = placeOf(input.field ?? '');
  const step = steps.find(({ pointer }) => pointer === place?.step)?.step;
  if (place === undefined || step === undefined) {
    report('/field', 'must name a parameter of a step, for example /pipeline/0/parameters/angle');
    return undefined;
  }
  // A saved pipeline checks the values of its inputs itself.
  if (pathOf(step).startsWith('/api/v1/tools/')) return freeField(input, new Set([input.name]), report);
  const entry = operationOf(pathOf(step));
  // A step that names no operation is a fault of the definition.
  if (entry === undefined) return undefined;
  const shown = showFields(entry.operation, entry.schema);
  const own = shown.find(({ name }) => name === place.field);
  if (own === undefined) {
    report(
      '/field',
      `${entry.operation.path} has no field "${place.field}"; it has ${shown.map(({ name }) => name).join(', ')}`,
    );
    return undefined;
  }
  if (input.minimum !== undefined && own.minimum !== undefined && input.minimum < own.minimum)
    report('/minimum', `is below ${own.minimum}, the least that ${entry.operation.path} accepts`);
  if (input.maximum !== undefined && own.maximum !== undefined && input.maximum > own.maximum)
    report('/maximum', `is above ${own.maximum}, the most that ${entry.operation.path} accepts`);
  const given = (step['parameters'] as Readonly<Record<string, unknown>> | undefined)?.[place.field];
  const { default: _, when: __, requiredWhen: ___, group: ____, ...rest } = own;
  const usual = given ?? own.default;
  return withDeclared({ ...rest, name: input.name, ...(usual === undefined ? {} : { default: usual }) }, input);
}

/** The field with what the author declares in place of what it has on its own. */
function withDeclared(field: ShownField, input: InputDeclaration): ShownField {
  const { label = field.label, help = field.help, minimum = field.minimum, maximum = field.maximum, values } = input;
  const usual = input.default ?? field.default;
  const required = input.required ?? (field.required && usual === undefined);
  const { default: _, ...rest } = field;
  return {
    ...rest,
    label,
    required,
    ...(help === undefined ? {} : { help }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(usual === undefined || required ? {} : { default: usual }),
    ...(values === undefined ? {} : { values: values.map((value) => ({ value, label: labelOf(field, value) })) }),
  };
}

function labelOf(field: ShownField, value: string | number | boolean): string {
  return field.values?.find((known) => known.value === value)?.label ?? String(value);
}

function withPlaceholders(steps: readonly unknown[], declared: readonly InputDeclaration[]): readonly unknown[] {
  return mapSteps(steps, (step, pointer) => {
    const own = declared.flatMap(({ name, field = '' }) => {
      const place = placeOf(field);
      return place?.step === pointer ? [[place.field, `{{input.${name}}}`] as const] : [];
    });
    if (own.length === 0) return step;
    return { ...step, parameters: { ...(step['parameters'] as object | undefined), ...Object.fromEntries(own) } };
  });
}
