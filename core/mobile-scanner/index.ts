export { MobileScanner, type MobileScannerDeps } from './mobile-scanner.js';
export { SESSION_MS, type ScanFile, type ScanLimits, type ScanSession, type ScanUpload } from './scan-model.js';
export { isSessionId, LONGEST_SESSION_ID } from './scan-names.js';
