import { link, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FolderRunDeps } from './folder-run-deps.js';
import { numbered, withSuffix, type FreeNames } from './free-names.js';
import { moveFile, ownFolder } from './moves.js';
import {
  namesIn,
  partPrefix,
  statsOf,
  syncFolder,
  unlessMissing,
  writeDurably,
  type RunJournal,
} from './run-journal.js';

/** Suffix of the report beside an input. */
export const REPORT = '.report.json';
/** How file systems say that they know no links. */
const LINKLESS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Ends a run as its journal says. May be repeated from any point: steps that were done before are recognised. */
export async function finishRun(
  { log, names, settings }: Pick<FolderRunDeps, 'log' | 'names' | 'settings'>,
  journal: RunJournal,
): Promise<void> {
  const { id, ending } = journal.record;
  if (ending === undefined) throw new Error('the end of the run is not decided');
  for (const { part, target } of ending.outputs) {
    // A part that is gone has its name already. A name that was free when it was chosen may be taken after a restart.
    if (!(await exists(part))) continue;
    if (settings.existingOutputs === 'overwrite' && (await statsOf(target))?.isDirectory() !== true)
      await rename(part, target);
    else await giveName(names, part, target);
  }
  for (const place of new Set(journal.record.places)) await syncFolder(place);
  const present = new Set(await namesIn(journal.inputs));
  for (const { name, folder, keptAs, reportAs, report } of ending.inputs) {
    if (!present.has(name)) continue;
    const from = join(journal.inputs, name);
    if (folder === undefined || keptAs === undefined) {
      await unlink(from);
      continue;
    }
    await ownFolder(folder);
    const own = !(await exists(join(folder, keptAs)));
    const kept = own ? keptAs : await reserveBriefly(names, folder, keptAs, [REPORT]);
    if (reportAs !== undefined && report !== undefined)
      await writeReport(folder, own ? reportAs : withSuffix(kept, REPORT), report, id);
    await moveFile(from, join(folder, kept), id);
  }
  // Any other file in the folder is somebody's input too: it goes back into the watched folder.
  await putBack({ names, log }, dirname(dirname(journal.folder)), journal);
  log.info(
    { run: id, inputs: ending.inputs.length, outputs: ending.outputs.length },
    'a run of a watched folder has ended',
  );
}

async function exists(path: string): Promise<boolean> {
  return (await statsOf(path)) !== undefined;
}

/**
 * Gives a part its name, or one like it; never that of another file, also not of one that another server has put there
 * in this moment.
 */
async function giveName(names: FreeNames, part: string, target: string): Promise<void> {
  const folder = dirname(target);
  if (await hasName(part, target)) return unlink(part);
  for (let name = basename(target); ; name = await reserveBriefly(names, folder, basename(target))) {
    const path = join(folder, name);
    try {
      await link(part, path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      if (!LINKLESS.has(code ?? '')) throw error;
      // A file system without links: here the look and the rename must do.
      if (await exists(path)) continue;
      return rename(part, path);
    }
    return unlink(part);
  }
}

/** True when a server that died after the first step has given the part a name already. */
async function hasName(part: string, target: string): Promise<boolean> {
  const own = await statsOf(part);
  if (own === undefined || own.nlink < 2) return false;
  for (let number = 0; ; number++) {
    const other = await statsOf(join(dirname(target), numbered(basename(target), number)));
    if (other === undefined || (other.ino === own.ino && other.dev === own.dev)) return other !== undefined;
  }
}

async function reserveBriefly(
  names: FreeNames,
  folder: string,
  name: string,
  beside: readonly string[] = [],
): Promise<string> {
  const free = await names.reserve(folder, name, beside);
  names.release(folder, free, beside);
  return free;
}

async function writeReport(folder: string, name: string, text: string, run: string): Promise<void> {
  // Under a short name first: one of 255 bytes has no room for a suffix.
  const beside = join(folder, `.quire-report-${run}`);
  await writeDurably(beside, text);
  await rename(beside, join(folder, name));
}

/** Puts the inputs back into the watched folder, under another name where theirs was given away. The run is over. */
export async function putBack(
  { names, log }: Pick<FolderRunDeps, 'names' | 'log'>,
  watched: string,
  journal: { readonly inputs: string; remove(): Promise<void> },
): Promise<void> {
  for (const name of await namesIn(journal.inputs)) {
    const free = await names.reserve(watched, name);
    try {
      await moveFile(join(journal.inputs, name), join(watched, free));
    } finally {
      names.release(watched, free);
    }
    log.info({ folder: watched, file: free }, 'a file of a watched folder is put back and looked at again');
  }
  await journal.remove();
}

/** Removes the parts that a run left when the server ended. */
export async function removeParts(journal: RunJournal): Promise<void> {
  for (const place of new Set(journal.record.places)) {
    const found = (await namesIn(place)).filter((name) => name.startsWith(partPrefix(journal.record.id)));
    await Promise.all(found.map((name) => unlessMissing(unlink(join(place, name)))));
  }
}
