export { DocumentView } from './document-view.tsx';
export { JsonValue } from './json-value.tsx';
export { isRecord, wordsOf } from './json-words.ts';
export type { FileSource } from './load-file.ts';
export { kindOf } from './view-kinds.ts';
