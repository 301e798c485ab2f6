export { loadSettings } from './load-settings.js';
export { listenHost, shortOrigin, type Settings } from './settings.js';
export { SettingsError } from './settings-error.js';
export { printSettings } from './print-settings.js';
export { durationToMs, sizeToBytes } from './units.js';
export { knownKeys, environmentName, type SettingsValues } from './known-keys.js';
export { nearestName } from './nearest-key.js';
export { SettingsFile } from './settings-file.js';
export { adminSections, nested } from './settings-sections.js';
