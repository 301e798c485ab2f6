import { lstat, mkdir, realpath } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import Joi from 'joi';
import { folderSettings, isInside, realOfExisting } from '../../../folders/index.js';
import type { Settings } from '../../../settings/index.js';
import { invalid, unreachable, type Side } from '../faults.js';

/** The option of sources and destinations that names their folder. */
export const directoryField = Joi.string()
  .required()
  .max(4096)
  .description(
    'Absolute path of the folder; it must be in a folder of policies.allowedFolderRoots or be a watched folder',
  )
  .meta({ shown: { label: 'Folder' } });

/**
 * Folders that automations may use: `policies.allowedFolderRoots` and the watched folders; for results also the folder
 * to which watched folders deliver.
 */
function folderRoots(settings: Settings, side: Side): readonly string[] {
  const { allowedRoots, roots, finished } = folderSettings(settings);
  return [...allowedRoots, ...roots, ...(side === 'DESTINATION' ? [finished] : [])];
}

/** Folders of the server's own, where no automation reads or writes even if a root contains them. */
function ownFolders({ paths }: Settings): readonly string[] {
  return [paths.configs, paths.store, paths.customFiles, paths.tmp, paths.logs];
}

/**
 * Returns the folder of an automation with all links resolved. Rejects with SOURCE_INVALID or DESTINATION_INVALID if
 * that is outside of the allowed folders, and with SOURCE_UNREACHABLE or DESTINATION_UNREACHABLE if it is not there.
 * `create`: creates it when it is missing.
 */
export async function allowedFolder(
  side: Side,
  directory: string,
  settings: Settings,
  create = false,
): Promise<string> {
  if (!isAbsolute(directory) || directory.includes('\0')) throw invalid(side, 'directory', 'must be an absolute path');
  const wanted = resolve(directory);
  // Before anything is created: the existing part of the path may be a link that leads out.
  await requireAllowed(side, directory, await onDisk(side, directory, () => realOfExisting(wanted)), settings);
  return onDisk(side, directory, async () => {
    if (create) await mkdir(wanted, { recursive: true });
    const real = await realpath(wanted);
    await requireAllowed(side, directory, real, settings);
    if (!(await lstat(real)).isDirectory()) throw invalid(side, 'directory', 'is not a folder');
    return real;
  });
}

async function requireAllowed(side: Side, directory: string, real: string, settings: Settings): Promise<void> {
  const [roots, own] = await Promise.all(
    [folderRoots(settings, side), ownFolders(settings)].map((folders) =>
      Promise.all(folders.map((folder) => realOfExisting(folder).catch(() => resolve(folder)))),
    ),
  );
  if (roots?.some((root) => isInside(root, real)) === true && own?.some((folder) => isInside(folder, real)) !== true)
    return;
  throw invalid(
    side,
    'directory',
    `is ${JSON.stringify(directory)}, which is not in a folder that automations may use: add a folder that ` +
      'contains it to policies.allowedFolderRoots',
  );
}

/** Runs work on a folder; errors of the file system become SOURCE_UNREACHABLE or DESTINATION_UNREACHABLE. */
export async function onDisk<T>(side: Side, directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) throw error;
    throw unreachable(
      side,
      `${problems[code] ?? 'the file system reports a problem with'} ${directory} (${code})`,
      error,
    );
  }
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no folder or file',
  EACCES: 'the server has no permission for',
  EPERM: 'the server has no permission for',
  EROFS: 'the file system is read-only at',
  ENOSPC: 'the disk is full at',
  EDQUOT: 'the disk quota is used up at',
};
