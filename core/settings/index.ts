export { loadSettings, type SettingsSources } from './load-settings.js';
export { listenHost, type Settings, type SettingsEntry } from './settings.js';
export { SettingsError } from './settings-error.js';
export { printSettings } from './print-settings.js';
export { durationToMs, sizeToBytes } from './units.js';
export { knownKeys, environmentName, type SettingsValues } from './known-keys.js';
export type { KnownKey, OperationSettings, PluginUse } from './known-key.js';
export { nearestName } from './nearest-key.js';
