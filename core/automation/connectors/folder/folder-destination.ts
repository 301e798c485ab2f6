import { randomUUID } from 'node:crypto';
import { lstatSync, type BigIntStats } from 'node:fs';
import { readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import Joi from 'joi';
import {
  callsFor,
  copyDurably,
  placeAt,
  pooledCalls,
  statsOrGone,
  syncFolder,
  unlessMissing,
  type DiskCalls,
} from '../../../folders/index.js';
import { outputFileName } from '../../../operations/runner/index.js';
import { measured } from '../copied-file.js';
import type { ConnectorDeps } from '../deps.js';
import { proving } from '../faults.js';
import type {
  Abandoned,
  ConnectorOptions,
  DeliveredFile,
  Delivery,
  DestinationKind,
  OpenDestination,
} from '../model.js';
import { idOf, readNote } from '../note.js';
import { readOptions } from '../read-options.js';
import { allowedFolder, directoryField, onDisk } from './allowed-folders.js';
import { freeNames } from './folder-files.js';

interface FolderOptions {
  readonly directory: string;
  readonly filenamePattern: string;
}

/** Remembered before a file gets its name. `host` is the computer with the part file. */
interface Note {
  readonly name: string;
  readonly host: string;
  /** How many names the part file has without this one; missing for one that was copied, which has one. */
  readonly links?: number | undefined;
}

const note = Joi.object<Note>({
  name: Joi.string().required(),
  host: Joi.string().required(),
  links: Joi.number().integer().min(1),
});

const options = Joi.object<FolderOptions>({
  directory: directoryField,
  filenamePattern: Joi.string()
    .max(200)
    .pattern(/[/\\\0]/, { invert: true })
    .default('{filename}')
    .description(
      'Name of each file without its extension: {filename}, {date} (20260131) and {time} (235959) are filled in',
    )
    .meta({ shown: { label: 'Name of the results' } }),
});

/** Puts results into a folder of the server, each under a name that is free. */
export function folderDestination({ settings, clock }: Pick<ConnectorDeps, 'settings' | 'clock'>): DestinationKind {
  const read = (given: ConnectorOptions): FolderOptions => readOptions('DESTINATION', options, given);
  return {
    type: 'folder',
    title: 'Folder of the server',
    help: 'Puts each result into a folder of the server.',
    icon: 'folder-sync',
    options,
    secrets: [],
    brief: true,
    async check(given) {
      const { directory } = read(given);
      await proving('DESTINATION', 'directory', async () => {
        const folder = await allowedFolder('DESTINATION', directory, settings, true);
        const probe = join(folder, `.quire-check-${randomUUID()}`);
        await onDisk('DESTINATION', directory, async () => {
          await writeFile(probe, '', { flag: 'wx' });
          await rm(probe, { force: true });
        });
      });
    },
    async open(given) {
      const chosen = read(given);
      return new FolderDestination(
        chosen,
        () => allowedFolder('DESTINATION', chosen.directory, settings, true),
        (folder) => callsFor(folder, settings.paths.store),
        () => clock.now(),
      );
    },
    async sweep(given, abandoned) {
      const { directory } = read(given);
      const folder = await allowedFolder('DESTINATION', directory, settings);
      await onDisk('DESTINATION', directory, () => sweepParts(folder, abandoned, clock.now().getTime()));
    },
  };
}

const PART = '.quire-part-';

async function sweepParts(folder: string, abandoned: Abandoned, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(PART)) continue;
    const path = join(folder, name);
    const stats = await statsOrGone(path);
    if (stats !== undefined && abandoned(name.slice(PART.length), now - Number(stats.mtimeMs)))
      await rm(path, { force: true });
  }
}

/**
 * A delivery has three steps: the content is written to a hidden part file and flushed, the chosen name is remembered,
 * and the file gets that name. Only then the part file is removed. So after a crash, a part file says that the name is
 * still to be given, and a remembered name without a part file that it was given. A result that nobody else needs and
 * that is on the same disk becomes the part file by a second name, without a copy (ADR 0122).
 */
class FolderDestination implements OpenDestination {
  /** The folder, once it was found to be allowed. */
  #allowed: string | undefined;
  #disk: DiskCalls = pooledCalls;

  constructor(
    private readonly options: FolderOptions,
    private readonly folder: () => Promise<string>,
    private readonly callsFor: (folder: string) => Promise<DiskCalls>,
    private readonly now: () => Date,
  ) {}

