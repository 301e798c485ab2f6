export { FolderHistory } from './overview/folder-history.js';
export { folderPipelines } from './folder-pipelines.js';
export { openFolderRecords } from './overview/folder-records.js';
export type { FolderRunEnd } from './folder-run-deps.js';
export { FolderScanner, type FolderScanDeps } from './folder-scanner.js';
export { FolderStates } from './overview/folder-states.js';
export { folderStates } from './overview/folder-status.js';
export { scanSettings } from './scan-settings.js';
export { WatchedFolderService } from './overview/watched-folder-service.js';
