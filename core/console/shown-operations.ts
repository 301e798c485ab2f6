import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { showOperation, type Catalog, type CatalogOperation } from '@quire/catalog';
import { filesOf, Samples } from './samples.js';

/** What `npm run build` has made: the JSON of each shipped operation by its key. */
const preparedFile = join(dirname(fileURLToPath(import.meta.url)), 'prepared', 'operations.json');

/** An operation as people see it, as JSON without its closing brace. */
export interface ShownJson {
  readonly entry: CatalogOperation;
  readonly json: string;
}

/**
 * Returns the operations as people see them. Those of shipped plugins are read: describing all schemas would keep
 * other calls waiting for a quarter of a second.
 */
export async function shownOperations(
  { operations }: Pick<Catalog, 'operations'>,
  samples: Samples,
  prepared = readPrepared(),
): Promise<ShownJson[]> {
  const known = await prepared;
  const shown: ShownJson[] = [];
  for (const entry of operations.values()) {
    const ready = known[keyOf(entry, samples)];
    shown.push({ entry, json: ready ?? describe(entry, samples) });
    if (ready === undefined) await setImmediate();
  }
  return shown;
}

/** Writes the operations of the catalog for `shownOperations`. */
export async function prepareOperations(catalog: Catalog): Promise<void> {
  const samples = await Samples.read(catalog);
  const shown = await shownOperations(catalog, samples, Promise.resolve({}));
  await mkdir(dirname(preparedFile), { recursive: true });
  const entries = shown.map(({ entry, json }) => [keyOf(entry, samples), json]);
  await writeFile(preparedFile, JSON.stringify(Object.fromEntries(entries)));
}

async function readPrepared(): Promise<Readonly<Record<string, string>>> {
  try {
    return JSON.parse(await readFile(preparedFile, 'utf8')) as Readonly<Record<string, string>>;
  } catch {
    // Not built, or run from sources.
    return {};
  }
}

function describe({ operation, plugin, schema, name }: CatalogOperation, samples: Samples): string {
  const shown = showOperation({ operation, schema, name }, (file) => samples.nameOf(operation, plugin, file));
  return JSON.stringify(shown).slice(0, -1);
}

/** Everything that an operation's JSON depends on: its package, and names that other packages can change. */
function keyOf({ operation, plugin, name }: CatalogOperation, samples: Samples): string {
  const names = filesOf(operation).map((file) => samples.nameOf(operation, plugin, file) ?? null);
  return JSON.stringify([plugin.name, plugin.version, operation.path, name, ...names]);
}
