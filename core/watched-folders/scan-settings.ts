import { join, resolve } from 'node:path';
import type { Settings } from '../settings/index.js';
import type { Readiness } from './files/readiness.js';

/** Settings of watched folders, read at the start. All paths are absolute. */
export interface ScanSettings {
  /** Folders whose subfolders are watched. */
  readonly roots: readonly string[];
  /** `{outputFolder}`; outputs go into it, or into one of `allowedRoots`. */
  readonly finished: string;
  readonly allowedRoots: readonly string[];
  /** The base of relative output folders. */
  readonly workingFolder: string;
  /** Folder for the reports about folders that cannot be written to. */
  readonly reportFolder: string;
  readonly readiness: Readiness;
  readonly originals: 'keep' | 'delete';
  readonly failedFolder: 'failed' | 'error';
  readonly otherFiles: 'leave' | 'fail';
  readonly existingOutputs: 'number' | 'overwrite';
  /** User name of the account that runs use; empty without login. */
  readonly runAs: string;
  readonly sweepMs: number;
  /** Runs that have a job at once. */
  readonly parallel: number;
  /** Most files of one run, if a step processes all files together. */
  readonly maxBatch: number;
}

/** Reads the settings; `jobs` is the number of runs at once if the setting is empty. */
export function scanSettings(settings: Settings, jobs: number, workingFolder = process.cwd()): ScanSettings {
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
    reportFolder: join(pipeline, 'folderReports'),
    readiness: {
      enabled: settings.get('autoPipeline.fileReadiness.enabled'),
      settleMs: Math.max(0, settings.get('autoPipeline.fileReadiness.settleTimeMillis')),
      sizeCheckMs: Math.max(0, settings.get('autoPipeline.fileReadiness.sizeCheckDelayMillis')),
      extensions: settings
        .get('autoPipeline.fileReadiness.allowedExtensions')
        .map((text) => text.trim().replace(/^\./, '').toLowerCase())
        .filter((text) => text !== ''),
    },
    originals: settings.get('autoPipeline.originals'),
    failedFolder: settings.get('autoPipeline.failedFolder'),
    otherFiles: settings.get('autoPipeline.otherFiles'),
    existingOutputs: settings.get('autoPipeline.existingOutputs'),
    runAs: settings.get('autoPipeline.runAs').trim(),
    sweepMs: settings.get('autoPipeline.sweepSeconds') * 1000,
    // One more than run, so that its files are taken while the others run.
    parallel: settings.get('autoPipeline.parallel') || Math.max(1, jobs) + 1,
    maxBatch: settings.get('limits.maxParts'),
  };
}
