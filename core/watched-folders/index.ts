export { FolderScanner, type FolderScanDeps } from './folder-scanner.js';
export { folderPipelines, type FolderPipeline } from './folder-pipelines.js';
export type { FolderRunEnd } from './folder-run-deps.js';
export { scanSettings, type ScanSettings } from './scan-settings.js';
