import { readFile, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InputError, type Clock, type Logger } from '@quire/registry';
import { markOf, statsOf, statsOrGone, unlessMissing, whenMissing, withSuffix } from '../../folders/index.js';
import { REPORT } from '../finish-run.js';
import type { FailedFileRecord } from './folder-records.js';
import { moveFile, ownFolder } from '../moves.js';
import { RunJournal } from '../run-journal.js';

/** A failed file that is still where its run left it. */
interface FoundFile {
  readonly record: FailedFileRecord;
  readonly path: string;
  readonly mark: string;
}

/** Another node may tidy up the new run before the file is in it; then it is made again. */
const MOST_TRIES = 5;

/** True while the file is where its run left it. Another file that got its name meanwhile does not count. */
export async function isStillThere(folder: string, record: FailedFileRecord): Promise<boolean> {
  return (await findFile(folder, record)) !== undefined;
}

/** Returns the error for a failed file that is no longer where its run left it. */
export function fileGone({ name, keptAs }: FailedFileRecord): InputError {
  return new InputError('FAILED_FILE_GONE', { name, place: keptAs });
}

/**
 * Moves failed files of one run into a new run, which starts like one that a crash interrupted: with the pipeline that
 * is valid then, on the node that has the folder. A rename decides between several callers, so no file is processed
 * twice. Resolves to the records of the files that were moved; those that are gone are left out.
 *
 * @param folder Absolute path of the watched folder.
 */
export async function retryFiles(
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  folder: string,
  records: readonly FailedFileRecord[],
): Promise<readonly FailedFileRecord[]> {
  for (let tries = 1; ; tries++) {
    const found = (await Promise.all(records.map((record) => findFile(folder, record)))).filter(
      (file) => file !== undefined,
    );
    if (found.length === 0) return [];
    try {
      return await moveIntoRun({ clock, log }, folder, found);
    } catch (error) {
      if (tries === MOST_TRIES || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

async function moveIntoRun(
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  folder: string,
  found: readonly FoundFile[],
): Promise<readonly FailedFileRecord[]> {
  const processing = await ownFolder(join(folder, 'processing'));
  const inputs = found.map(({ record: { name }, mark }) => ({ name, mark }));
  const ids = found.map(({ record: { id } }) => id);
  const journal = RunJournal.prepare(processing, inputs, [], clock.now(), ids);
  await journal.create();
  const moved: FailedFileRecord[] = [];
  for (const { record, path } of found) {
    try {
      await moveFile(path, join(journal.inputs, record.name), journal.record.id);
    } catch (error) {
      // Somebody else moved the file, or another node removed the run while it was empty.
      const gone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!gone || (moved.length === 0 && (await statsOf(path)) !== undefined)) throw error;
      continue;
    }
    moved.push(record);
    await unlessMissing(unlink(reportOf(path)));
  }
  if (moved.length === 0) await journal.remove();
  else log.info({ folder, run: journal.record.id, files: moved.length }, 'failed files were put into a new run');
  return moved;
}

async function findFile(folder: string, record: FailedFileRecord): Promise<FoundFile | undefined> {
  const path = join(folder, record.keptAs);
  // Nothing is moved from where a link points.
  if ((await statsOf(dirname(path)))?.isDirectory() !== true) return undefined;
  const stats = await statsOrGone(path);
  if (stats === undefined || !stats.isFile() || Number(stats.size) !== record.bytes) return undefined;
  const report = await readFile(reportOf(path), 'utf8').catch((error: unknown) => whenMissing(error, undefined));
  // Without its report, name and size must do: somebody may have tidied up.
  return report === undefined || runOf(report) === record.run ? { record, path, mark: markOf(stats) } : undefined;
}

function reportOf(path: string): string {
  const at = path.lastIndexOf('/') + 1;
  return path.slice(0, at) + withSuffix(path.slice(at), REPORT);
}

function runOf(report: string): unknown {
  try {
    return (JSON.parse(report) as { readonly run?: unknown } | null)?.run;
  } catch {
    return undefined;
  }
}
