import { stat, readFile } from 'node:fs/promises';
import type { ListOfLists, NationalList } from './eu-lists.js';
import { ListFault } from './list-fault.js';

/** Larger files are rejected, in bytes. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;

/** Request to a reading process, as JSON. */
export type ReadingTask =
  | { readonly kind: 'approved'; readonly path: string }
  | { readonly kind: 'list-of-lists'; readonly path: string; readonly pins: readonly string[] }
  | {
      readonly kind: 'national';
      readonly path: string;
      readonly signers: readonly string[];
      readonly acceptTransitional: boolean;
    };

/** Its answers, by the kind of task. */
export interface ReadingResults {
  readonly approved: readonly string[];
  readonly 'list-of-lists': ListOfLists;
  readonly national: NationalList;
}

/** Reads one list. Throws ListFault. */
export async function readList(task: ReadingTask): Promise<ReadingResults[ReadingTask['kind']]> {
  if ((await stat(task.path)).size > MAX_LIST_BYTES) throw new ListFault('the list is too large');
  if (task.kind === 'approved') return (await import('./approved-list.js')).readApprovedList(task.path);
  const [{ readListOfLists, readNationalList }, bytes] = await Promise.all([
    import('./eu-lists.js'),
    readFile(task.path),
  ]);
  return task.kind === 'list-of-lists'
    ? readListOfLists(bytes, task.pins)
    : readNationalList(bytes, task.signers, task.acceptTransitional);
}
