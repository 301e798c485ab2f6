import type { BigIntStats } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { kindOfName } from '@quire/registry';
import {
  completeFiles,
  extensionAllowed,
  listFiles,
  markOf,
  statsOf,
  type FolderFile,
  type Look,
} from '../folders/index.js';
import { accepts } from '../operations/runner/index.js';
import { RUN_PREFIX } from './run-journal.js';

/** The contents of a watched folder. */
export interface Listing {
  readonly files: readonly FolderFile[];
  /** Absolute folders of runs that are running or were interrupted. */
  readonly runs: readonly string[];
  /** Files directly in `processing/`, left there by other servers. */
  readonly stranded: readonly string[];
}

/** A file that is ready to be processed. */
export interface ReadyFile extends FolderFile {
  readonly mark: string;
  readonly unsuitable: boolean;
}

/** Lists a watched folder: files that may be inputs, and the contents of `processing/`. */
export async function listFolder(folder: string): Promise<Listing> {
  const files = await listFiles(folder);
  const processing = join(folder, 'processing');
  // Do not follow a link: the files behind it are not ours to process.
  const own = (await statsOf(processing))?.isDirectory() === true;
  const inside = own ? await readdir(processing, { withFileTypes: true }).catch(() => []) : [];
  return {
    files,
    runs: inside
      .filter((entry) => entry.isDirectory() && entry.name.startsWith(RUN_PREFIX))
      .map(({ name }) => join(processing, name))
      .sort(),
    stranded: inside
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map(({ name }) => join(processing, name)),
  };
}

export interface Judging extends Look {
  /** File types that the pipeline can begin with. */
  readonly accepted: readonly string[];
  readonly otherFiles: 'leave' | 'fail';
}

/** Which files may be processed now, how many are not complete yet, and when to check again. */
export interface Judged {
  readonly ready: readonly ReadyFile[];
  readonly unsettled: number;
  /** Ms until the next file may be complete; undefined when there is none. */
  readonly nextMs: number | undefined;
}

/** Files whose stats are read at once. */
const AT_ONCE = 64;

/**
 * Sorts the files of a folder into complete and incomplete ones. Files that the first step does not accept are left
 * out, or are ready in order to fail.
 */
export async function judgeFiles(
  files: readonly FolderFile[],
  { accepted, otherFiles, ...look }: Judging,
): Promise<Judged> {
  const wanted = files.flatMap((file) => {
    if (!extensionAllowed(file.name, look.readiness)) return [];
    const suitable = accepts(accepted, kindOfName(file.name) ?? 'bin');
    return suitable || otherFiles === 'fail' ? [{ ...file, key: file.name, unsuitable: !suitable }] : [];
  });
  look.watch.keepOnly(new Set(wanted.map(({ name }) => name)));
  const seen: (Omit<ReadyFile, 'mark'> & { readonly key: string; readonly stats: BigIntStats })[] = [];
  const prefix = Buffer.from(`${look.folder}/`);
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const read = wanted.slice(at, at + AT_ONCE).map(async (file) => {
      const stats = await lstat(Buffer.concat([prefix, file.raw]), { bigint: true }).catch(() => undefined);
      return stats?.isFile() === true ? [{ ...file, stats }] : [];
    });
    seen.push(...(await Promise.all(read)).flat());
  }
  const folder = seen.length === 0 ? look.folder : await realpath(look.folder);
  const { complete, incomplete, nextMs } = await completeFiles(seen, { ...look, folder });
  return {
    ready: inOrder(
      complete.map(({ raw, name, unsuitable, stats }) => ({ raw, name, unsuitable, mark: markOf(stats) })),
    ),
    unsettled: incomplete.length,
    nextMs,
  };
}

/** Created by the first list: it loads 2 MB of tables. */
let byName: Intl.Collator | undefined;

/** Sorts by natural order: page2 before page10. */
export function inOrder<T extends { readonly name: string }>(files: readonly T[]): T[] {
  const { compare } = (byName ??= new Intl.Collator('en', { numeric: true }));
  return [...files].sort((a, b) => compare(a.name, b.name));
}
