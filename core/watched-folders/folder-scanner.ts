import { mkdir } from 'node:fs/promises';
import { OperationalError } from '@quire/registry';
import { FolderAnnouncements, FreeNames } from '../folders/index.js';
import { RunPlaces } from './runs/run-places.js';
import { walkFolders, type FoundFolder } from './walk-folders.js';
import type { WatchedFolderDeps } from './folder-run-deps.js';
import { WatchedFolder } from './watched-folder.js';

export type FolderScanDeps = Omit<WatchedFolderDeps, 'names' | 'places' | 'stopping' | 'kill'>;

/** Several folders often appear at once, so wait a moment and scan once. */
const SOON_MS = 50;

/** Watches the folders under the roots and processes the files in them. */
export class FolderScanner {
  readonly #folders = new Map<string, WatchedFolder>();
  /** Keyed by the path under which changes are announced. */
  readonly #byPath = new Map<string, WatchedFolder>();
  /** Folders that disappeared while a run was active in them; they may come back meanwhile. */
  readonly #leaving = new Set<WatchedFolder>();
  readonly #stopping = new AbortController();
  readonly #kill = new AbortController();
  readonly #folderDeps: WatchedFolderDeps;
  readonly #announcements: FolderAnnouncements;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;

  constructor(private readonly deps: FolderScanDeps) {
    this.#announcements = new FolderAnnouncements(deps.log, {
      files: (folder) => this.#changed(folder),
      folders: () => this.#sweepSoon(),
    });
    this.#folderDeps = {
      ...deps,
      names: new FreeNames(),
      places: new RunPlaces(deps.settings.parallel),
      stopping: this.#stopping.signal,
      kill: this.#kill.signal,
    };
  }

  /** Starts scanning. Never rejects: a folder that cannot be watched is logged and tried again at every scan. */
  async start(): Promise<void> {
    const { settings } = this.deps;
    await this.#sweep();
    if (this.#stopping.signal.aborted) return;
    this.#timer = setInterval(() => void this.#sweep(), settings.sweepMs);
    // Finds folders that were added between the first scan and the first watch.
    await this.#sweep();
  }

  /**
   * Starts nothing new, lets active runs finish for at most `patienceMs`, and stops. The next start continues
   * unfinished runs.
   */
  async stop(patienceMs: number): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const away = new OperationalError('SHUTTING_DOWN');
    this.#stopping.abort(away);
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    await this.#sweeping;
    this.#announcements.close();
    const killer = setTimeout(() => this.#kill.abort(away), patienceMs);
    await Promise.all([...this.#folders.values()].map((folder) => folder.stop()));
    clearTimeout(killer);
  }

  /** Looks at a folder soon, because a file of it was put back to work. */
  wake(path: string): void {
    this.#changed(path);
  }

  #changed(path: string): void {
    const folder = this.#byPath.get(path);
    if (folder === undefined) this.#sweepSoon();
    else folder.wake();
  }

  #sweepSoon(): void {
    if (this.#stopping.signal.aborted) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.#sweep();
    }, SOON_MS);
  }

  /** Looks for folders, and lets each one check its files. Never rejects. */
  #sweep(): Promise<void> {
    this.#sweeping ??= this.#find()
      .catch((error: unknown) => this.deps.log.warn({ err: error }, 'the watched folders cannot be listed'))
      .finally(() => {
        this.#sweeping = undefined;
      });
    return this.#sweeping;
  }

  async #find(): Promise<void> {
    const { settings, log } = this.deps;
    for (const root of settings.roots)
      await mkdir(root, { recursive: true }).catch((error: unknown) =>
        log.warn({ err: error, root }, 'a root of watched folders cannot be created'),
      );
    const found = await walkFolders(settings.roots, [settings.finished], log);
    if (this.#stopping.signal.aborted) return;
    const present = new Set(found.map(({ real }) => real));
    for (const [real, folder] of this.#folders) {
      if (present.has(real) || this.#leaving.has(folder)) continue;
      this.#leaving.add(folder);
      // Keep the folder until its work has ended: a new object for it would take active runs for those of a dead
      // server.
      void folder.stop().finally(() => {
        this.#leaving.delete(folder);
        this.#folders.delete(real);
        this.deps.observer?.gone(folder.place);
        this.#byPath.delete(folder.path);
        this.#sweepSoon();
      });
    }
    for (const place of found) this.#visit(place);
    this.#announcements.follow([...settings.roots, ...found.map(({ path }) => path)]);
  }

  #visit({ path, real, root, fromRoot, occupied }: FoundFolder): void {
    let folder = this.#folders.get(real);
    if (folder === undefined && occupied) {
      folder = new WatchedFolder(path, { root, path: fromRoot }, this.#folderDeps);
      this.#folders.set(real, folder);
      this.#byPath.set(path, folder);
      this.deps.log.debug({ folder: path }, 'watching a folder');
    }
    if (folder === undefined) return;
    folder.wake();
  }
}
