import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The built console (`console/dist`). */
export interface ConsoleFiles {
  /** Folder of the hashed files. */
  readonly assets: string;
  /** First segments of the console's own addresses. */
  readonly paths: readonly string[];
  /** Returns the page for an address that many folders below the start page, and its ETag. */
  page(depth: number): { readonly text: string; readonly etag: string };
}

/** Folder of the hashed files, in the build and in addresses. */
export const ASSETS = 'console-assets';

const BASE = '<base href="./" />';

/** Data that every page needs; the browser loads it before the script runs and reuses it for the first call. */
const PRELOADS = ['console/catalog', 'config/app-config']
  .map((path) => `<link rel="preload" as="fetch" crossorigin href="api/v1/${path}" />`)
  .join('');

/**
 * Finds the built console; undefined where only the server was compiled. `open`: calls need no login, so the page may
 * ask for the tools at once.
 */
export function findConsole(open: boolean): ConsoleFiles | undefined {
  const dist = join(dirname(createRequire(import.meta.url).resolve('@quire/console/package.json')), 'dist');
  if (!existsSync(join(dist, 'index.html'))) return undefined;
  const pages = new Map<number, { readonly text: string; readonly etag: string }>();
  return {
    assets: join(dist, ASSETS),
    paths: JSON.parse(readFileSync(join(dist, 'paths.json'), 'utf8')) as string[],
    page: (depth) => {
      const known = pages.get(depth);
      if (known !== undefined) return known;
      // Relative, so that the page works under every sub-path, also under one that only a proxy knows.
      const text = readFileSync(join(dist, 'index.html'), 'utf8').replace(
        BASE,
        `<base href="${'../'.repeat(depth) || './'}" />${open ? PRELOADS : ''}`,
      );
      const page = { text, etag: createHash('sha256').update(text).digest('hex').slice(0, 32) };
      pages.set(depth, page);
      return page;
    },
  };
}
