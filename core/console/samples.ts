import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Catalog, LoadedPlugin } from '@quire/catalog';
import type { AnyOperation, Example } from '@quire/registry';

/** The files that examples of operations name, as far as the packages have them. */
export class Samples {
  readonly #paths = new Map<string, string>();

  private constructor() {}

  /** Reads which fixtures the packages have. A package may be published without them. */
  static async read({ plugins, operations }: Pick<Catalog, 'plugins' | 'operations'>): Promise<Samples> {
    const samples = new Samples();
    const present = new Map(
      await Promise.all(plugins.map(async ({ name, root }) => [name, await fixturesOf(root)] as const)),
    );
    for (const { operation, plugin } of operations.values())
      for (const file of filesOf(operation))
        if (present.get(plugin.name)?.has(file) === true) samples.#add(operation, plugin, file);
    return samples;
  }

  /** The name of a file of an operation's examples within its category; undefined if the package has no such file. */
  nameOf({ path }: AnyOperation, plugin: Pick<LoadedPlugin, 'name' | 'root'>, file: string): string | undefined {
    return namesOf(plugin, file).find((name) => this.pathOf(categoryOf(path), name) === fixture(plugin, file));
  }

  /** The path of a sample on disk; undefined if there is none with this name. */
  pathOf(category: string, name: string): string | undefined {
    return this.#paths.get(`${category}/${name}`);
  }

  #add({ path }: AnyOperation, plugin: LoadedPlugin, file: string): void {
    const place = fixture(plugin, file);
    const keys = namesOf(plugin, file).map((name) => `${categoryOf(path)}/${name}`);
    const key = keys.find((each) => (this.#paths.get(each) ?? place) === place);
    if (key !== undefined) this.#paths.set(key, place);
  }
}

/** The name of a file, and the one that it gets where another plugin of the category has a file of that name. */
function namesOf({ name }: Pick<LoadedPlugin, 'name'>, file: string): readonly [string, string] {
  return [file, `${basename(name)}-${file}`];
}

/** Names of the files that the examples of an operation use. */
export function filesOf({ examples }: AnyOperation): readonly string[] {
  return (examples as readonly Example<unknown>[]).flatMap(({ files, parts = {} }) => [
    ...files,
    ...Object.values(parts),
  ]);
}

function categoryOf(path: string): string {
  return path.slice(0, path.indexOf('/'));
}

function fixture({ root }: Pick<LoadedPlugin, 'root'>, file: string): string {
  return join(root, 'fixtures', file);
}

async function fixturesOf(root: string): Promise<ReadonlySet<string>> {
  try {
    return new Set(await readdir(join(root, 'fixtures')));
  } catch {
    return new Set();
  }
}
