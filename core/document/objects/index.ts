export * from './access.js';
export { copyOver } from './copy-over.js';
export { type CopyRules, ObjectCopier } from './copier.js';
export { streamOver } from './stream-over.js';
export { readNameTree, readNumberTree, writeNameTree, writeNumberTree } from './trees.js';
