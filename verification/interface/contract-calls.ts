import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readType, type ContractMember, type ContractType, type NamedTypes } from './type-text.js';

/** A field of a call that is not a file. */
export interface ContractField {
  readonly name: string;
  readonly type: ContractType;
  /** False when the field is required only under conditions, or has a default: it may be omitted. */
  readonly required: boolean;
  /** Absent when there is none, or when the contract only describes it in words. */
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** Where the field is sent; form fields of tools may also be sent in the query. */
  readonly where: 'form' | 'query' | 'json';
}

/** The answer of a call. */
export interface ContractAnswer {
  readonly status?: number;
  /** For example `application/pdf`; absent where it depends on the upload. */
  readonly mediaTypes: readonly string[];
  /** Templates with `{base}` and `{input}`; empty when the contract only describes the name in words. */
  readonly fileNames: readonly string[];
  /** Members by their paths (`pages[].width`); `{}` stands for any key. */
  readonly members: ReadonlyMap<string, ContractMember>;
}

/** A call of the contract. */
export interface ContractCall {
  readonly source: string;
  readonly method: string;
  readonly path: string;
  readonly fields: readonly ContractField[];
  /** `required` is absent when the contract does not say: a tool may accept fileId instead of its file. */
  readonly parts: readonly { readonly name: string; readonly required?: boolean; readonly many: boolean }[];
  readonly answer?: ContractAnswer;
  /** Statuses of errors. */
  readonly statuses: readonly number[];
}

/** All files of a contract. */
export interface Contract {
  readonly calls: readonly ContractCall[];
  /** Rules in prose, settings, and entries whose path is not a path: to be compared by a person. */
  readonly notComparable: readonly { readonly source: string; readonly name: string }[];
}

interface RawField {
  name: string;
  type?: string;
  required?: boolean | string;
  default?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
}
interface RawEntry {
  topic?: string;
  path?: string;
  method?: string;
  kind?: string;
  accepts?: string[];
  multiple_files?: boolean;
  consumes?: string;
  fields?: RawField[];
  /** Fields, or `same as <path>`. */
  params?: RawField[] | string;
  query?: RawField[];
  body_fields?: RawField[];
  extra_files?: { name: string; required?: boolean }[];
  returns?: {
    type?: string;
    status?: number;
    filename?: string;
    also?: string | string[];
    shape?: string;
    fields?: RawField[];
  };
  errors?: { status: number; better?: number | string }[];
}

/** An entry whose parameters are listed. */
type ListedEntry = Omit<RawEntry, 'params'> & { readonly params: readonly RawField[] };

/** Entries that are not calls: rules of a whole category, settings, and what the contract itself does not serve. */
const noCall = new Set(['common_rules', 'settings', 'not_exposed']);
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Reads every `*.yml` of a folder: lists of entries with a `path`, or with a `topic` in prose. Throws for other files.
 */
export function readContract(folder: string): Contract {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.yml'))
    .sort();
  if (files.length === 0) throw new Error(`no contract files (*.yml) in ${folder}`);
  const entries = files.flatMap((source) => {
    const list: unknown = parse(readFileSync(join(folder, source), 'utf8'));
    if (!Array.isArray(list)) throw new Error(`${source} is not a list of entries`);
    return list.map((entry: RawEntry, i) => {
      if (entry.path === undefined && entry.topic === undefined)
        throw new Error(`${source}, entry ${i + 1} needs a path or a topic`);
      return { source, entry };
    });
  });
  const named = namedTypes(entries.map(({ entry }) => entry));
  const comparable = entries.filter(
    ({ entry }) => entry.path !== undefined && methods.has(entry.method ?? '') && !noCall.has(entry.kind ?? ''),
  );
  return {
    calls: comparable.map(({ source, entry }) =>
      readCall(source, { ...entry, params: paramsOf(entry, comparable) }, named),
    ),
    notComparable: entries
      .filter((one) => !comparable.includes(one))
      .map(({ source, entry }) => ({ source, name: entry.topic ?? `${entry.method} ${entry.path}` })),
  };
}

/** The parameters of a call, or those of the call that its `same as <path>` names. */
function paramsOf({ path, params }: RawEntry, entries: readonly { readonly entry: RawEntry }[]): readonly RawField[] {
  if (typeof params !== 'string') return params ?? [];
  const other = /^same as (\S+)$/.exec(params)?.[1];
  const found = entries.find(({ entry }) => entry.path === other)?.entry.params;
  if (!Array.isArray(found)) throw new Error(`${path} has the params "${params}"; no such call has a list`);
  return found;
}

/** Reads the objects that have their own topic: `StoredFile object`. */
function namedTypes(entries: readonly RawEntry[]): NamedTypes {
  const named = new Map<string, ContractMember[]>();
  for (const { topic, fields } of entries) {
    const name = /^(\w+) object$/.exec(topic ?? '')?.[1];
    if (name !== undefined && fields !== undefined)
      named.set(
        name.toLowerCase(),
        fields.map((field) => ({
          name: field.name,
          type: readType(field.type ?? 'any'),
          ...(field.enum === undefined ? {} : { enum: field.enum }),
        })),
      );
  }
  return named;
}

