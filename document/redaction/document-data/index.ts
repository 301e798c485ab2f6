export {
  type DocumentDataOptions,
  type RemovedDocumentData,
  type DocumentDataTargets,
  redactDocumentData,
} from './redact-document-data.js';
export { isFound, type TextFinder, withoutFound } from './text-finder.js';
export { dropXmp } from './clean-metadata.js';
export { rewriteStreams } from './rewrite-streams.js';
export { removeImages } from './remove-images.js';
