import { mkdir, readdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { InputError, type Clock } from '@quire/registry';
import type { FolderHandOver } from '../automation/index.js';
import { FreeNames, syncFolder } from '../folders/index.js';
import { listFolder } from './folder-listing.js';
import { FolderProblem } from './folder-problem.js';
import { placeOf } from './folder-run.js';
import { readDefinition } from './read-definition.js';
import type { ScanSettings } from './scan-settings.js';

/** Folders in a watched folder whose names begin with a dot are never watched. */
const ASIDE = join('.quire', 'migrated');

/** Reads a watched folder and its pipeline. Throws AUTOMATION_CONFLICT while it has none or files in work. */
export async function handOver(
  { path, fromRoot }: { readonly path: string; readonly fromRoot: string },
  deps: { readonly settings: ScanSettings; readonly clock: Clock },
): Promise<FolderHandOver> {
  const { files } = await listFolder(path);
  try {
    const names = files.map(({ name }) => name);
    const definition = await readDefinition(path, names);
    await mustBeIdle(path);
    return {
      path,
      definition,
      results: placeOf({ watched: path, fromRoot, definition }, deps),
      originals: deps.settings.originals,
      setAside: () => setAside(path, definition.file),
    };
  } catch (error) {
    if (!(error instanceof FolderProblem)) throw error;
    throw conflict(error.message.replace(/\.$/, ''), error);
  }
}

/** Whether a folder without a pipeline had one that was set aside: its files are those of an automation now. */
export async function isHandedOver(path: string, names: readonly string[]): Promise<boolean> {
  if (names.some((name) => /\.json$/i.test(name))) return false;
  return (await readdir(join(path, ASIDE)).catch(() => [])).length > 0;
}

async function setAside(path: string, file: string): Promise<string> {
  await mustBeIdle(path);
  const folder = join(path, ASIDE);
  await mkdir(folder, { recursive: true });
  const names = new FreeNames();
  const name = await names.reserve(folder, file);
  const [from, to] = [join(path, file), join(folder, name)];
  await rename(from, to).finally(() => names.release(folder, name));
  try {
    await Promise.all([syncFolder(folder), syncFolder(path)]);
    // A run may have begun between the two: it needs its pipeline until it has ended.
    await mustBeIdle(path);
  } catch (error) {
    await rename(to, from);
    throw error;
  }
  return to;
}

async function mustBeIdle(path: string): Promise<void> {
  const { runs, stranded } = await listFolder(path);
  const open = runs.length + stranded.length;
  if (open > 0)
    throw conflict(`The watched folder "${basename(path)}" has ${open} open runs; try again when they have ended`);
}

function conflict(detail: string, cause?: Error): InputError {
  return new InputError('AUTOMATION_CONFLICT', { detail }, [], cause === undefined ? {} : { cause });
}
