import { rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  namesIn,
  numbered,
  placeAt,
  placeFree,
  statsOf,
  syncFolder,
  unlessMissing,
  withSuffix,
  writeDurably,
  type FreeNames,
} from '../folders/index.js';
import type { FolderRunDeps } from './folder-run-deps.js';
import { moveFile, ownFolder } from './moves.js';
import { partPrefix, type RunJournal } from './run-journal.js';

/** Suffix of the report next to an input. */
export const REPORT = '.report.json';

/** Finishes a run as its journal says. May be repeated from any point: steps that are already done are recognised. */
export async function finishRun(
  { log, names, settings, keep }: Pick<FolderRunDeps, 'log' | 'names' | 'settings' | 'keep'>,
  journal: RunJournal,
): Promise<void> {
  const { id, ending } = journal.record;
  if (ending === undefined) throw new Error('the end of the run is not decided');
  for (const { part, target } of ending.outputs) {
    // A part file that no longer exists was renamed already. A name that was free when it was chosen may be in use
    // after a restart.
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
    if (!own) await noteNewName(journal, name, kept);
    if (reportAs !== undefined && report !== undefined)
      await writeReport(folder, own ? reportAs : withSuffix(kept, REPORT), report, id);
    await moveFile(from, join(folder, kept), id);
  }
  const history = journal.record.ending?.history;
  if (history !== undefined) await keep?.(history);
  // Any other file in the folder is an input too: put it back into the watched folder.
  await putBack({ names, log }, dirname(dirname(journal.folder)), journal);
  log.info(
    { run: id, inputs: ending.inputs.length, outputs: ending.outputs.length },
    'a run of a watched folder has ended',
  );
}

/** Writes to the journal that an input gets another name, so that the history knows where it is also after a crash. */
async function noteNewName(journal: RunJournal, name: string, kept: string): Promise<void> {
  const { ending } = journal.record;
  if (ending?.history === undefined) return;
  const files = ending.history.files.map((file) =>
    file.name === name && file.keptAs !== undefined
      ? { ...file, keptAs: `${file.keptAs.slice(0, file.keptAs.indexOf('/'))}/${kept}` }
      : file,
  );
  await journal.update({ ending: { ...ending, history: { ...ending.history, files } } });
}

async function exists(path: string): Promise<boolean> {
  return (await statsOf(path)) !== undefined;
}

/**
 * Renames a part file to `target`, or to a similar name if another file has it; also if another server creates that
 * file at this moment.
 */
async function giveName(names: FreeNames, part: string, target: string): Promise<void> {
  if (!(await hasName(part, target)) && !(await placeAt(part, target)))
    await placeFree(names, part, dirname(target), basename(target));
  await unlessMissing(unlink(part));
}

/** Returns true when a server that died after creating the link left the part file with its final name as well. */
async function hasName(part: string, target: string): Promise<boolean> {
  const own = await statsOf(part);
  if (own === undefined || own.nlink < 2n) return false;
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
  // Write under a short name first: appending a suffix to a name of 255 bytes is not possible.
  const beside = join(folder, `.quire-report-${run}`);
  await writeDurably(beside, text);
  await rename(beside, join(folder, name));
}

/** Puts the inputs back into the watched folder, under another name if theirs is in use now, and removes the run. */
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
    log.info({ folder: watched, file: free }, 'a file was put back into its watched folder and will be checked again');
  }
  await journal.remove();
}

/** Removes the part files that a run left when the server stopped. */
export async function removePartFiles(journal: RunJournal): Promise<void> {
  for (const place of new Set(journal.record.places)) {
    const found = (await namesIn(place)).filter((name) => name.startsWith(partPrefix(journal.record.id)));
    await Promise.all(found.map((name) => unlessMissing(unlink(join(place, name)))));
  }
}
