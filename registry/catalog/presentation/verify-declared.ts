import type {
  AnyOperation,
  FieldGroup,
  FieldPresentation,
  GroupWidget,
  OperationScreen,
  Unit,
  When,
  Widget,
} from '@quire/registry';
import type Joi from 'joi';
import type { BuiltSchema } from '../verify-schema.js';
import { verifyWhen, type Report } from '../verify-shared.js';
import { presentationOf } from './show-field.js';
import { LONGEST_TITLE } from './show-operation.js';
import type { FieldDescription } from './field-description.js';

/** Longest label of a field or title of a group, in characters. */
export const LONGEST_LABEL = 40;

/** The types of schemas that each widget can show; `any` for schemas of several types. */
const widgetTypes: Readonly<Record<Widget, readonly string[]>> = {
  text: ['string', 'date', 'any', 'alternatives'],
  multiline: ['string'],
  number: ['number'],
  switch: ['boolean'],
  choice: ['string', 'number', 'any'],
  list: ['array'],
  map: ['object'],
  json: ['string', 'object', 'array'],
  pages: ['string'],
  pageOrder: ['string'],
  position: ['string', 'number'],
  colour: ['string'],
  opacity: ['number'],
  secret: ['string'],
  size: ['string', 'number'],
  language: ['string', 'array'],
  folder: ['string'],
  connection: ['number'],
  date: ['string', 'date'],
  signature: ['string'],
};
const units: readonly Unit[] = ['pt', 'mm', 'px', '%', 'dpi', '°', 's', 'MB', 'pages'];
const screens: readonly OperationScreen[] = [
  'organise',
  'document/forms',
  'document/redact',
  'document/bookmarks',
  'document/attachments',
  'document/labels',
  'document/metadata',
  'invoices',
  'invoices/new',
];
/** Screens that begin with an empty form: they open no file. */
const withoutFile: ReadonlySet<OperationScreen> = new Set(['invoices/new']);
const groupRoles: Readonly<Record<GroupWidget, readonly (readonly string[])[]>> = {
  area: [
    ['x', 'y', 'width', 'height'],
    ['left', 'bottom', 'right', 'top'],
  ],
  point: [
    ['x', 'y'],
    ['x', 'y', 'page'],
  ],
};
const pictureRoles: readonly (readonly string[])[] = [
  ['x', 'y', 'width'],
  ['x', 'y', 'width', 'page'],
];
const members: Readonly<Record<keyof FieldPresentation, string>> = {
  label: 'string',
  help: 'string',
  widget: 'string',
  unit: 'string',
  group: 'string',
  order: 'number',
  when: 'object',
  requiredWhen: 'object',
  hidden: 'boolean',
  options: 'object',
  advanced: 'boolean',
  element: 'string',
};

/** Checks what an operation declares for people: title, icon, order, screen, groups, and `shown` of each field. */
export function verifyPresentation(operation: AnyOperation, built: BuiltSchema | undefined, report: Report): void {
  const { title, icon, order, screen, groups = [], parts = [] } = operation;
  if (title !== undefined) verifyLabel(title, 'its title', LONGEST_TITLE, report);
  verifyIcon(icon, report);
  if (order !== undefined && !Number.isFinite(order)) report(`order is ${JSON.stringify(order)}; it must be a number.`);
  verifyScreen(screen, operation.accepts, report);
  const fields = built?.fields ?? {};
  verifyGroups(groups, { fields, parts: parts.map(({ field }) => field) }, report);
  for (const [name, field] of Object.entries(fields))
    verifyField(name, { field, fields, groups: groups.map(({ id }) => id) }, report);
  for (const { field, label, when, widget, kinds } of parts) {
    if (label !== undefined) verifyLabel(label, `the label of the part ${field}`, LONGEST_LABEL, report);
    verifyCondition(when, { title: `when of the part ${field}`, fields }, report);
    if (widget !== undefined && (widget !== 'signature' || !kinds.includes('png')))
      report(`widget of the part ${field} is ${JSON.stringify(widget)}; parts that accept png may have signature.`);
  }
}

