import { signal } from '@preact/signals';
import { asProblem, type Problem } from '../../api/index.ts';
import type { PlacedFile } from '../../files/index.ts';
import { folderIn, store, type Folder } from './stored-files.ts';

export type UploadState = 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled';

/** One file on its way to the server. */
export class Upload {
  readonly file: File;
  readonly folders: readonly string[];
  readonly state = signal<UploadState>('waiting');
  /** Share that was sent, between 0 and 1. */
  readonly share = signal(0);
  readonly problem = signal<Problem | undefined>(undefined);
  readonly #stop = new AbortController();

  constructor({ file, folders }: PlacedFile) {
    this.file = file;
    this.folders = folders;
  }

  /** The name with the folders that it came with. */
  get name(): string {
    return [...this.folders, this.file.name].join('/');
  }

  get ended(): boolean {
    return ['done', 'failed', 'cancelled'].includes(this.state.value);
  }

  async send(folderId: () => Promise<string>): Promise<void> {
    this.state.value = 'sending';
    try {
      await store(this.file, await folderId(), {
        signal: this.#stop.signal,
        progress: (share) => (this.share.value = share),
      });
      this.state.value = 'done';
    } catch (error) {
      const problem = asProblem(error);
      this.problem.value = problem.isAbort ? undefined : problem;
      this.state.value = problem.isAbort ? 'cancelled' : 'failed';
    }
  }

  cancel(): void {
    if (this.ended) return;
    if (this.state.value === 'waiting') this.state.value = 'cancelled';
    this.#stop.abort();
  }
}

/** Uploads that run at the same time; more would only share the same connection. */
const TOGETHER = 2;

/** Sends files into a folder, with the folders that they are in. The failure of one does not stop the others. */
export async function sendAll(uploads: readonly Upload[], folderId: string, known: readonly Folder[]): Promise<void> {
  const folders = [...known];
  let last: Promise<unknown> = Promise.resolve();
  // One after the other, so that two files do not create the same folder twice.
  const placeOf = (upload: Upload): Promise<string> => {
    const place = last.then(async () => {
      let at = folderId;
      for (const name of upload.folders) at = await folderIn(folders, at, name);
      return at;
    });
    last = place.catch(() => undefined);
    return place;
  };
  const waiting = [...uploads];
  const work = async (): Promise<void> => {
    for (let upload = waiting.shift(); upload !== undefined; upload = waiting.shift()) {
      const next = upload;
      if (next.state.value === 'waiting') await next.send(() => placeOf(next));
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, work));
}
