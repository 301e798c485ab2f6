export { completeFiles, type Look } from './complete-files.js';
export { callsFor, pooledCalls, type DiskCalls, type OpenOnDisk } from './disk-calls.js';
export {
  besideOf,
  copyDurably,
  flush,
  namesIn,
  statsOf,
  statsOrGone,
  syncFolder,
  unlessMissing,
  whenMissing,
  writeDurably,
} from './durable-files.js';
export { FolderAnnouncements } from './folder-announcements.js';
export { folderSettings, type FolderSettings } from './folder-settings.js';
export { FreeNames, numbered, withSuffix } from './free-names.js';
export { isPassedOver, listFiles, PROBLEM_FILE, type FolderFile } from './list-files.js';
export { isInside, realOfExisting } from './paths.js';
export { placeAt, placeFree } from './place-file.js';
export { extensionAllowed, markOf, SettleWatch, type Readiness } from './readiness.js';
