export type * from './model.js';
export type * from './page-content.js';
export { PageReader } from './read/page-reader.js';
export { readOutline } from './whole/outline.js';
export { plainPageText } from './plain-text.js';
export { blockText } from './whole/join-pages.js';
export { type LayoutOptions, withLayout } from './with-layout.js';
export { type OpenPages, withPages } from './with-pages.js';