  async deliver(file: DeliveredFile, delivery: Delivery): Promise<{ readonly place: string }> {
    const folder = await this.#folder();
    return onDisk('DESTINATION', this.options.directory, async () => {
      const part = join(folder, PART + idOf(delivery));
      const before = readNote(delivery, note);
      const state = before === undefined ? 'begun' : await stateOf(folder, part, before, file);
      if (before !== undefined && state === 'placed') return { place: join(folder, before.name) };
      const links = state === 'begun' ? await makePart(file, part, this.#disk) : before?.links;
      const name = await this.#place(folder, { part, links }, file, delivery, before);
      return { place: join(folder, name) };
    });
  }

  async close(): Promise<void> {}

  /** Checks again only when the path leads to another folder, or to none: a check costs twenty calls of the disk. */
  async #folder(): Promise<string> {
    const { directory } = this.options;
    // A path with links in it may lead over other disks.
    const disk = directory === this.#allowed ? this.#disk : pooledCalls;
    const real = this.#allowed === undefined ? undefined : await disk.realpath(directory).catch(() => '');
    if (real !== undefined && real === this.#allowed) return real;
    const allowed = await this.folder();
    this.#disk = await this.callsFor(allowed);
    this.#allowed = allowed;
    return allowed;
  }

  async #place(
    folder: string,
    { part, links }: { readonly part: string; readonly links: number | undefined },
    file: DeliveredFile,
    delivery: Delivery,
    before: Note | undefined,
  ): Promise<string> {
    const wanted = outputFileName(this.options.filenamePattern, file.name, {
      pipelineName: delivery.automation,
      now: this.now(),
    });
    let name = before?.name;
    for (;;) {
      const reserved = name === undefined ? await freeNames.reserve(folder, wanted, [], this.#disk) : undefined;
      try {
        const chosen = name ?? reserved ?? wanted;
        if (chosen !== before?.name || before.host !== hostname())
          await delivery.remember(JSON.stringify({ name: chosen, host: hostname(), links } satisfies Note));
        if (await placeAt(part, join(folder, chosen), this.#disk)) {
          await syncFolder(folder, this.#disk);
          await unlessMissing(this.#disk.unlinkName(part));
          return chosen;
        }
      } finally {
        if (reserved !== undefined) freeNames.release(folder, reserved);
      }
      name = undefined;
    }
  }
}

/**
 * How far an earlier attempt got, which remembered a name: `written` means that its part file is complete, because it
 * was flushed before. Removes the part file of a delivery that is placed.
 */
async function stateOf(
  folder: string,
  part: string,
  { name, host, links }: Note,
  file: DeliveredFile,
): Promise<'begun' | 'written' | 'placed'> {
  const left = await statsOrGone(part);
  if (left !== undefined) {
    // One more link is the name, even if somebody has changed it since. Other names of a result may be gone meanwhile.
    const named = left.nlink > BigInt(links ?? 1) || (links !== undefined && (await isAt(join(folder, name), left)));
    if (!named) return 'written';
    await unlessMissing(unlink(part));
    return 'placed';
  }
  // Gone from the computer that wrote it: the part file was removed after the name was given.
  if (host === hostname()) return 'placed';
  const there = await statsOrGone(join(folder, name));
  const same = there?.isFile() === true && Number(there.size) === file.size;
  return same && (await sameContent(join(folder, name), file)) ? 'placed' : 'begun';
}

async function sameContent(path: string, file: DeliveredFile): Promise<boolean> {
  const [one, other] = await Promise.all([measured(path), measured(file.path)]);
  return one.sha256 === other.sha256;
}

async function isAt(path: string, { ino, dev }: BigIntStats): Promise<boolean> {
  const there = await statsOrGone(path);
  return there?.ino === ino && there.dev === dev;
}

/**
 * Puts the content under its hidden name; returns how many names the file has then, undefined for a copy. A part file
 * of an earlier attempt is replaced: it may be incomplete.
 */
async function makePart(file: DeliveredFile, part: string, disk: DiskCalls): Promise<number | undefined> {
  // On the disk of the server's own files, which answers at once.
  if (file.linkable === true && (await linked(file.path, part, disk))) return lstatSync(part).nlink;
  await writePart(file, part);
  return undefined;
}

/** Gives a file another name; false where that is not possible, as on another disk. */
async function linked(from: string, to: string, disk: DiskCalls): Promise<boolean> {
  const place = (): Promise<true> => disk.link(from, to).then(() => true as const);
  return place().catch(async (error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    await rm(to);
    return place().catch(() => false);
  });
}

/** Writes the content under its hidden name. A part file of an earlier attempt is replaced: it may be incomplete. */
async function writePart(file: DeliveredFile, part: string): Promise<void> {
  try {
    await copyDurably(file.path, part).catch(async (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await rm(part);
      await copyDurably(file.path, part);
    });
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}
