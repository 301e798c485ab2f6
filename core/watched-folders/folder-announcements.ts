import { watch, type FSWatcher } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@quire/registry';
import { isPassedOver } from './walk-folders.js';

/** What is told of changes; both may be called often. */
export interface Announced {
  /** Something in this folder has changed. */
  files(folder: string): void;
  /** There may be another folder. */
  folders(): void;
}

/**
 * Has the system announce changes in folders, one watch for each folder and none for files
 * (docs/internals/adr/0047-watching-folders.md). Where the system refuses, or announces nothing as on network shares,
 * nothing is told: the regular look finds the files.
 */
export class FolderAnnouncements {
  readonly #watches = new Map<string, FSWatcher>();
  #told = false;

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
      // A folder that went away is no news; a system that has no more watches is told once.
      if (this.#told || (error as NodeJS.ErrnoException).code === 'ENOENT') return;
      this.#told = true;
      this.log.warn(
        { err: error, folder },
        'the system does not announce changes in all watched folders; there, files are found by the regular look',
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
    // Names come, go and are changed under `rename`; only a folder that has come is news beyond its own folder.
    if (event === 'rename' && name !== null)
      void lstat(join(folder, name)).then(
        (stats) => (stats.isFile() ? undefined : this.announced.folders()),
        () => undefined,
      );
  }
}
