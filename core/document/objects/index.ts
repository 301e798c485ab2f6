export * from './access.js';
export { type CopyRules, ObjectCopier } from './copier.js';
export { sweep } from './sweep.js';
export { readNameTree, readNumberTree, writeNameTree, writeNumberTree } from './trees.js';
