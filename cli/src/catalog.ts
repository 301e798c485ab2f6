import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConsoleCatalog, ShownOperation } from '@quire/registry';
import { cacheFolder, privateFolder } from './folders.js';
import type { Connection } from './server.js';

interface Kept {
  readonly etag: string;
  readonly startedAt?: number | undefined;
  readonly catalog: ConsoleCatalog;
}

/** The operations of a server and its plugins. Kept with its ETag, so that an unchanged catalog is not sent again. */
export async function catalogOf({ quire, name, startedAt }: Connection, signal: AbortSignal): Promise<ConsoleCatalog> {
  const file = fileFor(name);
  const kept = keptIn(file);
  // The plugins of a server change with its restart only.
  if (kept !== undefined && startedAt !== undefined && kept.startedAt === startedAt) return kept.catalog;
  const response = await quire.request('/api/v1/console/catalog', {
    signal,
    headers: { 'accept-encoding': 'identity', ...(kept === undefined ? {} : { 'if-none-match': kept.etag }) },
  });
  const unchanged = response.status === 304 ? kept?.catalog : undefined;
  const catalog = unchanged ?? ((await response.json()) as ConsoleCatalog);
  const etag = response.headers.get('etag');
  if (unchanged !== undefined && startedAt === undefined) return unchanged;
  if (etag !== null) {
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, JSON.stringify({ etag, startedAt, catalog } satisfies Kept), { mode: 0o600 });
    renameSync(fresh, file);
  }
  return catalog;
}

/** The operations that a server had at the last call, without calling it; for completion. */
export function knownOperations(name: string): readonly ShownOperation[] {
  return keptIn(fileFor(name))?.catalog.operations ?? [];
}

function fileFor(name: string): string {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return join(privateFolder(join(cacheFolder(), 'catalogs')), `${digest}.json`);
}

function keptIn(file: string): Kept | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept;
  } catch {
    return undefined;
  }
}
