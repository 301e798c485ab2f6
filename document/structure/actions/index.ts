export { type PlacedScript, readAllScripts } from './action-scripts.js';
export { actionKind, type HungAction, pruneActions } from './prune-actions.js';
export { type DocumentScript, readDocumentScripts, readScript } from './scripts.js';
