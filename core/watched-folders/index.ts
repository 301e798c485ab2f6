export { FolderHistory } from './folder-history.js';
export { folderPipelines } from './folder-pipelines.js';
export { openFolderRecords } from './folder-records.js';
export type { FolderRunEnd } from './folder-run-deps.js';
export { FolderScanner, type FolderScanDeps } from './folder-scanner.js';
export { FolderStates } from './folder-states.js';
export { folderStates } from './folder-status.js';
export { scanSettings } from './scan-settings.js';
export { WatchedFolderService } from './watched-folder-service.js';
