import { join } from 'node:path';

/** What Rolldown reports about modules when it forms chunks. */
interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/**
 * Names the chunk of a module: one for everything that the page imports at its start. Rolldown would make a chunk for
 * each set of screens that share something, and a browser has six connections, which also the first calls use.
 */
export function firstLoadChunk(root: string): (id: string, modules: Modules) => string | null {
  const entry = join(root, 'src', 'app', 'main.tsx');
  let needed: ReadonlySet<string> | undefined;
  return (id, modules) => {
    needed ??= importedBy(entry, modules);
    return id !== entry && needed.has(id) ? 'frame' : null;
  };
}

/** The modules that an entry imports, directly or not, without those that it loads later. */
function importedBy(entry: string, modules: Modules): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const id of found) for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
