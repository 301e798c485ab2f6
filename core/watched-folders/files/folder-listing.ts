import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { kindOfName } from '@quire/registry';
import { accepts } from '../../operations/runner/index.js';
import { numbered } from '../free-names.js';
import { RUN_PREFIX } from '../run-journal.js';
import { extensionAllowed, markOf, type Readiness, type SettleWatch } from './readiness.js';
import { lockKey, lockedFiles, openForWriting } from './write-locks.js';

/** Name of the report in a watched folder that cannot be processed; never an input. */
export const PROBLEM_FILE = '_folder-problem.json';

/** Names of the subfolders that watched folders use; folders with these names are never watched. */
export const ownFolders: ReadonlySet<string> = new Set(['processing', 'done', 'failed', 'error']);

/** Temporary names of files that programs are still writing, and files that operating systems create everywhere. */
const passing = new RegExp(
  [
    String.raw`(?:\.(?:part|partial|filepart|crdownload|opdownload|download|tmp|temp|swp|lock)|~)$`,
    String.raw`^~\$`,
    String.raw`^(?:thumbs\.db|desktop\.ini)$`,
  ].join('|'),
  'i',
);

/** A file in a watched folder. */
export interface FolderFile {
  /** The name as bytes, as the file system returns it. */
  readonly raw: Buffer;
  /** The name as text; bytes that are not UTF-8 are replaced by `_`. */
  readonly name: string;
}

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

/**
 * Lists a watched folder: regular files that may be inputs, and the contents of `processing/`. Links to files are not
 * inputs, because they may point anywhere.
 */
export async function listFolder(folder: string): Promise<Listing> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  const files: FolderFile[] = [];
  const names = new Set<string>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const raw = entry.name;
    const text = raw.toString('utf8');
    const clean = text.includes('\ufffd') ? text.replaceAll('\ufffd', '_') : text;
    if (clean.startsWith('.') || clean === PROBLEM_FILE || passing.test(clean)) continue;
    let name = clean;
    for (let i = 1; names.has(name); i++) name = numbered(clean, i);
    names.add(name);
    files.push({ raw, name });
  }
  const processing = join(folder, 'processing');
  // Do not follow a link: the files behind it are not ours to process.
  const own = entries.some((entry) => entry.isDirectory() && entry.name.toString('utf8') === 'processing');
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

export interface Judging {
  readonly folder: string;
  /** File types that the pipeline can begin with. */
  readonly accepted: readonly string[];
  readonly readiness: Readiness;
  readonly otherFiles: 'leave' | 'fail';
  readonly watch: SettleWatch;
  readonly nowMs: number;
  /** Monotonic ms. */
  readonly tick: number;
}

/** Which files may be processed now, how many are not complete yet, and when to check again. */
export interface Judged {
  readonly ready: readonly ReadyFile[];
  readonly unsettled: number;
  /** Ms until the next file may be complete; undefined when there is none. */
  readonly nextMs?: number;
}

/** Delay before the next check of a file that is locked or open for writing, ms. */
const LOCKED_MS = 1000;
const AT_ONCE = 64;

/**
 * Sorts the files of a folder into complete and incomplete ones. Files that the first step does not accept are left
 * out, or are ready in order to fail.
 */
export async function judgeFiles(
  files: readonly FolderFile[],
  { folder, accepted, readiness, otherFiles, watch, nowMs, tick }: Judging,
): Promise<Judged> {
  const wanted = files.flatMap((file) => {
    if (!extensionAllowed(file.name, readiness)) return [];
    const suitable = accepts(accepted, kindOfName(file.name) ?? 'bin');
    return suitable || otherFiles === 'fail' ? [{ file, unsuitable: !suitable }] : [];
  });
  watch.keepOnly(new Set(wanted.map(({ file }) => file.name)));
  const ready: (ReadyFile & { readonly lock: string })[] = [];
  let unsettled = 0;
  let nextMs = Infinity;
  const prefix = Buffer.from(`${folder}/`);
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    await Promise.all(
      wanted.slice(at, at + AT_ONCE).map(async ({ file, unsuitable }) => {
        const stats = await lstat(Buffer.concat([prefix, file.raw]), { bigint: true }).catch(() => undefined);
        if (stats === undefined || !stats.isFile()) return;
        const wait = watch.observe(file.name, stats, nowMs, tick);
        if (wait > 0) {
          unsettled += 1;
          nextMs = Math.min(nextMs, wait);
        } else ready.push({ ...file, unsuitable, mark: markOf(stats), lock: lockKey(stats) });
      }),
    );
  }
  if (ready.length > 0 && readiness.enabled) {
    const [locked, open] = await Promise.all([lockedFiles(), realpath(folder).then((real) => openForWriting(real))]);
    const free = ready.filter(({ lock }) => !locked.has(lock) && !open.has(lock));
    if (free.length < ready.length) nextMs = Math.min(nextMs, LOCKED_MS);
    return {
      ready: inOrder(free),
      unsettled: unsettled + ready.length - free.length,
      ...(nextMs === Infinity ? {} : { nextMs }),
    };
  }
  return { ready: inOrder(ready), unsettled, ...(nextMs === Infinity ? {} : { nextMs }) };
}

const byName = new Intl.Collator('en', { numeric: true });

/** Sorts by natural order: page2 before page10. */
export function inOrder<T extends { readonly name: string }>(files: readonly T[]): T[] {
  return [...files].sort((a, b) => byName.compare(a.name, b.name));
}
