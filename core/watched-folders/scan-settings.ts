import { join } from 'node:path';
import { folderSettings, type FolderSettings } from '../folders/index.js';
import type { Settings } from '../settings/index.js';

/** Settings of watched folders, read at the start. All paths are absolute. */
export interface ScanSettings extends FolderSettings {
  /** Folder for the reports about folders that cannot be written to. */
  readonly reportFolder: string;
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
export function scanSettings(settings: Settings, jobs: number): ScanSettings {
  return {
    ...folderSettings(settings),
    reportFolder: join(settings.paths.pipeline, 'folderReports'),
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