function verifyScreen(screen: OperationScreen | undefined, accepts: readonly string[], report: Report): void {
  if (screen === undefined) return;
  if (!screens.includes(screen))
    report(`screen is ${JSON.stringify(screen)}; it must be one of ${screens.join(', ')}.`);
  else if (!withoutFile.has(screen) && !accepts.includes('pdf'))
    report(`screen is ${screen}, which opens PDFs, but accepts has no pdf.`);
}

/** Checks the icon of an operation or a category: the name of a Lucide icon, or an SVG path. */
export function verifyIcon(icon: unknown, report: Report): void {
  if (icon === undefined) return;
  if (typeof icon !== 'string' || !/^(?:[a-z][a-z0-9]*(?:-[a-z0-9]+)*|M[\d\s,.\-a-zA-Z]{1,4000})$/.test(icon))
    report(
      `icon is ${JSON.stringify(icon)}; it must be the name of a Lucide icon such as rotate-cw (https://lucide.dev), ` +
        'or an SVG path of a 24 by 24 grid that starts with M.',
    );
}

/** Checks a text that people see: not too long, a capital or a digit first, no full stop. */
export function verifyLabel(label: unknown, title: string, longest: number, report: Report): void {
  if (typeof label !== 'string' || label.trim() === '')
    report(`${title} is ${JSON.stringify(label)}; it must be a text.`);
  else if (label.length > longest)
    report(`${title} "${label}" has ${label.length} characters; the limit is ${longest}.`);
  else if (!/^[\p{Lu}\p{Lo}\p{N}]/u.test(label)) report(`${title} "${label}" does not begin with a capital letter.`);
  else if (label.endsWith('.')) report(`${title} "${label}" ends with a full stop.`);
}

interface GroupContext {
  readonly fields: BuiltSchema['fields'];
  /** Names of the file parts. */
  readonly parts: readonly string[];
}

function verifyGroups(groups: readonly FieldGroup[], { fields, parts }: GroupContext, report: Report): void {
  const seen = new Set<string>();
  for (const { id, title, widget, roles, picture } of groups) {
    const name = `the group ${JSON.stringify(id)}`;
    if (typeof id !== 'string' || !/^[a-z][A-Za-z0-9-]*$/.test(id)) report(`${name} has no valid id.`);
    if (seen.has(id)) report(`${name} is declared twice.`);
    seen.add(id);
    verifyLabel(title, `the title of ${name}`, LONGEST_LABEL, report);
    if (picture !== undefined && (widget !== 'area' || !parts.includes(picture)))
      report(`${name} has the picture ${JSON.stringify(picture)}; an area may name a part there.`);
    if (widget === undefined) continue;
    if (!Object.hasOwn(groupRoles, widget)) {
      report(`${name} has the widget ${JSON.stringify(widget)}; allowed are ${Object.keys(groupRoles).join(', ')}.`);
      continue;
    }
    const allowed = picture === undefined ? groupRoles[widget] : pictureRoles;
    const found = Object.keys(roles ?? {});
    if (!allowed.some((each) => each.length === found.length && each.every((role) => found.includes(role)))) {
      const wanted = allowed.map((each) => each.join(', ')).join(', or ');
      report(`${name} has the roles ${found.join(', ') || 'none'}; ${widget} needs ${wanted}.`);
    }
    for (const [role, field] of Object.entries(roles ?? {}))
      if (fields[field]?.type !== 'number')
        report(`${name} has ${JSON.stringify(field)} as ${role}, which is not a field with a number.`);
  }
}

interface FieldContext {
  readonly field: Joi.Schema;
  readonly fields: BuiltSchema['fields'];
  /** Ids of the groups of the operation. */
  readonly groups: readonly string[];
}

