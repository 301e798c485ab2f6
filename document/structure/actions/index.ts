export { type PlacedScript, readAllScripts } from './action-scripts.js';
export { actionKind, type FoundAction, pruneActions } from './prune-actions.js';
export { type DocumentScript, readDocumentScripts, readScript } from './scripts.js';
