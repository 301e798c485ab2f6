import type { Logger } from '@quire/registry';
import { FolderAnnouncements, SettleWatch, type Readiness } from '../../../folders/index.js';
import type { FoundFile } from '../model.js';
import { Versions, type Identity } from './folder-files.js';

/** Most folders of sources whose files are remembered; the one that was not listed for longest is forgotten. */
const MOST_FOLDERS = 1000;

/**
 * What is known of the files of one folder between listings: since when they have not changed, and their contents. It
 * is shared by all sources of the folder, so that a listing sees what an earlier one has seen.
 */
export class FolderWatch {
  readonly settle: SettleWatch;
  readonly versions: Versions;
  /** Complete files as they were last offered, by key. */
  readonly offered = new Map<string, FoundFile>();
  readonly #listeners = new Set<() => void>();
  readonly #announcements: FolderAnnouncements;
  #timer: NodeJS.Timeout | undefined;

  constructor(readiness: Readiness, identity: Identity, log: Logger) {
    this.settle = new SettleWatch(readiness);
    this.versions = new Versions(identity);
    const announce = (): void => this.#announce();
    this.#announcements = new FolderAnnouncements(log, { files: announce, folders: announce });
  }

  get watched(): boolean {
    return this.#listeners.size > 0;
  }

  /** Calls back after changes in the folders, until `stop`. */
  listen(arrived: () => void): { stop(): Promise<void> } {
    const listener = (): void => arrived();
    this.#listeners.add(listener);
    return {
      stop: async () => {
        this.#listeners.delete(listener);
        if (this.watched) return;
        this.#announcements.close();
        clearTimeout(this.#timer);
      },
    };
  }

  /** Forgets files that are no longer there. */
  keepOnly(keys: ReadonlySet<string>): void {
    this.settle.keepOnly(keys);
    this.versions.keepOnly(keys);
    for (const key of this.offered.keys()) if (!keys.has(key)) this.offered.delete(key);
  }

  /** Reports changes in these folders from now on. */
  follow(folders: readonly string[]): void {
    if (this.watched) this.#announcements.follow(folders);
  }

  /** Calls back when files that were not complete may be. */
  again(ms: number): void {
    clearTimeout(this.#timer);
    if (this.watched) this.#timer = setTimeout(() => this.#announce(), ms).unref();
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The watches of all folders of sources. */
export class FolderWatches {
  readonly #watches = new Map<string, FolderWatch>();

  constructor(
    private readonly readiness: () => Readiness,
    private readonly log: Logger,
  ) {}

  of(folder: string, recursive: boolean, identity: Identity): FolderWatch {
    const key = JSON.stringify([folder, recursive, identity]);
    const watch = this.#watches.get(key) ?? new FolderWatch(this.readiness(), identity, this.log);
    this.#watches.delete(key);
    this.#watches.set(key, watch);
    if (this.#watches.size > MOST_FOLDERS)
      for (const [old, { watched }] of this.#watches)
        if (!watched) {
          this.#watches.delete(old);
          break;
        }
    return watch;
  }
}
