export { DocumentView } from './document-view.tsx';
export { JsonValue } from './json-value.tsx';
export { isRecord, wordsOf } from './json-words.ts';
export { kindOf } from './view-kinds.ts';
