import type { AnyOperation } from '@quire/registry';

/** Joins the words of a path in camel case: `general/rotate-pdf` → `generalRotatePdf`. */
function camelCase(path: string): string {
  return path
    .split(/[/-]/)
    .filter(Boolean)
    .map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
}

/**
 * The name that an operation has unless another one took it: declared, else the words of the path after the category.
 */
export function preferredName({ path, name }: Pick<AnyOperation, 'path' | 'name'>): string {
  return name ?? camelCase(path.slice(path.indexOf('/') + 1));
}

/**
 * Returns the name of each operation in generated clients and as OpenAPI operationId, by path: the declared `name`, or
 * the words of the path after the category. A name that an earlier operation or an endpoint has gives way to the whole
 * path in camel case, so that two packages by different authors can be used together.
 */
export function operationNames(
  operations: readonly Pick<AnyOperation, 'path' | 'name'>[],
  endpointIds: readonly string[],
): ReadonlyMap<string, string> {
  const taken = new Set(endpointIds);
  const names = new Map<string, string>();
  for (const operation of operations) {
    const { path } = operation;
    const wanted = [preferredName(operation), camelCase(path)];
    let chosen = wanted.find((candidate) => !taken.has(candidate));
    for (let n = 2; chosen === undefined; n += 1)
      if (!taken.has(`${camelCase(path)}${n}`)) chosen = `${camelCase(path)}${n}`;
    taken.add(chosen);
    names.set(path, chosen);
  }
  return names;
}
