export { MobileScanner } from './mobile-scanner.js';
export { scannerOpenTo } from './scanner-access.js';
export { SESSION_MS, type ScanSession } from './scan-model.js';
export { LONGEST_SESSION_ID } from './scan-names.js';
