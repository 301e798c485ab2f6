export { archiveName, cleanFileName, fillName, outputKind, uniqueNames } from './file-names.js';
export { filledPattern, outputFileName, type PatternValues } from './name-patterns.js';
export { formFields } from './form-fields.js';
export { authorReader, type AuthorsOf, hostDocuments } from './host-documents.js';
export type { DocumentFact, InvoiceTexts } from './run-documents.js';
export { documentFile, readHead } from './operation-run.js';
export { accepts, kindList } from './check-files.js';
export {
  chargeItem,
  type EffectiveLimits,
  endCharge,
  Runner,
  type RunnerDeps,
  type RunRequest,
  type RunResult,
} from './runner.js';
export { pageFieldsOf } from './page-fields.js';
export { removeScratch, Scratch, sweepScratch } from './scratch.js';
export { ResultStamps } from './stamp-results.js';
export {
  escapePointer,
  faultsOf,
  fieldNames,
  jsonFields,
  type ReplacedValue,
  validateParams,
} from './validate-params.js';
