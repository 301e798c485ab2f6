import { isQuireError } from '@quire/registry/errors';
import { chooser } from './glob.js';

/** The unpacked entry, or why there is none. */
export type Picked = { readonly name: string; readonly path: string } | { readonly fault: string };

/**
 * Unpacks the requested entry of a zip into `folder`. Faults and hostile archives are returned as text after "answered
 * …"; throws if cancelled or if the disk is full.
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
