import type { ClientField, ClientOperation, ClientPart } from './client-model.js';
import { answerName, pythonAnswers } from './python-answers.js';
import { pythonDocstring } from './python-docstring.js';
import { split } from './python-modules.js';
import { argumentName, pythonString, snakeCase } from './python-names.js';

const WIDTH = 120;
const NOTICE = '# Generated from the declarations of the operations by `npm run docs`.';

/** The two forms of a method: a call, which takes documents, and a step of a pipeline, which gets them. */
type Form = 'operations' | 'steps';

const BASES: Readonly<Record<Form, { readonly base: string; readonly whole: string; readonly summary: string }>> = {
  operations: {
    base: 'OperationBase[F, M]',
    whole: 'Operations',
    summary: 'All operations that the server comes with, as methods.',
  },
  steps: {
    base: 'StepBase',
    whole: 'Steps',
    summary: 'All operations that may be steps of a pipeline, as methods.',
  },
};

/** Returns the generated modules of the Python client, by path within its package: `operations/general.py`. */
export function pythonClient(operations: readonly ClientOperation[]): ReadonlyMap<string, string> {
  const allowed = operations.filter(({ pipeline }) => pipeline);
  return new Map([
    ...modulesOf('operations', operations),
    ...modulesOf('steps', allowed),
    ...pythonAnswers(operations, NOTICE),
  ]);
}

function modulesOf(form: Form, operations: readonly ClientOperation[]): [string, string][] {
  const categories = [...new Set(operations.map(({ category }) => category))].sort();
  const modules = categories.flatMap((category) =>
    split(operations.filter((operation) => operation.category === category).map((each) => method(form, each))).map(
      (methods, i) => ({ name: `${snakeCase(category)}${i === 0 ? '' : `_${i + 1}`}`, category, methods }),
    ),
  );
  const classes = modules.map(({ name }) => ({ name, className: className(form, name) }));
  return [
    ...modules.map(({ name, category, methods }): [string, string] => [
      `${form}/${name}.py`,
      moduleText(form, name, category, methods),
    ]),
    [`${form}/__init__.py`, indexText(form, classes)],
  ];
}

