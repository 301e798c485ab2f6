import { copyFile, mkdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { unpackZip } from '@quire/document/file/zip';
import { InputError } from '@quire/registry/errors';

/** A page in a folder that holds what it refers to. */
export interface PageFolder {
  readonly folder: string;
  /** Path of the page below the folder, with `/`. */
  readonly page: string;
}

/** Names that archive programs add. */
const junk = /(^|\/)(__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$)/i;

/**
 * Writes a page, or the content of a zip, into a new folder. Of several pages, `index` at the root is used, otherwise
 * the first one by name (in natural order) closest to the root. Throws PAGE_MISSING and ARCHIVE_UNSAFE.
 */
export async function unpackPage(
  source: { readonly path: string; readonly isZip: boolean },
  folder: string,
  extensions: readonly string[],
  signal: AbortSignal,
): Promise<PageFolder> {
  await mkdir(folder, { mode: 0o700 });
  if (!source.isZip) {
    const page = `page.${extensions[0] ?? 'html'}`;
    await copyFile(source.path, `${folder}/${page}`);
    return { folder, page };
  }
  const files = await unpackZip(source.path, folder, {
    field: 'fileInput',
    signal,
    names: 'kept',
    wanted: (name) => !junk.test(name),
  });
  const page = mainPage(
    files.map(({ name }) => name),
    extensions,
  );
  if (page === undefined)
    throw new InputError('PAGE_MISSING', {
      field: 'fileInput',
      allowed: extensions.map((extension) => `.${extension}`).join(', '),
    });
  return { folder, page };
}

/** The page that is printed among the files of an archive. */
export function mainPage(names: readonly string[], extensions: readonly string[]): string | undefined {
  const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  const depth = (name: string): number => name.split('/').length;
  const isIndex = (name: string): boolean => /^index\./i.test(posix.basename(name));
  const pages = names.filter((name) => extensions.includes(posix.extname(name).slice(1).toLowerCase()));
  // A single top-level folder does not count as a level: archive programs create one.
  return pages.sort((a, b) => depth(a) - depth(b) || Number(isIndex(b)) - Number(isIndex(a)) || order.compare(a, b))[0];
}
