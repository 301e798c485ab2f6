export { claimsPdfA, type Restored, type RestoreOptions, restoreParts } from './restore-parts.js';
