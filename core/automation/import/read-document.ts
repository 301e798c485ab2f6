import { isObject } from '../../operations/pipelines/index.js';
import type { ImportDocument } from './documents.js';
import type { ReadDocument } from './draft.js';
import { readNative } from './read-native.js';
import { readPipeline, type FolderPlaces } from './read-pipeline.js';
import { readPolicy } from './read-policy.js';

/** Finds out by its members what a document is, and reads it. */
export function readDocument(document: ImportDocument, places: FolderPlaces): ReadDocument {
  const { value, file } = document;
  if (isObject(value['work'])) return readNative(value, file);
  if (Array.isArray(value['steps'])) return readPolicy(value, file);
  if (Array.isArray(value['pipeline'])) return readPipeline(value, file, places);
  const { id, name, type, options } = value;
  if (typeof id === 'string' && typeof type === 'string' && isObject(options))
    return { source: { id, name: typeof name === 'string' ? name : type, type, options } };
  const detail =
    'is not an export that is understood: an automation has the member work, a policy has steps, a pipeline has ' +
    `pipeline, a source has id, type and options; found ${Object.keys(value).slice(0, 20).join(', ') || 'no members'}`;
  return { faults: [{ pointer: '', detail }] };
}
