import { json, send } from './client.js';
import type { Reachable } from './login.js';

/** Settings with which files count as complete at once. */
export const quickScan = {
  autoPipeline: { sweepSeconds: 1, fileReadiness: { settleTimeMillis: 100, sizeCheckDelayMillis: 50 } },
};

/** A pipeline that every document survives. */
export const rotate = { pipeline: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } }] };

export interface ShownFolder {
  readonly id: string;
  readonly path: string;
  readonly node: string;
  readonly state: string;
  readonly running: number;
  readonly waiting: number;
  readonly pipeline: { readonly file: string; readonly name: string } | null;
  readonly problem: {
    readonly kind: string;
    readonly detail: string;
    readonly errors: readonly { readonly pointer: string }[];
  } | null;
  readonly done: number;
  readonly failed: number;
  readonly failedFiles: number;
  readonly lastRun: { readonly outcome: string } | null;
}

interface ShownError {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
}

interface ShownRun {
  readonly outcome: string;
  readonly retry: boolean;
  readonly outputs: readonly string[];
  readonly files: readonly { readonly name: string; readonly keptAs?: string; readonly error?: ShownError }[];
}

interface ShownFailedFile {
  readonly id: string;
  readonly run: string;
  readonly name: string;
  readonly keptAs: string;
  readonly bytes: number;
  readonly here: boolean | null;
  readonly error: ShownError;
}

type Headers = Readonly<Record<string, string>>;

async function read<T>(server: Reachable, path: string, headers: Headers): Promise<T> {
  const answer = await send(`${server.url}/api/v1/admin/watched-folders${path}`, { headers });
  if (answer.status !== 200) throw new Error(answer.body.toString());
  return json<T>(answer);
}

export const foldersOf = (server: Reachable, query = '', headers: Headers = {}) =>
  read<{ readonly folders: readonly ShownFolder[]; readonly next: string | null }>(server, query, headers);

/** The watched folder with this path; undefined while it is not listed. */
export const folderOf = async (server: Reachable, path: string, headers: Headers = {}) =>
  (await foldersOf(server, '', headers)).folders.find((folder) => folder.path === path);

export const runsOf = (server: Reachable, id: string, query = '', headers: Headers = {}) =>
  read<{ readonly runs: readonly ShownRun[]; readonly next: string | null }>(server, `/${id}/runs${query}`, headers);

export const failedOf = (server: Reachable, id: string, headers: Headers = {}) =>
  read<{ readonly files: readonly ShownFailedFile[]; readonly total: number }>(server, `/${id}/failed`, headers);