function verifyField(name: string, { field, fields, groups }: FieldContext, report: Report): void {
  // Through Joi's extension interface: describing all schemas would make the start slower.
  const metas = (field.$_terms['metas'] ?? []) as FieldDescription['metas'] & {};
  if (metas.length === 0) return;
  const shown = presentationOf({ metas });
  const title = `of the field ${name}`;
  for (const [member, value] of Object.entries(shown)) {
    const type = (members as Readonly<Record<string, string | undefined>>)[member];
    if (type === undefined) report(`shown ${title} has ${member}, which is not known.`);
    else if (typeof value !== type && value !== 'always')
      report(`${member} ${title} is ${JSON.stringify(value)}; it must be of the type ${type}.`);
  }
  if (shown.label !== undefined) verifyLabel(shown.label, `the label ${title}`, LONGEST_LABEL, report);
  verifyWidget(field, shown, title, report);
  if (shown.unit !== undefined && (!units.includes(shown.unit) || field.type !== 'number'))
    report(`unit ${title} is ${JSON.stringify(shown.unit)}; numbers may have ${units.join(', ')}.`);
  if (shown.group !== undefined && !groups.includes(shown.group))
    report(`group ${title} is ${JSON.stringify(shown.group)}, which is not in groups.`);
  for (const member of ['when', 'requiredWhen'] as const) {
    verifyCondition(shown[member], { title: `${member} ${title}`, fields }, report);
    if (typeof shown[member] === 'object' && Object.hasOwn(shown[member], name))
      report(`${member} ${title} depends on the field itself.`);
  }
  if (shown.hidden === true && field.$_getFlag('presence') === 'required')
    report(`the field ${name} is required, so it cannot be hidden.`);
  for (const value of Object.keys(shown.options ?? {}))
    if (!allows(itemOf(field), value)) report(`options ${title} has ${value}, which the schema does not allow.`);
  for (const { offered } of metas as readonly { offered?: { values?: readonly unknown[] } }[])
    for (const value of offered?.values ?? [])
      if (!allows(itemOf(field), value)) report(`the field ${name} offers ${String(value)}, which its schema refuses.`);
}

function verifyWidget(field: Joi.Schema, shown: FieldPresentation, title: string, report: Report): void {
  const { widget, element } = shown;
  if (element !== undefined && !/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(element))
    report(
      `element ${title} is ${JSON.stringify(element)}; it must be the name of a custom element, such as my-field.`,
    );
  if (widget === undefined) return;
  if (!Object.hasOwn(widgetTypes, widget))
    report(`widget ${title} is ${JSON.stringify(widget)}; allowed are ${Object.keys(widgetTypes).join(', ')}.`);
  else if (!widgetTypes[widget].includes(field.type ?? 'any'))
    report(
      `widget ${title} is ${widget}, which shows ${widgetTypes[widget].join(' or ')}, not ${field.type ?? 'any'}.`,
    );
}

/** Checks that a condition names fields, and values that they allow. */
function verifyCondition(
  when: When | undefined,
  { title, fields }: { readonly title: string; readonly fields: BuiltSchema['fields'] },
  report: Report,
): void {
  verifyWhen(when, new Set(Object.keys(fields)), title, report);
  if (typeof when !== 'object' || when === null) return;
  for (const [name, wanted] of Object.entries(when)) {
    const field = fields[name];
    if (field === undefined) continue;
    for (const value of [wanted].flat() as readonly unknown[])
      if (!allows(field, value))
        report(`${title} compares ${name} with ${JSON.stringify(value)}, which it does not allow.`);
  }
}

/** The schema of the values of a field: for a list that of its items. */
function itemOf(field: Joi.Schema): Joi.Schema {
  const [item] = field.type === 'array' ? ((field.$_terms['items'] ?? []) as readonly Joi.Schema[]) : [];
  return item ?? field;
}

function allows(field: Joi.Schema, value: unknown): boolean {
  // Most conditions are switches, and validating takes long at the start of a process.
  if (field.type === 'boolean') return typeof value === 'boolean';
  return field.validate(value).error === undefined;
}
