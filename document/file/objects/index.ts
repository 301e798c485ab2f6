export * from './access.js';
export { copyOver } from './copy-over.js';
export { type CopyRules, ObjectCopier } from './copier.js';
export { eachEntry, entriesOf, lookupRef } from './entries.js';
export { streamOver } from './stream-over.js';
export { readNameTree, readNumberTree, writeNameTree, writeNumberTree } from './trees.js';
export { dictOfHolder, everyObject, type Holder } from './every-object.js';
export { streamBytes, streamText } from './text-streams.js';
