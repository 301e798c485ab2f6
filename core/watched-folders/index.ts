export { FolderScanner, type FolderScanDeps } from './folder-scanner.js';
export { folderPipelines } from './folder-pipelines.js';
export type { FolderRunEnd } from './folder-run-deps.js';
export { scanSettings } from './scan-settings.js';
