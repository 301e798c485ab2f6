import type { Difference } from './compare.js';
import type { ContractCall, ContractField } from './contract-calls.js';
import { schemasAt, type Schema, type Served, type ServedCall, type ServedField } from './served-calls.js';
import type { ContractType } from './type-text.js';

type Found = Omit<Difference, 'call'>;

/**
 * Splits a field name into its top-level name and the path inside its JSON: `boxes[].x` → `boxes`, `[].x`, unless the
 * whole name is served as a field.
 */
function fieldOf(name: string, fields: ReadonlyMap<string, unknown>): { readonly top: string; readonly inner: string } {
  const top = fields.has(name) ? name : (/^\w+/.exec(name)?.[0] ?? name);
  return { top, inner: name.slice(top.length) };
}

/** Compares the file parts and fields that a call accepts. */
export function compareFields(call: ContractCall, one: ServedCall, served: Served): Found[] {
  return [
    ...call.parts.flatMap((part) => comparePart(part, one, served)),
    ...call.fields.flatMap((field) => compareField(field, one, served)),
  ];
}

function comparePart(part: ContractCall['parts'][number], one: ServedCall, served: Served): Found[] {
  const { top, inner } = fieldOf(part.name, one.fields.form);
  const field = one.fields.form.get(top);
  const schemas = field === undefined ? [] : schemasAt(field.schema, inner, served);
  const files = schemas.filter((schema) =>
    served.alternatives(schema.items ?? schema).some(({ format }) => format === 'binary'),
  );
  if (files.length === 0)
    return [
      { kind: 'part', subject: part.name, contract: 'a file', served: field === undefined ? 'not served' : 'no file' },
    ];
  return [
    ...(part.many && !files.some(({ type }) => type === 'array')
      ? [{ kind: 'part', subject: part.name, contract: 'several files', served: 'one file' } as const]
      : []),
    ...(part.required === undefined || part.required === field?.required
      ? []
      : [{ kind: 'required', subject: part.name, ...required(part.required) } as const]),
  ];
}

const required = (contract: boolean): { contract: string; served: string } =>
  contract ? { contract: 'required', served: 'optional' } : { contract: 'optional', served: 'required' };

function compareField(field: ContractField, one: ServedCall, served: Served): Found[] {
  const { top, inner } = fieldOf(field.name, one.fields[field.where]);
  const place = servedPlace(field, top, one);
  const schemas = place === undefined ? [] : schemasAt(place.schema, inner, served);
  if (place === undefined || schemas.length === 0)
    return [
      {
        kind: 'field',
        subject: field.name,
        contract: `${field.type.type} in ${field.where === 'json' ? 'the JSON body' : `the ${field.where}`}`,
        served: 'not served',
      },
    ];
  return [
    ...compareType(field.name, field.type, schemas, 'type'),
    ...(inner !== '' || field.required === place.required
      ? []
      : [{ kind: 'required', subject: field.name, ...required(field.required) } as const]),
    ...compareDefault(field, place.schema, schemas),
    ...compareEnum(field.name, field.enum, schemas, served, 'enum-missing', 'enum-additional'),
    ...compareRange(field, schemas),
  ];
}

/**
 * For a JSON body, other fields are in the query; form fields may also be in the query, where a call declares them
 * there.
 */
function servedPlace({ where }: ContractField, name: string, { fields }: ServedCall): ServedField | undefined {
  return where === 'json'
    ? (fields.json.get(name) ?? fields.query.get(name))
    : where === 'query'
      ? (fields.query.get(name) ?? fields.form.get(name))
      : (fields.form.get(name) ?? fields.query.get(name) ?? fields.json.get(name));
}

/** Compares a type with the schemas that are served for it: one of them must agree. */
export function compareType(
  subject: string,
  type: ContractType,
  schemas: readonly Schema[],
  kind: 'type' | 'member-type',
): Found[] {
  const types = [...new Set(schemas.map((schema) => schema.type ?? 'any'))];
  const agrees: Readonly<Record<ContractType['type'], readonly string[]>> = {
    any: types,
    json: ['string', 'object', 'array'],
    number: ['number', 'integer'],
    string: ['string'],
    integer: ['integer'],
    boolean: ['boolean'],
    object: ['object'],
    array: ['array'],
  };
  return types.some((one) => agrees[type.type].includes(one))
    ? []
    : [{ kind, subject, contract: type.type, served: types.join(' or ') }];
}

function compareDefault(field: ContractField, whole: Schema, schemas: readonly Schema[]): Found[] {
  if (!('default' in field)) return [];
  // hapi-swagger writes the default of a list next to its $ref.
  const own = [whole, ...schemas].find((schema) => schema.default !== undefined)?.default;
  const plain = (value: unknown): string =>
    JSON.stringify(typeof value === 'string' && value !== '' && !Number.isNaN(Number(value)) ? Number(value) : value) ??
    'none';
  return plain(own) === plain(field.default)
    ? []
    : [
        {
          kind: 'default',
          subject: field.name,
          contract: JSON.stringify(field.default),
          served: own === undefined ? 'none' : JSON.stringify(own),
        },
      ];
}

/** Returns the numbers of a short integer range, which is equivalent to an enum of them. */
function whole({ type, minimum, maximum }: Schema): number[] {
  return type === 'integer' && minimum !== undefined && maximum !== undefined && maximum - minimum < 20
    ? Array.from({ length: maximum - minimum + 1 }, (_, i) => minimum + i)
    : [];
}

/**
 * Compares the allowed or returned values, for lists those of their items; an empty string stands for a field that was
 * not sent. Without `additional`, more served values are not a difference.
 */
export function compareEnum(
  subject: string,
  contract: readonly unknown[] | undefined,
  schemas: readonly Schema[],
  served: Served,
  missing: 'enum-missing' | 'member-enum',
  additional?: 'enum-additional',
): Found[] {
  const offered = [...schemas, ...schemas.flatMap(({ items }) => served.alternatives(items))]
    .flatMap((schema) => schema.enum ?? whole(schema))
    .filter((value) => value !== '' && value !== null)
    .map(String);
  const wanted = contract?.filter((value) => value !== null && value !== 'null').map(String);
  if (wanted === undefined)
    return !schemas.some((schema) => schema.enum !== undefined) ||
      additional === undefined ||
      schemas.some(({ type }) => type === 'boolean')
      ? []
      : [{ kind: missing, subject, contract: 'any value', served: `only ${offered.join(', ')}` }];
  if (offered.length === 0) return [{ kind: missing, subject, contract: wanted.join(', '), served: 'any value' }];
  const lacking = wanted.filter((value) => !offered.includes(value));
  const more = offered.filter((value) => !wanted.includes(value));
  return [
    ...(lacking.length === 0
      ? []
      : [{ kind: missing, subject, contract: lacking.join(', '), served: `only ${offered.join(', ')}` }]),
    ...(more.length === 0 || additional === undefined
      ? []
      : [{ kind: additional, subject, contract: wanted.join(', '), served: `also ${more.join(', ')}` }]),
  ];
}

function compareRange({ name, minimum, maximum }: ContractField, schemas: readonly Schema[]): Found[] {
  const schema = schemas[0];
  return (
    [
      ['minimum', minimum],
      ['maximum', maximum],
    ] as const
  ).flatMap(([bound, value]) =>
    value === undefined || schema?.[bound] === value
      ? []
      : [
          {
            kind: 'range',
            subject: name,
            contract: `${bound} ${value}`,
            served: schema?.[bound] === undefined ? `no ${bound}` : `${bound} ${schema[bound]}`,
          } as const,
        ],
  );
}
