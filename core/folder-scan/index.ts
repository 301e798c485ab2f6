export { FolderScanner, type FolderScanParts } from './folder-scanner.js';
export { scanSettings, type ScanSettings } from './scan-settings.js';
