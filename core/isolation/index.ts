export {
  createIsolation,
  isolationIsRequired,
  programIsolation,
  reportIsolation,
  type Isolation,
} from './create-isolation.js';
export { findProgram } from './find-program.js';
export { layerNames, type Layer } from './layers.js';
export { giveTo, inFolder, letRead, moveFile, placeFile, removeTree, withoutLinks } from './place-files.js';
export { innermost, killInnermost } from './process-chain.js';
export type { ProgramIsolation } from './program-isolation.js';
export {
  dropFolder,
  keepSpareFolders,
  makeFolder,
  removeSpareFolders,
  SpareFolders,
  useOnce,
} from './spare-folders.js';
export { TaskFiles } from './task-files.js';
export { firstUserNumber, UserNumbers } from './user-numbers.js';
export type { WorkerIsolation } from './worker-isolation.js';
