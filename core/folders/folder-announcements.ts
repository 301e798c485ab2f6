import { watch, type FSWatcher } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@quire/registry';
import { isPassedOver } from './list-files.js';

/** Called when something changes; both may be called often. */
export interface Announced {
  /** Something in this folder has changed. */
  files(folder: string): void;
  /** A folder may have been added. */
  folders(): void;
}

/**
 * Watches folders for changes with the operating system, one watch per folder and none per file
 * (docs/internals/adr/0047-watching-folders.md). Where the system refuses, or reports nothing as on network shares, the
 * regular scan finds the files.
 */
export class FolderAnnouncements {
  readonly #watches = new Map<string, FSWatcher>();
  #warned = false;

  constructor(
    private readonly log: Logger,
    private readonly announced: Announced,
  ) {}

  /** Watches these folders and no others. */
  follow(folders: readonly string[]): void {
    const wanted = new Set(folders);
    for (const [folder, watcher] of this.#watches) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.#watches.delete(folder);
    }
    for (const folder of wanted) if (!this.#watches.has(folder)) this.#watch(folder);
  }

  close(): void {
    this.follow([]);
  }

  #watch(folder: string): void {
    const fault = (error: unknown): void => {
      this.#watches.get(folder)?.close();
      this.#watches.delete(folder);
      // A folder that was removed needs no warning, and running out of watches is logged only once.
      if (this.#warned || (error as NodeJS.ErrnoException).code === 'ENOENT') return;
      this.#warned = true;
      this.log.warn(
        { err: error, folder },
        'the system does not report changes in all watched folders; the regular scan finds the files there',
      );
    };
    try {
      const watcher = watch(folder, (event, name) => this.#changed(folder, event, name));
      watcher.on('error', fault);
      this.#watches.set(folder, watcher);
    } catch (error) {
      fault(error);
    }
  }

  #changed(folder: string, event: string, name: string | null): void {
    if (name !== null && isPassedOver(name)) return;
    this.announced.files(folder);
    // Files appear, disappear and change under `rename`; only a new folder matters beyond its own folder.
    if (event === 'rename' && name !== null)
      void lstat(join(folder, name)).then(
        (stats) => (stats.isFile() ? undefined : this.announced.folders()),
        () => undefined,
      );
  }
}
