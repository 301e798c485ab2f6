import { callJson } from '../../api/index.ts';
import { t } from './texts.ts';

/** A watched folder, as `admin/watched-folders` returns it. */
export interface WatchedFolder {
  readonly id: string;
  readonly path: string;
  readonly root: string | null;
  readonly node: string;
  readonly state: 'watching' | 'settling' | 'waiting' | 'running' | 'elsewhere' | 'problem';
  readonly running: number;
  readonly waiting: number;
  readonly pipeline: { readonly file: string; readonly name: string } | null;
  readonly problem: {
    readonly kind: string;
    readonly detail: string;
    readonly since: string;
    readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
  } | null;
  readonly done: number;
  readonly failed: number;
  readonly doneToday: number;
  readonly failedToday: number;
  readonly failedFiles: number;
  readonly lastRun: { readonly id: string; readonly endedAt: string; readonly outcome: Outcome } | null;
}

export interface FolderList {
  readonly folders: readonly WatchedFolder[];
  readonly next: string | null;
  readonly roots: readonly { readonly path: string; readonly inBase: boolean }[];
}

export interface Definition {
  readonly file: string;
  readonly name: string;
  readonly pipeline: readonly { readonly operation: string; readonly parameters: Readonly<Record<string, unknown>> }[];
  readonly outputDir?: string;
  readonly outputFileName?: string;
  readonly hidden: readonly string[];
}

export type FolderDetail = WatchedFolder & { readonly definition: Definition | null };

type Outcome = 'done' | 'partly' | 'failed';

interface FolderError {
  readonly code: string;
  readonly detail: string;
}

export interface FolderRun {
  readonly id: string;
  readonly outcome: Outcome;
  readonly endedAt: string;
  readonly ms: number;
  readonly retry: boolean;
  readonly fileCount: number;
  readonly files: readonly { readonly name: string; readonly keptAs?: string; readonly error?: FolderError }[];
  readonly outputCount: number;
  readonly outputs: readonly string[];
  readonly warnings: readonly string[];
}

export interface FailedFile {
  readonly id: string;
  readonly name: string;
  readonly keptAs: string;
  readonly bytes: number;
  readonly failedAt: string;
  readonly here: boolean | null;
  readonly error: FolderError;
}

export interface Retried {
  readonly retried: readonly string[];
  readonly gone: readonly string[];
  readonly left: number;
}

export const FOLDERS = 'admin/watched-folders';

/** The address of a folder, or of something in it. */
export function addressOf(folder: string, ...rest: readonly string[]): string {
  return [FOLDERS, ...[folder, ...rest].map(encodeURIComponent)].join('/');
}

/** Puts one failed file, or all, back to work. */
export function retry(folder: string, file?: string): Promise<Retried> {
  const path = file === undefined ? ['failed', 'retry'] : ['failed', file, 'retry'];
  return callJson<Retried>(addressOf(folder, ...path), { method: 'POST' });
}

export async function forget(folder: string, file: string): Promise<void> {
  await callJson(addressOf(folder, 'failed', file), { method: 'DELETE' });
}

interface Look {
  readonly label: string;
  readonly badge: string;
  readonly icon: string;
}

export function stateLook({ state, running }: Pick<WatchedFolder, 'state' | 'running'>): Look {
  switch (state) {
    case 'watching':
      return { label: t('Watching'), badge: '', icon: 'eye' };
    case 'settling':
      return { label: t('Waits until files are complete'), badge: 'accent', icon: 'clock' };
    case 'waiting':
      return { label: t('Files wait for their turn'), badge: 'accent', icon: 'clock' };
    case 'running':
      return { label: t.count(running, '{count} run', '{count} runs'), badge: 'accent', icon: 'loader' };
    case 'elsewhere':
      return { label: t('Another server works here'), badge: '', icon: 'server' };
    case 'problem':
      return { label: t('Needs attention'), badge: 'danger', icon: 'circle-alert' };
  }
}

export function outcomeLook(outcome: Outcome): Look {
  switch (outcome) {
    case 'done':
      return { label: t('Finished'), badge: 'done', icon: 'circle-check' };
    case 'partly':
      return { label: t('Some files failed'), badge: 'danger', icon: 'circle-alert' };
    case 'failed':
      return { label: t('Failed'), badge: 'danger', icon: 'circle-alert' };
  }
}

/** The whole path of a folder; its root is named only when there are several. */
export function nameOf({ root, path }: Pick<WatchedFolder, 'root' | 'path'>): string {
  return root === null ? path : `${root}/${path}`;
}
