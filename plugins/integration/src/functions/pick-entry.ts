import { isQuireError } from '@quire/registry/errors';
import { chooser } from './glob.js';

/** What came out of an archive, or why nothing did. */
export type Picked = { readonly name: string; readonly path: string } | { readonly fault: string };

/**
 * Takes the one entry of a zip that is asked for into `folder`. Faults and hostile archives are told as words for
 * "answered …"; throws when it is cancelled or the disk is full.
 */
export async function pickEntry(path: string, folder: string, select: string, signal: AbortSignal): Promise<Picked> {
  const { unpackZip } = await import('@quire/document/file/zip');
  const chosen = chooser(select);
  const names: string[] = [];
  const hits: number[] = [];
  try {
    await unpackZip(path, folder, {
      field: 'answer',
      signal,
      wanted: (name) => {
        if (chosen(name, names.length)) hits.push(names.length);
        names.push(name);
        return false;
      },
    });
    const [hit] = hits;
    if (hit === undefined)
      return { fault: `with an archive of ${names.length} files, none of which is ${JSON.stringify(select)}` };
    if (hits.length > 1) return { fault: `with an archive in which ${JSON.stringify(select)} is several files` };
    let index = 0;
    const [file] = await unpackZip(path, folder, { field: 'answer', signal, wanted: () => index++ === hit });
    return file === undefined
      ? { fault: 'with an archive that cannot be read' }
      : { name: file.name.split('/').pop() ?? file.name, path: file.path };
  } catch (error) {
    // Refused by the rules for archives; but the caller sent none.
    if (isQuireError(error) && error.code === 'ARCHIVE_UNSAFE')
      return { fault: `with an archive that was refused: ${String(error.data['detail'])}` };
    throw error;
  }
}
