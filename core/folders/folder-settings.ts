import { join, resolve } from 'node:path';
import type { Settings } from '../settings/index.js';
import type { Readiness } from './readiness.js';

/** Which folders the server reads files from and writes results to. All paths are absolute. */
export interface FolderSettings {
  /** Folders whose subfolders are watched. */
  readonly roots: readonly string[];
  /** `{outputFolder}`; outputs go into it, or into one of `allowedRoots`. */
  readonly finished: string;
  readonly allowedRoots: readonly string[];
  /** The base of relative folders. */
  readonly workingFolder: string;
  readonly readiness: Readiness;
}

export function folderSettings(settings: Settings, workingFolder = process.cwd()): FolderSettings {
  const absolute = (path: string): string => resolve(workingFolder, path);
  const several = settings.get('system.customPaths.pipeline.watchedFoldersDirs').filter((path) => path.trim() !== '');
  const single = settings.get('system.customPaths.pipeline.watchedFoldersDir');
  const { pipeline } = settings.paths;
  const finished =
    settings.get('system.customPaths.pipeline.finishedFoldersDir') ||
    settings.get('autoPipeline.outputFolder') ||
    join(pipeline, 'finishedFolders');
  return {
    roots: [...new Set((several.length > 0 ? several : [single || join(pipeline, 'watchedFolders')]).map(absolute))],
    finished: absolute(finished),
    allowedRoots: settings
      .get('policies.allowedFolderRoots')
      .filter((path) => path.trim() !== '')
      .map(absolute),
    workingFolder,
    readiness: {
      enabled: settings.get('autoPipeline.fileReadiness.enabled'),
      settleMs: Math.max(0, settings.get('autoPipeline.fileReadiness.settleTimeMillis')),
      sizeCheckMs: Math.max(0, settings.get('autoPipeline.fileReadiness.sizeCheckDelayMillis')),
      extensions: settings
        .get('autoPipeline.fileReadiness.allowedExtensions')
        .map((text) => text.trim().replace(/^\./, '').toLowerCase())
        .filter((text) => text !== ''),
    },
  };
}
