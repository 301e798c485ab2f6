import {
  effectsOf,
  kindInfo,
  type AnyOperation,
  type ConcreteKind,
  type Example,
  type PartSpec,
  type ShownCategory,
  type ShownField,
  type ShownOperation,
  type ShownPart,
} from '@quire/registry';
import type Joi from 'joi';
import { preferredName } from '../operation-names.js';
import { conditionsOf, type FieldDescription } from './field-description.js';
import { defined, presentationOf, showField } from './show-field.js';
import { wordsOf } from './words.js';

/** Longest title of an operation in characters. */
export const LONGEST_TITLE = 30;
const USUAL_ORDER = 100;
/** Category of a plugin that declares none: after the others. */
const LAST_ORDER = 1000;
const USUAL_ICON = 'file-cog';

/** An operation without what depends on the caller and the state of the server. */
export type OperationPresentation = Omit<ShownOperation, 'availability'>;

/** An operation with its built schema. */
export interface PresentedOperation {
  readonly operation: AnyOperation;
  readonly schema: Joi.ObjectSchema;
  /** As the catalog gave it; by default the name that the operation has on its own. */
  readonly name?: string;
}

/**
 * Returns an operation as people see it. `sampleOf` returns the name under which a file of an example is available;
 * examples with a file that is not available are left out.
 */
export function showOperation(
  { operation, schema, name = preferredName(operation) }: PresentedOperation,
  sampleOf: (file: string) => string | undefined,
): OperationPresentation {
  const { path, summary, notes, keywords = [], screen, files, deprecated } = operation;
  return defined<OperationPresentation>({
    path,
    name,
    category: categoryOf(path),
    title: titleOf(operation),
    summary,
    notes,
    keywords,
    icon: operation.icon ?? USUAL_ICON,
    order: operation.order ?? USUAL_ORDER,
    screen,
    password: operation.passwords?.input,
    resultPassword: operation.passwords?.result,
    files,
    parts: shownParts(operation),
    groups: operation.groups ?? [],
    fields: showFields(operation, schema),
    returns: shownReturns(operation),
    effects: effectsOf(operation),
    pipeline: operation.pipeline !== false,
    job: operation.job?.async !== false,
    deprecated: deprecated === undefined ? undefined : defined({ use: deprecated.use }),
    examples: shownExamples(operation, sampleOf),
  });
}

/** The title of an operation: declared, else its summary where that is short, else the words of its path. */
export function titleOf({ title, summary, path }: Pick<AnyOperation, 'title' | 'summary' | 'path'>): string {
  if (title !== undefined) return title;
  return summary.length <= LONGEST_TITLE ? summary : wordsOf(path.slice(path.indexOf('/') + 1));
}

/** Returns the fields of an operation in the order in which people see them. */
export function showFields(
  { passwords = {} }: Pick<AnyOperation, 'passwords'>,
  schema: Pick<Joi.ObjectSchema, 'describe'>,
): ShownField[] {
  const form = schema.describe() as FieldDescription;
  const conditions = conditionsOf(form);
  const secrets = new Set(Object.values(passwords));
  return Object.entries(form.keys ?? {})
    .filter(([, field]) => presentationOf(field).hidden !== true)
    .map(([name, field], at) => ({ name, field, order: presentationOf(field).order ?? 0, at }))
    .sort((a, b) => a.order - b.order || a.at - b.at)
    .map(({ name, field }) => {
      const shown = showField(name, field, conditions[name]);
      return secrets.has(name) ? { ...shown, widget: 'secret' } : shown;
    });
}

/** The categories of these operations: as a plugin declares them, or the words of their names, in order. */
export function showCategories(
  operations: Iterable<Pick<AnyOperation, 'path'>>,
  declared: readonly ShownCategory[],
): ShownCategory[] {
  const ids = new Set([...operations].map(({ path }) => categoryOf(path)));
  return [...ids]
    .map((id) => {
      const known = declared.find((category) => category.id === id);
      return known ?? { id, title: wordsOf(id), icon: USUAL_ICON, order: LAST_ORDER };
    })
    .sort((a, b) => a.order - b.order || (a.title < b.title ? -1 : 1));
}

/** The first segment of a path. */
function categoryOf(path: string): string {
  return path.slice(0, path.indexOf('/'));
}

function shownParts(operation: AnyOperation): ShownPart[] {
  const { accepts, files, parts = [] } = operation;
  const one = accepts.length === 1 && accepts[0] === 'pdf' ? 'PDF' : 'File';
  const document: readonly ShownPart[] =
    accepts.length === 0
      ? []
      : [
          {
            field: 'fileInput',
            label: files === 'all' ? `${one}s` : one,
            kinds: accepts,
            extensions: extensionsOf(accepts),
            required: true,
            many: files === 'all',
          },
        ];
  return [...document, ...parts.map(shownPart)];
}

function shownPart({ field, label, description, kinds, requiredWhen, when, widget, many }: PartSpec): ShownPart {
  const conditional = requiredWhen === 'always' ? undefined : requiredWhen;
  return defined<ShownPart>({
    field,
    label: label ?? wordsOf(field),
    help: description,
    kinds,
    extensions: extensionsOf(kinds),
    required: requiredWhen === 'always',
    requiredWhen: conditional,
    widget,
    many: many === true,
    when: when ?? conditional,
  });
}

/** Extensions with a dot; none where any file is accepted. */
function extensionsOf(kinds: readonly string[]): string[] {
  if (kinds.includes('any') || kinds.includes('bin')) return [];
  return kinds.flatMap((kind) => kindInfo(kind as ConcreteKind).extensions.map((extension) => `.${extension}`));
}

function shownReturns({ returns }: AnyOperation): ShownOperation['returns'] {
  if ('json' in returns) return { type: 'json', kinds: ['json'], many: false, mayDrop: false };
  const { kind, also = [], many, mayDrop } = returns;
  const kinds = typeof kind === 'string' ? [kind] : Object.values(kind.map);
  return {
    type: 'file',
    kinds: [...new Set([...kinds, ...also])],
    many: many !== undefined,
    mayDrop: mayDrop === true,
  };
}

function shownExamples(
  operation: AnyOperation,
  sampleOf: (file: string) => string | undefined,
): ShownOperation['examples'] {
  return (operation.examples as readonly Example<Record<string, unknown>>[])
    .filter(({ expect }) => expect.refused === undefined)
    .flatMap(({ title, files, parts = {}, params }) => {
      const sent = operation.accepts.length === 0 ? [] : files.map(sampleOf);
      const besides = Object.entries(parts).map(([field, file]) => [field, sampleOf(file)] as const);
      if (sent.includes(undefined) || besides.some(([, name]) => name === undefined)) return [];
      return [
        {
          title,
          files: sent.filter((name) => name !== undefined),
          parts: Object.fromEntries(besides.filter((entry): entry is [string, string] => entry[1] !== undefined)),
          params,
        },
      ];
    });
}
