import { showFields, type Catalog } from '@quire/catalog';

const API = '/api/v1/';
/** Names of operations that this server does not have, and names that are spelled differently. */
const SECRET_NAME = /pass(word|phrase|code)|secret|token|api_?key/i;

const known = new WeakMap<object, ReadonlySet<string>>();

/** Returns whether a parameter of an operation, named by its full path, is a secret that nobody should read. */
export function isSecretParameter({ operations }: Pick<Catalog, 'operations'>, path: string, name: string): boolean {
  if (SECRET_NAME.test(name)) return true;
  const entry = path.startsWith(API) ? operations.get(path.slice(API.length)) : undefined;
  if (entry === undefined) return false;
  let names = known.get(entry);
  if (names === undefined) {
    const secret = showFields(entry.operation, entry.schema).filter(({ widget }) => widget === 'secret');
    names = new Set([...secret.map((field) => field.name), ...Object.values(entry.operation.passwords ?? {})]);
    known.set(entry, names);
  }
  return names.has(name);
}
