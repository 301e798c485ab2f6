import { root } from './address.ts';
import { loadModule } from './retried.ts';

const loaded = new Map<string, Promise<void>>();

/**
 * Loads the module of a plugin that defines a custom element. Rejects if there is none, or if it does not define the
 * element.
 */
export function loadElement(name: string): Promise<void> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const loading = load(name);
  loaded.set(name, loading);
  // The next form tries again.
  loading.catch(() => loaded.delete(name));
  return loading;
}

async function load(name: string): Promise<void> {
  if (customElements.get(name) !== undefined) return;
  const { href } = new URL(`console-elements/${name}.js`, root);
  await loadModule(() => import(/* @vite-ignore */ href));
  if (customElements.get(name) === undefined) throw new Error(`The module does not define <${name}>.`);
}