function readCall(source: string, entry: ListedEntry, named: NamedTypes): ContractCall {
  const { method = '', path = '', returns } = entry;
  const body = entry.consumes === 'application/json' ? 'json' : 'form';
  const extra = (entry.extra_files ?? []).map(({ name, required }) => ({
    name: name.replaceAll(/\[\w\]/g, '[]'),
    required: required === true,
    many: false,
  }));
  const takesFile =
    method === 'POST' &&
    (entry.accepts ?? []).length > 0 &&
    !extra.some(({ name }) => name === 'file' || name === 'files' || name.startsWith('fileInput'));
  return {
    source,
    method,
    path: path.split('?')[0] ?? path,
    fields: [
      ...fieldsOf(entry.params, method === 'GET' || method === 'DELETE' ? 'query' : body),
      ...fieldsOf(entry.query, 'query'),
      ...fieldsOf(entry.body_fields, 'json'),
    ],
    parts: [...(takesFile ? [{ name: 'fileInput', many: entry.multiple_files === true }] : []), ...extra],
    ...(returns === undefined || typeof returns !== 'object' ? {} : { answer: readAnswer(returns, named) }),
    statuses: [
      ...new Set((entry.errors ?? []).map(({ status, better }) => (typeof better === 'number' ? better : status))),
    ],
  };
}

function fieldsOf(fields: readonly RawField[] | undefined, where: ContractField['where']): ContractField[] {
  // Placeholders for any key, or for the whole body, are not fields.
  return (fields ?? [])
    .filter(({ name }) => /^\w[\w.[\]]*$/.test(name))
    .map(({ name, type = 'any', required, default: fallback, enum: allowed, minimum, maximum }) => {
      // A default that is described in words.
      const said =
        fallback !== undefined &&
        fallback !== null &&
        !(typeof fallback === 'string' && /^(<|setting )/.test(fallback));
      return {
        name: name.replaceAll(/\[\w\]/g, '[]'),
        type: /\bjson\b/i.test(type) ? { type: 'json' } : readType(type),
        required: required === true && fallback === undefined,
        where,
        ...(said ? { default: fallback } : {}),
        ...(Array.isArray(allowed) ? { enum: allowed } : {}),
        ...(minimum === undefined ? {} : { minimum }),
        ...(maximum === undefined ? {} : { maximum }),
      };
    });
}

const mediaType = /\b(?:application|audio|image|text|video)\/[\w.+-]*\w/g;

function readAnswer(returns: NonNullable<RawEntry['returns']>, named: NamedTypes): ContractAnswer {
  const { type = '', status, filename, shape, fields } = returns;
  // `also` is prose; the media types in it are answers too, unless it is about jobs, whose JSON every tool returns.
  const text = `${/^[\w/+.-]+$/.test(type) || type.startsWith('image/') ? type : ''} ${[returns.also ?? '']
    .flat()
    .filter((also) => !/advertises|header/.test(also))
    .join(' ')}`;
  const members = new Map<string, ContractMember>();
  const root =
    shape?.startsWith('array') === true && !(fields ?? []).some(({ name }) => name.startsWith('[]')) ? '[].' : '';
  if (type === 'application/json') for (const field of fields ?? []) addField(members, field, root, named);
  return {
    ...(status === undefined ? {} : { status }),
    mediaTypes: [...new Set(text.match(mediaType) ?? [])],
    members,
    fileNames: (filename ?? '')
      .split(/ \| (?![^<]*>)/)
      .map(templateOf)
      .filter((name) => name !== undefined),
  };
}

/** `<base>_rotated.pdf` → `{base}_rotated.pdf`; undefined for names that are described in words. */
function templateOf(name: string): string | undefined {
  const known = name
    .replace(/<(?:base|stem)>/g, '{base}')
    .replace(/<(?:input|uploaded|uploaded file|full original|full uploaded) name(?:, unchanged)?>/g, '{input}');
  return known === '' || /[<> ,]/.test(known.replaceAll(/\{\w+\}/g, '')) ? undefined : known;
}

function addField(members: Map<string, ContractMember>, field: RawField, root: string, named: NamedTypes): void {
  if (/^(\(|event:)/.test(field.name) && field.name !== '(bare)') return;
  for (const name of field.name.split(/,\s*/)) {
    const type = field.name.includes(',') ? readType('any') : readType(field.type ?? 'any', named);
    // `[]` of type array is the answer itself; with another type it is one of its items.
    const path =
      `${root}` +
      `${name === '(bare)' || (name === '[]' && type.type === 'array') ? '' : name.replaceAll(/<[^>]+>/g, '{}')}`;
    addMember(members, path, { name, type, ...(Array.isArray(field.enum) ? { enum: field.enum } : {}) });
  }
}

/** Adds a member and the members of its type. */
function addMember(members: Map<string, ContractMember>, path: string, member: ContractMember): void {
  const { type } = member;
  members.set(path, { ...member, name: path });
  if (type.items !== undefined) addMember(members, `${path}[]`, { name: '[]', type: type.items });
  for (const inner of type.members ?? []) addMember(members, path === '' ? inner.name : `${path}.${inner.name}`, inner);
}
