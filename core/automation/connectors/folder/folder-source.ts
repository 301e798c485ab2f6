import { access, constants, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import Joi from 'joi';
import {
  callsFor,
  completeFiles,
  folderSettings,
  markOf,
  pooledCalls,
  type DiskCalls,
  type OpenOnDisk,
  type Readiness,
} from '../../../folders/index.js';
import { measured, writeContent } from '../copied-file.js';
import type { ConnectorDeps } from '../deps.js';
import { proving, unreachable } from '../faults.js';
import type { ConnectorContext, ConnectorOptions, FoundFile, OpenSource, SourceKind } from '../model.js';
import { readOptions } from '../read-options.js';
import { allowedFolder, directoryField, onDisk } from './allowed-folders.js';
import { filesOf, foldersIn, openInside, removeVersion, type Identity, type SeenFile } from './folder-files.js';
import { FolderWatches, type FolderWatch } from './folder-watch.js';

interface FolderOptions {
  readonly directory: string;
  readonly mode: 'consume' | 'snapshot';
  readonly recursive: boolean;
  readonly identity: Identity;
}

const options = Joi.object<FolderOptions>({
  directory: directoryField,
  mode: Joi.string()
    .valid('consume', 'snapshot')
    .default('consume')
    .description('consume removes each file when its results are delivered; snapshot leaves all files where they are')
    .meta({
      shown: { label: 'After delivery', help: '', options: { consume: 'Remove the file', snapshot: 'Leave the file' } },
    }),
  recursive: Joi.boolean()
    .default(false)
    .description('Also read the folders in it, except hidden ones and links')
    .meta({ shown: { label: 'With folders in it' } }),
  identity: Joi.string()
    .valid('stat', 'hash')
    .default('stat')
    .description('How a change of a file is seen: stat by size and time, hash by the SHA-256 of its content')
    .meta({
      shown: {
        label: 'A change is seen by',
        help: '',
        options: { stat: 'Size and time', hash: 'Content' },
        advanced: true,
      },
    }),
});

/** Files that are put into a folder of the server. */
export function folderSource({ settings, log }: Pick<ConnectorDeps, 'settings' | 'log'>): SourceKind {
  const readiness = (): Readiness => folderSettings(settings).readiness;
  const watches = new FolderWatches(readiness, log);
  const read = (given: ConnectorOptions): FolderOptions => readOptions('SOURCE', options, given);
  return {
    type: 'folder',
    title: 'Folder of the server',
    help: 'Takes the files that are put into a folder of the server.',
    icon: 'folder-sync',
    options,
    secrets: [],
    announces: true,
    async check(given) {
      const { directory, mode } = read(given);
      await proving('SOURCE', 'directory', async () => {
        const root = await allowedFolder('SOURCE', directory, settings);
        const needed = constants.R_OK | constants.X_OK | (mode === 'consume' ? constants.W_OK : 0);
        await onDisk('SOURCE', directory, () => access(root, needed));
      });
    },
    async open(given, context) {
      const chosen = read(given);
      const root = await allowedFolder('SOURCE', chosen.directory, settings);
      const watch = watches.of(root, chosen.recursive, chosen.identity);
      // Folders in it may be of other disks.
      const disk = chosen.recursive ? pooledCalls : await callsFor(root, settings.paths.store);
      return new FolderSource({ root, disk, watch, chosen, context, readiness: readiness() });
    },
  };
}

interface Opened {
  readonly root: string;
  readonly disk: DiskCalls;
  readonly watch: FolderWatch;
  readonly chosen: FolderOptions;
  readonly context: ConnectorContext;
  readonly readiness: Readiness;
}

const READ_BYTES = 64 * 1024;

class FolderSource implements OpenSource {
  constructor(private readonly opened: Opened) {}

  async *list(): AsyncGenerator<FoundFile> {
    const { watch, context, readiness } = this.opened;
    let seen = await this.#disk(() => this.#seen());
    let judged = await this.#judged(seen);
    // Two looks must find the same size. Without the second one, a listing once a day would never offer a file.
    if (judged.nextMs !== undefined && judged.nextMs <= readiness.sizeCheckMs) {
      // Timers may fire a fraction of a millisecond early.
      await delay(readiness.sizeCheckMs + 1, undefined, { signal: context.signal }).catch(() => undefined);
      context.signal.throwIfAborted();
      seen = await this.#disk(() => this.#seen());
      judged = await this.#judged(seen);
    }
    const complete = new Set(judged.complete);
    for (const file of seen) {
      context.signal.throwIfAborted();
      if (complete.has(file)) watch.offered.set(file.key, await this.#disk(() => this.#found(file)));
      // A file that is being replaced stays in the listing as it was, until its new version is complete.
      const found = watch.offered.get(file.key);
      if (found !== undefined) yield found;
    }
    if (judged.nextMs !== undefined) watch.again(judged.nextMs + 1);
    watch.keepOnly(new Set(seen.map(({ key }) => key)));
  }

  async fetch(found: FoundFile, path: string) {
    const { key, version } = found;
    const { root, chosen, disk } = this.opened;
    const open = await this.#disk(() => openInside(root, key, disk));
    if (open === undefined) return undefined;
    const { file, stats } = open;
    try {
      if (chosen.identity === 'stat' && markOf(stats) !== version) return undefined;
      const copied = await writeContent(this.#content(file, Number(stats.size)), path);
      // Written to while it was copied: the copy may hold a part of each version.
      const after = await this.#disk(() => file.stats());
      const same = markOf(after) === markOf(stats) && (chosen.identity === 'stat' || copied.sha256 === version);
      if (same) return copied;
      await rm(path, { force: true });
      return undefined;
    } finally {
      await file.close();
    }
  }

  async finish({ key, version }: FoundFile): Promise<void> {
    const { root, chosen, disk } = this.opened;
    if (chosen.mode === 'snapshot') return;
    await this.#disk(() => this.#requireSame());
    await this.#disk(() =>
      removeVersion(
        root,
        key,
        version,
        async (path, stats) => (chosen.identity === 'stat' ? markOf(stats) : (await measured(path)).sha256),
        disk,
      ),
    );
  }

  async watch(arrived: () => void): Promise<{ stop(): Promise<void> }> {
    const { root, watch, chosen } = this.opened;
    const listening = watch.listen(arrived);
    try {
      await this.#disk(async () => {
        const folders: string[] = [];
        for await (const folder of foldersIn(root, chosen.recursive)) folders.push(folder);
        watch.follow(folders);
      });
    } catch (error) {
      await listening.stop();
      throw error;
    }
    return listening;
  }

  async close(): Promise<void> {}

  async #found({ key, name, stats }: SeenFile): Promise<FoundFile> {
    const version = await this.opened.watch.versions.of(this.opened.root, key, stats);
    return { key, name, size: Number(stats.size), version, changedAt: Number(stats.mtimeMs) };
  }

  async #seen(): Promise<SeenFile[]> {
    const { root, disk, watch, chosen, context } = this.opened;
    const found: SeenFile[] = [];
    const folders: string[] = [];
    await this.#requireSame();
    for await (const folder of foldersIn(root, chosen.recursive)) {
      context.signal.throwIfAborted();
      folders.push(folder);
      for await (const file of filesOf(root, folder, disk)) found.push(file);
    }
    watch.follow(folders);
    return found;
  }

  /** A source may be open for days: the folder must not have become a link in the meantime. */
  async #requireSame(): Promise<void> {
    const { root, disk, chosen } = this.opened;
    if ((await disk.realpath(root)) !== root)
      throw unreachable('SOURCE', `${chosen.directory} leads to another folder now`);
  }

  #judged(seen: readonly SeenFile[]) {
    const { root, readiness, watch } = this.opened;
    const now = { nowMs: Date.now(), tick: performance.now() };
    return completeFiles(seen, { folder: root, readiness, watch: watch.settle, ...now });
  }

  /**
   * The content up to the size that it had: a file that grows is another version. Errors of its disk are
   * SOURCE_UNREACHABLE, those of the copy's disk this server's own.
   */
  async *#content(file: OpenOnDisk, size: number): AsyncGenerator<Uint8Array> {
    for (let left = size; left > 0;) {
      this.opened.context.signal.throwIfAborted();
      const buffer = Buffer.allocUnsafe(READ_BYTES);
      const read = await this.#disk(() => file.read(buffer, Math.min(left, READ_BYTES)));
      if (read === 0) return;
      left -= read;
      yield buffer.subarray(0, read);
    }
  }

  #disk<T>(work: () => Promise<T>): Promise<T> {
    return onDisk('SOURCE', this.opened.chosen.directory, work);
  }
}
