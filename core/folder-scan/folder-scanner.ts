import { mkdir } from 'node:fs/promises';
import { basename, dirname, relative, sep } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { OperationalError } from '@quire/registry';
import { Gate } from '../limits/index.js';
import { FreeNames } from './free-names.js';
import { isPassedOver, walkFolders, type FoundFolder } from './walk-folders.js';
import { WatchedFolder, type WatchedFolderParts } from './watched-folder.js';

/** What folder scanning stands on. */
export type FolderScanParts = Omit<WatchedFolderParts, 'names' | 'place' | 'stopping' | 'kill'>;

/** Where the system announces no changes, or runs out of watches, the sweep alone finds files. */
const SOON_MS = 50;

/** Watches the folders below the roots, and has the files in them worked on. */
export class FolderScanner {
  readonly #folders = new Map<string, WatchedFolder>();
  /** By the path that changes are announced under. */
  readonly #byPath = new Map<string, WatchedFolder>();
  readonly #linked = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #kill = new AbortController();
  readonly #folderParts: WatchedFolderParts;
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #unseen = false;

  constructor(private readonly parts: FolderScanParts) {
    const gate = new Gate(parts.settings.parallel);
    this.#folderParts = { ...parts, names: new FreeNames(), place: (signal) => gate.enter(signal), stopping: this.#stopping.signal, kill: this.#kill.signal };
  }

  /** Begins. Never rejects: what cannot be watched is logged, and looked for again with every sweep. */
  async start(): Promise<void> {
    const { settings, log } = this.parts;
    await this.#sweep();
    if (this.#stopping.signal.aborted) return;
    this.#timer = setInterval(() => void this.#sweep(), settings.sweepMs);
    try {
      const { watch } = await import('chokidar');
      this.#watcher = watch([...settings.roots], {
        ignoreInitial: true, followSymlinks: false, ignorePermissionErrors: true, depth: 50,
        // The roots themselves may lie below folders of any name.
        ignored: (path) => !settings.roots.includes(path) && isPassedOver(basename(path)),
      });
      this.#watcher.on('all', (event, path) => this.#announced(event, path));
      this.#watcher.on('error', (error) => {
        if (this.#unseen) return;
        this.#unseen = true;
        log.warn({ err: error, sweepSeconds: settings.sweepMs / 1000 }, 'the system does not announce all changes in watched folders; files are found by the regular look');
      });
      await this.#sweep();
    } catch (error) {
      log.warn({ err: error }, 'changes in watched folders are not announced; files are found by the regular look');
    }
  }

  /** Begins nothing new, gives work at hand its time, and ends. What does not end lies there for the next start. */
  async stop(patienceMs: number): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const away = new OperationalError('SHUTTING_DOWN');
    this.#stopping.abort(away);
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    await this.#watcher?.close();
    await this.#sweeping;
    const killer = setTimeout(() => this.#kill.abort(away), patienceMs);
    await Promise.all([...this.#folders.values()].map((folder) => folder.stop()));
    clearTimeout(killer);
  }

  #announced(event: string, path: string): void {
    // What leaves a folder is mostly what was taken.
    if (event === 'unlink' || event === 'unlinkDir') return;
    const folder = this.#byPath.get(dirname(path));
    if (event !== 'addDir' && folder !== undefined) folder.wake();
    else if (this.#soon === undefined) {
      this.#soon = setTimeout(() => {
        this.#soon = undefined;
        void this.#sweep();
      }, SOON_MS);
    }
  }

  /** Looks for folders, and has each look at its files. Never rejects. */
  #sweep(): Promise<void> {
    this.#sweeping ??= this.#find().catch((error: unknown) => this.parts.log.warn({ err: error }, 'the watched folders cannot be listed')).finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  async #find(): Promise<void> {
    const { settings, log } = this.parts;
    for (const root of settings.roots) await mkdir(root, { recursive: true }).catch((error: unknown) => log.warn({ err: error, root }, 'a root of watched folders cannot be made'));
    const found = await walkFolders(settings.roots, [settings.finished], log);
    if (this.#stopping.signal.aborted) return;
    const present = new Set(found.map(({ real }) => real));
    for (const [real, folder] of this.#folders) {
      if (present.has(real)) continue;
      this.#folders.delete(real);
      this.#byPath.delete(folder.path);
      void folder.stop();
    }
    for (const place of found) this.#visit(place);
  }

  #visit({ path, real, fromRoot, linked, occupied }: FoundFolder): void {
    let folder = this.#folders.get(real);
    if (folder === undefined && occupied) {
      folder = new WatchedFolder(path, fromRoot, this.#folderParts);
      this.#folders.set(real, folder);
      this.#byPath.set(path, folder);
      this.parts.log.debug({ folder: path }, 'a folder is watched');
    }
    if (folder === undefined) return;
    if (linked && this.#watcher !== undefined && !this.#linked.has(real) && !this.#isAnnounced(real)) {
      this.#linked.add(real);
      this.#watcher.add(real);
      this.#byPath.set(real, folder);
    } else if (linked) this.#byPath.set(real, folder);
    folder.wake();
  }

  /** True where the way to it from a root has no link, so that it is announced under its real path as well. */
  #isAnnounced(real: string): boolean {
    return this.parts.settings.roots.some((root) => {
      const way = relative(root, real);
      return way !== '' && !way.startsWith('..') && !way.split(sep).some(isPassedOver);
    });
  }
}
