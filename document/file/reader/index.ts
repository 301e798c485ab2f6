export { endsToken, isWhite, tokenEnd } from './characters.js';
export type { LazyDocument, LazyOptions } from './lazy-document.js';
export { cacheDocument, openLazily, takeCachedDocument } from './open-lazily.js';
export type { ByteWindows, LazySource } from './byte-windows.js';
export type { CrossReference, Entry } from './cross-reference.js';
export { type DecodedFront, decodeFront, decodeStream } from './decode-stream.js';
export { countPages, type PageTree, readPageTree } from './read-page-tree.js';
export type { Touched } from './lazy-context.js';
export { type LateData, lateData, lateStreamOf } from './late-stream.js';
