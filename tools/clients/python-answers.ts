import type { ClientOperation } from './client-model.js';
import type { JsonSchema } from './json-schema.js';
import { split } from './python-modules.js';
import { KEYWORDS, pythonString, snakeCase } from './python-names.js';
import { plain, wrapped } from './python-docstring.js';

const WIDTH = 120;
/** Characters of a list of allowed values that stays where it is used. */
const LONGEST_LITERAL = 90;

/** Returns the name of the type of a JSON answer: `CountPagesAnswer`. */
export function answerName({ name }: Pick<ClientOperation, 'name'>): string {
  return `${capital(name)}Answer`;
}

/** Returns the modules with the types of JSON answers, by path: `answers/analysis.py`. `notice` begins each of them. */
export function pythonAnswers(operations: readonly ClientOperation[], notice: string): [path: string, text: string][] {
  const answering = operations.filter(({ returns }) => returns.type === 'json');
  const categories = [...new Set(answering.map(({ category }) => category))].sort();
  const modules = categories.flatMap((category) =>
    split(answering.filter((each) => each.category === category).map(answerTypes)).map((definitions, i) => ({
      name: `${snakeCase(category)}${i === 0 ? '' : `_${i + 1}`}`,
      category,
      definitions,
    })),
  );
  return [
    ...modules.map(({ name, category, definitions }): [string, string] => [
      `answers/${name}.py`,
      moduleText(notice, category, definitions),
    ]),
    ['answers/__init__.py', indexText(notice, modules)],
  ];
}

interface AnswerModule {
  readonly name: string;
  readonly definitions: readonly string[];
}

function moduleText(notice: string, category: string, definitions: readonly string[]): string {
  const body = definitions.join('\n\n\n');
  const used = ['Any', 'Literal', 'TypeAlias', 'TypedDict'].filter((name) => new RegExp(`\\b${name}\\b`).test(body));
  const optional = body.includes('NotRequired[');
  return [
    notice,
    `"""Types of the JSON answers of the category ${category}."""`,
    '',
    'from __future__ import annotations',
    '',
    `from typing import ${[...(optional ? ['TYPE_CHECKING'] : []), ...used].join(', ')}`,
    '',
    ...(optional ? ['if TYPE_CHECKING:', '    from typing_extensions import NotRequired', ''] : []),
    '',
    body,
    '',
  ].join('\n');
}

function indexText(notice: string, modules: readonly AnswerModule[]): string {
  const exported = modules.map(({ name, definitions }) => ({ name, names: definitions.flatMap(definedNames).sort() }));
  return [
    notice,
    '"""Types of the JSON answers, by operation."""',
    '',
    ...exported.flatMap(({ name, names }) => [
      `from quire_client.answers.${name} import (`,
      ...names.map((each) => `    ${each},`),
      ')',
    ]),
    '',
    '__all__ = [',
    ...exported
      .flatMap(({ names }) => names)
      .sort()
      .map((each) => `    "${each}",`),
    ']',
    '',
  ].join('\n');
}

