import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Settings } from '../settings/index.js';
import { folderSettings } from '../folders/index.js';

export const folderPurposes = ['data', 'configs', 'store', 'temporary', 'logs', 'watched', 'results'] as const;

/** A folder that the server uses. */
export interface FolderFact {
  readonly purpose: (typeof folderPurposes)[number];
  readonly path: string;
  /** The setting or variable that moves it; absent for the fixed folders in the base folder. */
  readonly setting?: string;
  /** False for one that is created when it is first needed. */
  readonly exists: boolean;
  /** The server can write to it or, if it does not exist, create it. */
  readonly writable: boolean;
  /** Free space for the server, in bytes; null if it could not be read. */
  readonly freeBytes: number | null;
}

/** How long a hanging network mount may hold the answer. */
const PATIENCE_MS = 2000;

/** Returns where the server keeps its data and looks for files, and whether it can write there. */
export async function folderFacts(settings: Settings): Promise<readonly FolderFact[]> {
  const { base, configs, store, tmp, logs } = settings.paths;
  const { roots, finished } = folderSettings(settings);
  const folders: readonly Pick<FolderFact, 'purpose' | 'path' | 'setting'>[] = [
    { purpose: 'data', path: base, setting: 'QUIRE_BASE_PATH' },
    { purpose: 'configs', path: configs },
    { purpose: 'store', path: store },
    { purpose: 'temporary', path: tmp, setting: 'system.tempFileManagement.baseTmpDir' },
    { purpose: 'logs', path: logs },
    ...roots.map((path) => ({
      purpose: 'watched' as const,
      path,
      setting: 'system.customPaths.pipeline.watchedFoldersDirs',
    })),
    { purpose: 'results', path: finished, setting: 'system.customPaths.pipeline.finishedFoldersDir' },
  ];
  return Promise.all(folders.map(async (folder) => ({ ...folder, ...(await stateOf(folder.path)) })));
}

type FolderState = Pick<FolderFact, 'exists' | 'writable' | 'freeBytes'>;

async function stateOf(path: string): Promise<FolderState> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<FolderState>((resolve) => {
    timer = setTimeout(() => resolve({ exists: false, writable: false, freeBytes: null }), PATIENCE_MS);
  });
  try {
    return await Promise.race([readState(path), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A folder that does not exist is created in its next parent that does: that one decides. */
async function readState(path: string): Promise<FolderState> {
  let place = path;
  let found = await stat(place).catch(() => undefined);
  const exists = found !== undefined;
  while (found === undefined && place !== dirname(place)) {
    place = dirname(place);
    found = await stat(place).catch(() => undefined);
  }
  const mayWrite = await access(place, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  const volume = await statfs(place).catch(() => undefined);
  return {
    exists,
    writable: mayWrite && found?.isDirectory() === true,
    freeBytes: volume === undefined ? null : volume.bavail * volume.bsize,
  };
}
