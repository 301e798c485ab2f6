export { FileSource } from './file-source.js';
export { allBytes, type PdfInput, withSource, withSources } from './with-source.js';
export { fileHead } from './file-head.js';
export { startSourceCache, closeCachedSources, canCacheSource, cacheSource } from './source-cache.js';
export { noteUnsigned, sizeBefore, spendInput } from './spent-inputs.js';
export { isStill, noteSound, soundIdentity } from './sound-files.js';
export { onceInRun, recallInRun, rememberInRun } from './run-memo.js';
export { keepInflated, takeInflated } from './kept-data.js';
export { noteWithdrawnRights, takeWithdrawnRights } from './withdrawn-rights.js';
export {
  type FileFaults,
  faultsInRun,
  type KnownDamage,
  knownDamage,
  noteDamage,
  noteFaults,
  takesNotes,
} from './run-notes.js';
