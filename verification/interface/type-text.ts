/** The type of a value according to the contract. */
export interface ContractType {
  /** `any` is not compared; `json` is JSON text in a form field: string, object and array all serve it. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'json' | 'any';
  readonly items?: ContractType;
  /** Members, when the text or the object's own topic names them. */
  readonly members?: readonly ContractMember[];
}

/** A member of a JSON object with its name. */
export interface ContractMember {
  readonly name: string;
  readonly type: ContractType;
  readonly enum?: readonly unknown[];
}

/** Objects that have their own topic (`User`, `StoredFile`), by lower-case name. */
export type NamedTypes = ReadonlyMap<string, readonly ContractMember[]>;

const plain: Readonly<Record<string, ContractType['type']>> = {
  string: 'string',
  integer: 'integer',
  int: 'integer',
  number: 'number',
  decimal: 'number',
  boolean: 'boolean',
  object: 'object',
  map: 'object',
  array: 'array',
  list: 'array',
  json: 'json',
};

/**
 * Parses the contract's type notation: `string|null`, `array of {name, size: integer}`, `User`, `local date-time, ISO
 * without zone`; returns `any` for other text.
 */
export function readType(text: string, named: NamedTypes = new Map()): ContractType {
  const type = text.trim();
  const many = /^(?:array|list) of (.+)$/s.exec(type)?.[1];
  if (many !== undefined) return { type: 'array', items: readType(many, named) };
  const members = /^(?:object\s*)?\{(.+)\}/s.exec(type)?.[1];
  if (members !== undefined)
    return { type: 'object', members: outerParts(members).map((part) => readMember(part, named)) };
  const own = named.get(type.toLowerCase());
  if (own !== undefined) return { type: 'object', members: own };
  if (/^(?:local )?date-time/.test(type)) return { type: 'string' };
  const word = /^[a-z]+/i.exec(type)?.[0]?.toLowerCase() ?? '';
  // A union other than with null is not a single type.
  if (/^\w+\s*(?:\||or)\s*(?!null)\w/.test(type)) return { type: 'any' };
  return { type: plain[word] ?? 'any' };
}

function readMember(text: string, named: NamedTypes): ContractMember {
  const [, name = text, type = 'any'] = /^([^:]+):(.+)$/s.exec(text) ?? [];
  return { name: name.trim().replace(/\?$/, ''), type: readType(type, named) };
}

/** Splits at the commas outside brackets. */
function outerParts(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const [i, letter] of [...text].entries()) {
    if ('{[('.includes(letter)) depth++;
    else if ('}])'.includes(letter)) depth--;
    else if (letter === ',' && depth === 0) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter((part) => part !== '');
}
