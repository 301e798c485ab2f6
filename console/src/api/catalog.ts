import { computed, signal } from '@preact/signals';
import type { ConsoleCatalog, ShownOperation } from '@quire/registry';
import { textsReady } from '../i18n/texts.ts';
import { callJson } from './call.ts';
import { asProblem, type Problem } from './problem.ts';

/** Everything that the console shows of operations; undefined until it is loaded. */
export const catalog = signal<ConsoleCatalog | undefined>(undefined);
export const catalogProblem = signal<Problem | undefined>(undefined);

const byPath = computed(() => new Map(catalog.value?.operations.map((operation) => [operation.path, operation])));

/** Returns the operation with this path (`general/rotate-pdf`). */
export function operationOf(path: string): ShownOperation | undefined {
  return byPath.value.get(path);
}

let loading: Promise<void> | undefined;
let early: Promise<ConsoleCatalog> | undefined;

const ask = (login: 'ask' | 'quiet'): Promise<ConsoleCatalog> => callJson('console/catalog', { login });

/** Asks for the catalog while the page starts. Never rejects; where nobody is logged in, `loadCatalog` asks again. */
export async function prefetchCatalog(): Promise<void> {
  early = ask('quiet');
  const loaded = await early.catch(() => undefined);
  if (loaded !== undefined) catalog.value ??= loaded;
}

/** Loads the catalog once; the browser keeps it and asks with its ETag. `again` after a login. */
export function loadCatalog(again = false): Promise<void> {
  if (again) loading = undefined;
  const asked = early;
  early = undefined;
  return (loading ??= (asked?.catch(() => ask('ask')) ?? ask('ask')).then(
    (loaded) => {
      catalog.value = loaded;
      catalogProblem.value = undefined;
      // Before a login, the texts of the tools could not be read.
      if (again) void textsReady();
    },
    (error: unknown) => {
      loading = undefined;
      catalogProblem.value = asProblem(error);
    },
  ));
}
