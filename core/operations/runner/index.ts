export { archiveName, cleanFileName, fillName, outputKind, outputName, uniqueNames } from './file-names.js';
export { documentFile, readHead } from './operation-run.js';
export {
  accepts,
  chargeItem,
  type EffectiveLimits,
  endCharge,
  kindList,
  missingParts,
  Runner,
  type RunnerDeps,
  type RunRequest,
  type RunResult,
} from './runner.js';
export { Scratch, sweepScratch } from './scratch.js';
export {
  escapePointer,
  faultsOf,
  fieldNames,
  jsonFields,
  mapFields,
  reservedFields,
  type ValidatedParams,
  validateParams,
} from './validate-params.js';
