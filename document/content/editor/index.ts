export { applyPartial } from './apply-partial.js';
export { type BuildOptions, buildDocument } from './build-document.js';
export { DocumentTeller, exportDocument, type ExportOptions } from './export-document.js';
export { inOurFont, inOwnFont } from './changes/insert-text.js';
export type {
  ImageElement,
  JsonAnnotation,
  JsonField,
  JsonFont,
  JsonMetadata,
  JsonPage,
  RawObject,
  TextElement,
} from './model.js';
export { type JsonDocument, MAX_JSON_BYTES, readJsonDocument } from './read-json.js';
export { type SessionOverview, writeOverview, writePage, writePageFonts, writePartial } from './session-work.js';
