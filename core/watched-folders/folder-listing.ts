import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { kindOfName } from '@quire/registry';
import { accepts } from '../operations/runner/index.js';
import type { VerifiedStep } from '../operations/pipelines/index.js';
import { numbered } from './free-names.js';
import { RUN_PREFIX } from './run-journal.js';
import { extensionAllowed, markOf, type Readiness, type SettleWatch } from './readiness.js';
import { lockKey, lockedFiles, openForWriting } from './write-locks.js';

/** The report of a folder that cannot be worked on lies in it under this name, and is never an input. */
export const PROBLEM_FILE = '_folder-problem.json';

/** Names that a watched folder's own folders have, and that no candidate has. */
export const ownFolders: ReadonlySet<string> = new Set(['processing', 'done', 'failed', 'error']);

/** What programs call files that they are still writing, and what systems put everywhere. */
const passing = new RegExp(
  [
    String.raw`(?:\.(?:part|partial|filepart|crdownload|opdownload|download|tmp|temp|swp|lock)|~)$`,
    String.raw`^~\$`,
    String.raw`^(?:thumbs\.db|desktop\.ini)$`,
  ].join('|'),
  'i',
);

/** One file of a watched folder. */
export interface FolderFile {
  /** As the file system has it. */
  readonly raw: Buffer;
  /** As text; bytes that are no UTF-8 stand as `_`. */
  readonly name: string;
}

/** What lies in a watched folder. */
export interface Listing {
  readonly files: readonly FolderFile[];
  /** Absolute folders of runs that are at work, or were cut short. */
  readonly runs: readonly string[];
  /** Files directly in `processing/`, as other servers leave them. */
  readonly stranded: readonly string[];
}

/** A file that waits to be taken. */
export interface ReadyFile extends FolderFile {
  readonly mark: string;
  readonly unsuitable: boolean;
}

/**
 * Lists a watched folder: regular files that may be inputs, and what lies in `processing/`. Links to files are no
 * inputs: they may point anywhere.
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
  // Not through a link: what it leads to is not ours to take files from.
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

/** How files of a folder are judged. */
export interface Judging {
  readonly folder: string;
  readonly first: VerifiedStep;
  readonly readiness: Readiness;
  readonly otherFiles: 'leave' | 'fail';
  readonly watch: SettleWatch;
  readonly nowMs: number;
  /** Monotonic ms. */
  readonly tick: number;
}

/** Which files may be taken now, how many are not complete yet, and when to look again. */
export interface Judged {
  readonly ready: readonly ReadyFile[];
  readonly unsettled: number;
  /** Ms until the next file may be complete; undefined when there is none. */
  readonly nextMs?: number;
}

/** How long a file that somebody holds locked or open for writing is left alone before the next look. */
const LOCKED_MS = 1000;
const AT_ONCE = 64;

/**
 * Sorts the files of a folder into complete and not yet complete; those that the first step does not take are left out,
 * or ready to fail.
 */
export async function judgeFiles(
  files: readonly FolderFile[],
  { folder, first, readiness, otherFiles, watch, nowMs, tick }: Judging,
): Promise<Judged> {
  const taken = first.entry.operation.accepts;
  const wanted = files.flatMap((file) => {
    if (!extensionAllowed(file.name, readiness)) return [];
    const suitable = accepts(taken, kindOfName(file.name) ?? 'bin');
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

/** As a person would count them: page2 before page10. */
function inOrder(files: readonly ReadyFile[]): ReadyFile[] {
  return [...files].sort((a, b) => byName.compare(a.name, b.name));
}
