export { claimsPdfA, type Restored, type RestoreOptions, restoreParts } from './restore-parts.js';
export { srgbProfile } from './srgb-profile.js';
