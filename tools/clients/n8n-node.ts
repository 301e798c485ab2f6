import type { OperationPresentation } from '@quire/catalog';
import type { ShownCategory, ShownField, ShownPart, When } from '@quire/registry';
import { byName, fieldProperty, sentence, titleCase, type NodeProperty, type Shown } from './n8n-properties.js';

/** Properties that the node itself has; no field may have such a name. */
const OWN = ['resource', 'operation', 'options', 'inputField', 'outputField', 'runAs', 'severalFiles', 'settings'];
const DOCUMENTS = 'fileInput';

/** How the node calls an operation. */
interface NodeCall {
  readonly path: string;
  readonly documents: 'none' | 'each' | 'all';
  readonly returns: 'file' | 'json';
  /** The result may be several files. */
  readonly many?: true;
  readonly job: boolean;
  /** Fields by name. */
  readonly fields: Readonly<Record<string, ShownField['type']>>;
  /** Names of the file fields besides the documents. */
  readonly parts: readonly string[];
}

/**
 * Returns `operations.json` of `clients/n8n`: the properties of the node that depend on the operations, and how it
 * calls each of them, by operation name. Fields that decide whether others are shown and those that may be required
 * are properties of the node; all others are in its collection "Options".
 *
 * @throws Error for a field whose name n8n or the node uses for something else
 */
export function n8nNode(operations: readonly OperationPresentation[], categories: readonly ShownCategory[]): string {
  const properties = [
    resourceProperty(categories),
    ...categories.map(({ id }) => operationProperty(id, operations)),
    ...operations.flatMap(propertiesOf),
  ];
  const calls = Object.fromEntries(operations.map((operation) => [operation.name, callOf(operation)]));
  return `${JSON.stringify({ properties, calls }, null, 1)}\n`;
}

function resourceProperty(categories: readonly ShownCategory[]): NodeProperty {
  return {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    options: [
      ...categories.map(({ id, title }) => ({ name: titleCase(title), value: id })),
      { name: 'Job', value: 'job' },
    ].sort(byName),
    default: categories[0]?.id ?? 'job',
  };
}

function operationProperty(category: string, operations: readonly OperationPresentation[]): NodeProperty {
  const own = operations.filter((operation) => operation.category === category);
  const options = own
    .map(({ name, title, summary }) => ({
      name: titleCase(title),
      value: name,
      ...(titleCase(title) === titleCase(summary) ? {} : { description: sentence(summary) }),
      action: summary,
    }))
    .sort(byName);
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [category] } },
    options,
    default: options[0]?.value ?? '',
  };
}

function propertiesOf(operation: OperationPresentation): NodeProperty[] {
  const { category, name, fields, parts } = operation;
  const wrong = [...fields.map((field) => field.name), ...parts.map(({ field }) => field)].filter(
    (each) => !/^\w+$/.test(each) || OWN.includes(each),
  );
  if (wrong.length > 0) throw new Error(`n8n cannot have fields of these names in ${operation.path}: ${wrong.join()}`);
  const here: Shown = { resource: [category], operation: [name] };
  const shown = (when: When | undefined): Pick<NodeProperty, 'displayOptions'> => ({
    displayOptions: { show: { ...here, ...conditions(when, '') } },
  });
  const deciding = decidingFields(operation);
  const onTop = ({ name: field, required, requiredWhen }: ShownField): boolean =>
    required || requiredWhen !== undefined || deciding.has(field);
  const files = parts.filter(({ field }) => field !== DOCUMENTS);
  const fileOnTop = ({ required, requiredWhen }: ShownPart): boolean => required || requiredWhen !== undefined;
  const top = [
    ...fields.filter(onTop).map((field) => ({ ...fieldProperty(field), ...shown(field.when) })),
    ...files.filter(fileOnTop).map((part) => ({ ...fileProperty(part), ...shown(part.when) })),
  ];
  const options = [
    ...fields.filter((field) => !onTop(field)).map((field) => ({ ...fieldProperty(field), ...nested(field.when) })),
    ...files.filter((part) => !fileOnTop(part)).map((part) => ({ ...fileProperty(part), ...nested(part.when) })),
  ];
  return options.length === 0 ? top : [...top, { ...optionsProperty(options), ...shown(undefined) }];
}

/** The fields on whose values it depends whether others are shown. */
function decidingFields({ fields, parts }: OperationPresentation): Set<string> {
  return new Set([...fields, ...parts].flatMap(({ when }) => Object.keys(conditions(when, ''))));
}

/** A condition as n8n has it. Inside of a collection, names of properties outside begin with a slash. */
function conditions(when: When | undefined, prefix: '' | '/'): Shown {
  if (when === undefined || when === 'always') return {};
  return Object.fromEntries(
    Object.entries(when).map(([field, wanted]) => [`${prefix}${field}`, [wanted].flat() as Shown[string]]),
  );
}

function nested(when: When | undefined): Pick<NodeProperty, 'displayOptions'> {
  const show = conditions(when, '/');
  return Object.keys(show).length === 0 ? {} : { displayOptions: { show } };
}

function optionsProperty(options: readonly NodeProperty[]): NodeProperty {
  return {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [...options].sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
  };
}

/** A second file, which is in a binary field of the item. */
function fileProperty({ field, label, help, required, requiredWhen, many }: ShownPart): NodeProperty {
  const what = many
    ? 'Names of the input binary fields with the files, separated by commas.'
    : 'Name of the input binary field with the file.';
  return {
    displayName: titleCase(`${label} Field`),
    name: field,
    type: 'string',
    default: '',
    ...(required || requiredWhen !== undefined ? { required: true } : {}),
    description: sentence(help === undefined ? what : `${what} ${help}`),
  };
}

function callOf({ path, files, fields, parts, returns, job }: OperationPresentation): NodeCall {
  return {
    path,
    documents: parts.some(({ field }) => field === DOCUMENTS) ? files : 'none',
    returns: returns.type,
    ...(returns.many ? { many: true as const } : {}),
    job,
    fields: Object.fromEntries(fields.map(({ name, type }) => [name, type])),
    parts: parts.filter(({ field }) => field !== DOCUMENTS).map(({ field }) => field),
  };
}
