export { appendChanges } from './append-changes.js';
