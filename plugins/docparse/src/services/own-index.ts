import { token } from '@quire/registry';
import type { StoredIndex } from './stored-index.js';

/** The index with what only this plugin may do to it. */
export const ownIndex = token<StoredIndex>('docparse.index');
