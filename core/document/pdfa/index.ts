export { prepareForPdfA } from './prepare.js';
export { claimsPdfA, type Restored, type RestoreOptions, restoreParts } from './restore-parts.js';