function definedNames(definition: string): string[] {
  return [...definition.matchAll(/^(?:class )?([A-Z]\w*)(?:\(|: TypeAlias| = TypedDict)/gm)].map(
    ([, name = '']) => name,
  );
}

/** The type of an answer, after the types of its parts. */
function answerTypes(operation: ClientOperation): string {
  const types = new AnswerTypes(capital(operation.name));
  const about = `Answer of \`\`${snakeCase(operation.name)}\`\`.`;
  return types.whole(answerName(operation), operation.returns.schema ?? {}, about).join('\n\n\n');
}

/** Collects the classes that describe one answer. */
class AnswerTypes {
  readonly #definitions = new Map<string, string>();

  /** `operation`: prefix of the names of parts. */
  constructor(private readonly operation: string) {}

  whole(name: string, schema: JsonSchema, about: string): string[] {
    if (schema.properties !== undefined && schema.nullable !== true) this.#class(name, schema, about);
    else {
      const type = this.#typeOf(schema, this.operation);
      this.#definitions.set(name, `${name}: TypeAlias = ${pythonString(type).replaceAll('\\"', "'")}\n"""${about}"""`);
    }
    return [...this.#definitions.values()];
  }

  /** `name`: for the class of an object. */
  #typeOf(schema: JsonSchema, name: string): string {
    const types = this.#alternatives(schema, name);
    const members = [...new Set([...types, ...(schema.nullable === true ? ['None'] : [])])];
    return members.includes('Any') ? 'Any' : members.join(' | ');
  }

  #alternatives(schema: JsonSchema, name: string): string[] {
    const { enum: values, type, properties, items, additionalProperties } = schema;
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives !== undefined)
      return alternatives.map((each, i) => this.#typeOf(each, i === 0 ? name : `${name}${i + 1}`));
    if (values !== undefined) return this.#literals(values, singular(name));
    if (Array.isArray(type)) return type.map((each: string) => this.#typeOf({ ...schema, type: each }, name));
    if (properties !== undefined) return [this.#class(name, schema)];
    if (items !== undefined) return [`list[${this.#typeOf(items, singular(name))}]`];
    if (typeof additionalProperties === 'object') return [`dict[str, ${this.#typeOf(additionalProperties, name)}]`];
    return [usualType(type)];
  }

  /** Allowed values; a long list of them gets a name of its own. */
  #literals(values: readonly unknown[], name: string): string[] {
    const known = values.filter((value) => value !== null);
    const text = `Literal[${known.map(literal).join(', ')}]`;
    if (text.length > LONGEST_LITERAL) this.#definitions.set(name, literalAlias(name, known.map(literal)));
    return [
      ...(known.length === 0 ? [] : [text.length > LONGEST_LITERAL ? name : text]),
      ...(known.length < values.length ? ['None'] : []),
    ];
  }

  /** Defines the class of an object; its parts are defined before it. Returns its name. */
  #class(wanted: string, { properties = {}, required = [], description }: JsonSchema, about = description): string {
    const name = wanted === this.operation ? `${wanted}Item` : wanted;
    if (Object.keys(properties).length === 0) return 'dict[str, Any]';
    const members = Object.entries(properties).map(([member, schema]) => ({
      member,
      type: optional(this.#typeOf(schema, `${this.operation}${capital(camel(member))}`), required.includes(member)),
      about: schema.description,
    }));
    return this.#define(name, (chosen) => classText(chosen, members, about));
  }

  /** Defines it under the wanted name, or with a number where another object has that; returns the name. */
  #define(wanted: string, write: (name: string) => string): string {
    for (let n = 1; ; n++) {
      const name = n === 1 ? wanted : `${wanted}${n}`;
      const text = write(name);
      const known = this.#definitions.get(name);
      if (known !== undefined && known !== text) continue;
      this.#definitions.set(name, text);
      return name;
    }
  }
}

interface ClassMember {
  readonly member: string;
  readonly type: string;
  readonly about: string | undefined;
}

function classText(name: string, members: readonly ClassMember[], about: string | undefined): string {
  const isClass = members.every(({ member }) => /^[A-Za-z_]\w*$/.test(member) && !KEYWORDS.has(member));
  return isClass
    ? [
        `class ${name}(TypedDict):`,
        ...(about === undefined ? [] : [...docstring(about), '']),
        ...members.flatMap((each) => [
          `    ${each.member}: ${each.type}`,
          ...(each.about === undefined ? [] : docstring(each.about)),
        ]),
      ].join('\n')
    : [
        `${name} = TypedDict(`,
        `    "${name}",`,
        '    {',
        ...members.map(({ member, type }) => `        ${pythonString(member)}: ${pythonString(type)},`),
        '    },',
        ')',
      ].join('\n');
}

function optional(type: string, required: boolean): string {
  return required ? type : `NotRequired[${type}]`;
}

function literal(value: unknown): string {
  if (typeof value === 'string') return pythonString(value);
  return value === true ? 'True' : value === false ? 'False' : String(value);
}

/** Broken as the formatter of Python (ruff) breaks a long list of values. */
function literalAlias(name: string, values: readonly string[]): string {
  const head = `${name}: TypeAlias = Literal[`;
  const line = values.join(', ');
  if (head.length + line.length < WIDTH) return `${head}${line}]`;
  const lines = line.length + 4 <= WIDTH ? [`    ${line}`] : values.map((value) => `    ${value},`);
  return [head, ...lines, ']'].join('\n');
}

function usualType(type: JsonSchema['type']): string {
  switch (type) {
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'array':
      return 'list[Any]';
    case 'object':
      return 'dict[str, Any]';
    default:
      return 'Any';
  }
}

function docstring(text: string): string[] {
  return wrapped(`"""${plain(text)}"""`, 4, 4);
}

/** `matches` → `match`, for the class of the items of a list. */
function singular(name: string): string {
  if (/ies$/.test(name)) return name.replace(/ies$/, 'y');
  if (/(?:ch|sh|ss|x)es$/.test(name)) return name.replace(/es$/, '');
  return /[^s]s$/.test(name) ? name.slice(0, -1) : name;
}

function camel(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase());
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