function className(form: Form, module: string): string {
  const words = module.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}${BASES[form].whole}`;
}

function moduleText(form: Form, module: string, category: string, methods: readonly string[]): string {
  const body = methods.join('\n\n');
  return [
    NOTICE,
    'from __future__ import annotations',
    '',
    ...standardImports(form, body),
    ...ownImports(OWN_NAMES[form], `${withoutDocstrings(body)} ${BASES[form].base}`),
    '',
    ...(form === 'steps' ? ['if TYPE_CHECKING:', '    from typing_extensions import Self', ''] : []),
    '',
    `class ${className(form, module)}(${BASES[form].base}):`,
    `    """Operations of the category ${category}."""`,
    '',
    body,
    '',
  ].join('\n');
}

function standardImports(form: Form, body: string): string[] {
  const typing = [...(form === 'steps' ? ['TYPE_CHECKING'] : []), ...(/\bLiteral\[/.test(body) ? ['Literal'] : [])];
  const lines = [
    ...(/\bSequence\[/.test(body) ? ['from collections.abc import Sequence'] : []),
    ...(typing.length > 0 ? [`from typing import ${typing.join(', ')}`] : []),
  ];
  return lines.length > 0 ? [...lines, ''] : [];
}

type OwnNames = Readonly<Record<string, readonly string[]>>;

/** Names of the package that a module may use, by the module that has them. */
const OWN_NAMES: Readonly<Record<Form, OwnNames>> = {
  operations: {
    calls: ['value_call'],
    'core.plans': ['Call'],
    operation_base: ['F', 'Iterable', 'Json', 'M', 'OperationBase', 'Source', 'as_method', 'json_text'],
  },
  steps: { step_base: ['Json', 'StepBase', 'json_text'] },
};

function ownImports(known: OwnNames, text: string): string[] {
  const answers = [...new Set(text.match(/\b[A-Z]\w*Answer\b/g))].sort();
  const line = (module: string, names: readonly string[]): string[] => {
    const whole = `from quire_client.${module} import ${names.join(', ')}`;
    if (whole.length <= WIDTH) return [whole];
    return [`from quire_client.${module} import (`, ...names.map((name) => `    ${name},`), ')'];
  };
  return [
    ...(answers.length > 0 ? line('answers', answers) : []),
    ...Object.entries(known).flatMap(([module, all]) => {
      const names = all.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
      return names.length > 0 ? line(module, names) : [];
    }),
  ];
}

function withoutDocstrings(text: string): string {
  return text.replaceAll(/"""[\s\S]*?"""/g, '');
}

function indexText(form: Form, classes: readonly { readonly name: string; readonly className: string }[]): string {
  const { whole, summary } = BASES[form];
  const generic = form === 'operations';
  return [
    NOTICE,
    `"""${summary}"""`,
    '',
    'from __future__ import annotations',
    '',
    ...(generic ? ['from quire_client.operation_base import F, M'] : []),
    ...classes.map((each) => `from quire_client.${form}.${each.name} import ${each.className}`),
    '',
    '',
    `class ${whole}(`,
    ...classes.map((each) => `    ${each.className}${generic ? '[F, M]' : ''},`),
    '):',
    `    """${summary}"""`,
    '',
    '',
    `__all__ = ["${whole}"]`,
    '',
  ].join('\n');
}

/** Returns a method, indented by four, without an empty line at its end. */
function method(form: Form, declared: ClientOperation): string {
  // The server takes no second files in a pipeline.
  const operation = form === 'steps' ? { ...declared, parts: [] } : declared;
  const { name, input, fields, parts, path, returns } = operation;
  const isCall = form === 'operations';
  const documents = !isCall || input === 'none' ? [] : [documentArgument(input), '/'];
  const options = [...fields.map(fieldArgument), ...parts.map(partArgument)].sort(requiredFirst);
  const keywords = options.length === 0 ? [] : ['*', ...options.map(({ text }) => text)];
  const head = signature(snakeCase(name), ['self', ...documents, ...keywords], isCall ? resultType(operation) : 'Self');
  const sent = [
    `{${fields.map((field) => `${pythonString(field.name)}: ${fieldValue(field)}`).join(', ')}}`,
    ...(!isCall
      ? []
      : [`{${parts.map((part) => `${pythonString(part.name)}: ${argumentName(part.name)}`).join(', ')}}`]),
  ];
  const given = input === 'none' ? '[]' : input === 'many' ? 'files' : '[file]';
  return [
    ...(isCall && returns.type === 'json' ? ['    @as_method'] : []),
    head,
    ...pythonDocstring(operation, isCall),
    ...call(isCall ? callOf(operation) : 'self._step', [pythonString(path), ...(isCall ? [given] : []), ...sent]),
  ].join('\n');
}

function documentArgument(input: 'one' | 'many'): string {
  return input === 'many' ? 'files: Iterable[Source]' : 'file: Source';
}

function requiredFirst(a: { readonly required: boolean }, b: { readonly required: boolean }): number {
  return Number(b.required) - Number(a.required);
}

function fieldArgument(field: ClientField): { readonly text: string; readonly required: boolean } {
  return argument(field.name, fieldType(field), field.required);
}

function partArgument({ name, many, required }: ClientPart): { readonly text: string; readonly required: boolean } {
  return argument(name, many ? 'Iterable[Source]' : 'Source', required);
}

function argument(
  name: string,
  type: string,
  required: boolean,
): { readonly text: string; readonly required: boolean } {
  return { text: `${argumentName(name)}: ${type}${required ? '' : ' | None = None'}`, required };
}

function fieldType({ type, values }: ClientField): string {
  const literal = values === undefined ? undefined : `Literal[${values.map(literalValue).join(', ')}]`;
  if (type === 'list') return `Sequence[${literal ?? 'str | int | float'}]`;
  if (literal !== undefined && type !== 'boolean') return literal;
  const plain = { text: 'str', number: 'float', integer: 'int', boolean: 'bool', map: 'Json', json: 'Json' } as const;
  return plain[type];
}

function literalValue(value: string | number | boolean): string {
  return typeof value === 'string'
    ? pythonString(value)
    : typeof value === 'number'
      ? String(value)
      : value
        ? 'True'
        : 'False';
}

function fieldValue({ name, type }: ClientField): string {
  return type === 'json' || type === 'map' ? `json_text(${argumentName(name)})` : argumentName(name);
}

function resultType(operation: ClientOperation): string {
  const { type, mayDrop } = operation.returns;
  return type === 'json' ? `Call[${answerName(operation)}]` : mayDrop ? 'M' : 'F';
}

/** What sends a call, or describes it. */
function callOf({ returns }: ClientOperation): string {
  return returns.type === 'json' ? 'value_call' : returns.mayDrop ? 'self._maybe' : 'self._file';
}

function signature(name: string, args: readonly string[], returns: string): string {
  const line = `    def ${name}(${args.join(', ')}) -> ${returns}:`;
  if (line.length <= WIDTH) return line;
  return [`    def ${name}(`, ...args.flatMap(argumentLines), `    ) -> ${returns}:`].join('\n');
}

/** Returns an argument as lines, broken as the formatter of Python (ruff) breaks a long list of values. */
function argumentLines(text: string): string[] {
  const indent = ' '.repeat(8);
  const line = `${indent}${text},`;
  if (line.length <= WIDTH) return [line];
  const [, type = text, rest = ''] = /^(.*?)( \| None = None)?$/.exec(text) ?? [];
  const ends = rest === '' ? [] : [`${indent}${rest.trim()},`];
  const comma = rest === '' ? ',' : '';
  const [, head = '', values = '', tail = ''] = /^(.*?\[)(.*?)(\]+)$/.exec(type) ?? [];
  if (indent.length + type.length + comma.length <= WIDTH || values === '')
    return [`${indent}${type}${comma}`, ...ends];
  const inner = `${indent}    ${values}`;
  const lines = inner.length <= WIDTH ? [inner] : values.split(', ').map((value) => `${indent}    ${value},`);
  return [`${indent}${head}`, ...lines, `${indent}${tail}${comma}`, ...ends];
}

function call(name: string, args: readonly string[]): string[] {
  const line = `        return ${name}(${args.join(', ')})`;
  if (line.length <= WIDTH) return [line];
  return [
    `        return ${name}(`,
    ...args.flatMap((each) => (each.length + 13 <= WIDTH ? [`            ${each},`] : dictionary(each))),
    '        )',
  ];
}

/** Breaks `{"a": a, "b": b}` into one line for each member. */
function dictionary(text: string): string[] {
  const members = text.slice(1, -1).split(/, (?=")/);
  return ['            {', ...members.map((each) => `                ${each},`), '            },'];
}
