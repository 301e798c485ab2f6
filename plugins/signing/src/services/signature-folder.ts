import { constants, type Dirent } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { OperationalError } from '@quire/registry';
import { isWithinLimits, MAX_IMAGE_BYTES } from '../functions/signature-image-data.js';
import { folderKey, idOfImage } from '../functions/signature-image-names.js';
import { imageKind, type ImageKind } from '../functions/signature-image-shape.js';
import type { Verdicts } from './verdicts.js';

/** An image file: plain and no link. */
export interface ImageFile {
  readonly fileName: string;
  readonly id: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Records have some hundred bytes. */
const MAX_RECORD_BYTES = 64 * 1024;
/** No id has a `~`, so nothing that is being written can be taken for a saved file. */
const UNFINISHED = /^~(image|record|label)~(.+)$/;
/** Fails for a link, and does not wait for the other end of a pipe. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * One folder of saved signatures: an image `<id>.<ext>` and beside it a record `<id>.json`. Links are not followed,
 * neither the folder itself nor a file in it. Changes are not made safe against each other here: the caller makes them
 * one after the other.
 */
export class SignatureFolder {
  private constructor(
    readonly path: string,
    private readonly verdicts: Verdicts,
  ) {}

  /** Finds the folder with this name in `root`, ignoring case; if there is none, the one that `save` will create. */
  static async find(root: string, name: string, verdicts: Verdicts): Promise<SignatureFolder> {
    if (await isFolder(join(root, name))) return new SignatureFolder(join(root, name), verdicts);
    const key = folderKey(name);
    const other = (await entriesOf(root))
      .filter((entry) => entry.isDirectory() && folderKey(entry.name) === key)
      .map((entry) => entry.name)
      .sort()[0];
    return new SignatureFolder(join(root, other ?? name), verdicts);
  }

  /** Files named as images, in the order of their names, whatever is in them. */
  async files(): Promise<readonly ImageFile[]> {
    if (!(await isFolder(this.path))) return [];
    const found: ImageFile[] = [];
    for (const { name } of (await entriesOf(this.path))
      .filter((entry) => entry.isFile())
      .sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const id = idOfImage(name);
      const facts = id === undefined ? undefined : await lstat(join(this.path, name)).catch(() => undefined);
      if (id !== undefined && facts !== undefined)
        found.push({ fileName: name, id, size: facts.size, time: Math.round(facts.mtimeMs) });
    }
    return found;
  }

  /** Those of `files` that may be shown: PNG or JPEG by content, whole, within the limits for one image. */
  async images(): Promise<readonly ImageFile[]> {
    const shown: ImageFile[] = [];
    for (const file of await this.files()) if (await this.#isShown(file)) shown.push(file);
    return shown;
  }

  /** Returns the content of an image, or undefined if there is none that may be shown. */
  async image(fileName: string): Promise<{ readonly kind: ImageKind; readonly bytes: Uint8Array } | undefined> {
    if (idOfImage(fileName) === undefined || !(await isFolder(this.path))) return undefined;
    return this.#withFile(fileName, async (handle, size) => {
      if (size > MAX_IMAGE_BYTES) return undefined;
      const bytes = await readAll(handle, size);
      const kind = imageKind(bytes);
      return kind !== undefined && isWithinLimits(bytes) ? { kind, bytes } : undefined;
    });
  }

  /** Text of a record, or undefined. */
  async record(id: string): Promise<string | undefined> {
    if (!(await isFolder(this.path))) return undefined;
    return this.#text(`${id}.json`);
  }

  /** How many records there are without an image. */
  async loneRecords(): Promise<number> {
    if (!(await isFolder(this.path))) return 0;
    const names = (await entriesOf(this.path)).map(({ name }) => name);
    const withImage = new Set(names.map(idOfImage));
    return names.filter((name) => name.endsWith('.json') && !withImage.has(name.slice(0, -'.json'.length))).length;
  }

  /** Replaces the text of a record and leaves the image. */
  async relabel(id: string, record: string): Promise<void> {
    const aside = join(this.path, `~label~${id}.json`);
    await writeAside(aside, Buffer.from(record));
    await rename(aside, join(this.path, `${id}.json`));
    await flush(this.path);
  }

  /**
   * Puts an image and its record there, or a record alone, in place of what had this id. Whatever happens, both are of
   * one save once `recover` has run.
   */
  async save(
    id: string,
    record: string,
    image?: { readonly fileName: string; readonly bytes: Uint8Array },
  ): Promise<void> {
    await this.#make();
    const recordAside = join(this.path, `~record~${id}.json`);
    // The image goes aside before the record does, and into its place before the record: a record alone aside means
    // that its image is in place.
    const imageAside = image === undefined ? undefined : join(this.path, `~image~${image.fileName}`);
    try {
      if (image !== undefined && imageAside !== undefined) await writeAside(imageAside, image.bytes);
      await writeAside(recordAside, Buffer.from(record));
      if (image !== undefined && imageAside !== undefined) await rename(imageAside, join(this.path, image.fileName));
    } catch (error) {
      await rm(recordAside, { force: true });
      if (imageAside !== undefined) await rm(imageAside, { force: true });
      throw error;
    }
    await this.#finish(id, image?.fileName);
  }

  /** Removes image and record; false when there was neither. */
  async remove(id: string): Promise<boolean> {
    if (!(await isFolder(this.path))) return false;
    const mine = await this.#filesOf(id);
    const known = (await entriesOf(this.path)).some(({ name }) => name === `${id}.json`);
    // The image goes first: without it the signature is gone for everybody.
    for (const name of [...mine, ...(known ? [`${id}.json`] : [])]) await rm(join(this.path, name), { force: true });
    return mine.length > 0 || known;
  }

  /** Removes the folder with all that is in it. */
  async clear(): Promise<void> {
    if (await isFolder(this.path)) await rm(this.path, { recursive: true, force: true });
  }

  /** Moves what is in it to another folder, which keeps what it has of the same name. */
  async moveTo(target: unknown): Promise<void> {
    if (!(target instanceof SignatureFolder)) throw new TypeError('folders move to folders');
    if (!(await isFolder(this.path))) return;
    await target.#make();
    const taken = new Set((await entriesOf(target.path)).map(({ name }) => name));
    for (const { name } of await entriesOf(this.path))
      if (!taken.has(name)) await rename(join(this.path, name), join(target.path, name));
    await this.clear();
  }

  /** Brings to an end what a server that was killed left behind. */
  async recover(): Promise<void> {
    if (!(await isFolder(this.path))) return;
    const aside = (await entriesOf(this.path)).flatMap(({ name }) => {
      const [, what, fileName] = UNFINISHED.exec(name) ?? [];
      return what === undefined || fileName === undefined ? [] : [{ name, what, fileName }];
    });
    const images = aside.filter(({ what }) => what === 'image');
    for (const { name, fileName } of aside.filter(({ what }) => what === 'record')) {
      const id = fileName.replace(/\.json$/, '');
      const address = images.some((image) => idOfImage(image.fileName) === id)
        ? undefined
        : addressIn(await this.#text(name));
      if (address === undefined) await rm(join(this.path, name), { force: true });
      else
        await this.#finish(
          id,
          address === null ? undefined : decodeURIComponent(address.slice(address.lastIndexOf('/') + 1)),
        );
    }
    for (const { name } of aside.filter(({ what }) => what !== 'record'))
      await rm(join(this.path, name), { force: true });
  }

  /** Moves the prepared record into place; images of the same id with another name are removed. */
  async #finish(id: string, fileName: string | undefined): Promise<void> {
    for (const other of await this.#filesOf(id))
      if (other !== fileName) await rm(join(this.path, other), { force: true });
    await rename(join(this.path, `~record~${id}.json`), join(this.path, `${id}.json`));
    await flush(this.path);
  }

  async #isShown(file: ImageFile): Promise<boolean> {
    return (
      file.size <= MAX_IMAGE_BYTES &&
      this.verdicts.of(
        join(this.path, file.fileName),
        file,
        async () => (await this.image(file.fileName)) !== undefined,
      )
    );
  }

  async #text(name: string): Promise<string | undefined> {
    return this.#withFile(name, async (handle, size) =>
      size > MAX_RECORD_BYTES ? undefined : (await readAll(handle, size)).toString('utf8'),
    );
  }

  async #filesOf(id: string): Promise<readonly string[]> {
    return (await entriesOf(this.path))
      .filter((entry) => !entry.isDirectory() && idOfImage(entry.name) === id)
      .map(({ name }) => name);
  }

  async #make(): Promise<void> {
    await mkdir(this.path, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    if (!(await isFolder(this.path)))
      throw new OperationalError('SERVICE_NOT_SET_UP', {
        service: 'Keeping signatures',
        detail: 'the folder of this user is a link or no folder',
      });
  }

  /** Opens a plain file of this folder; undefined if it does not exist. */
  async #withFile<T>(name: string, read: (handle: FileHandle, size: number) => Promise<T>): Promise<T | undefined> {
    const handle = await open(join(this.path, name), READ).catch((error: NodeJS.ErrnoException) => {
      if (['ENOENT', 'ELOOP', 'ENXIO', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(error.code ?? ''))
        return undefined;
      throw error;
    });
    if (handle === undefined) return undefined;
    try {
      const facts = await handle.stat();
      return facts.isFile() ? await read(handle, facts.size) : undefined;
    } finally {
      await handle.close();
    }
  }
}

/** Address of the image in a record; null for a record without one, undefined for an incomplete record. */
function addressIn(text: string | undefined): string | null | undefined {
  try {
    const { dataUrl } = JSON.parse(text ?? '') as { readonly dataUrl?: unknown };
    return typeof dataUrl === 'string' || dataUrl === null ? dataUrl : undefined;
  } catch {
    return undefined;
  }
}

async function readAll(handle: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  const { bytesRead } = await handle.read(bytes, 0, size, 0);
  return bytes.subarray(0, bytesRead);
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (facts) => facts.isDirectory(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
      throw error;
    },
  );
}

async function entriesOf(path: string): Promise<readonly Dirent[]> {
  return readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

async function writeAside(path: string, bytes: Uint8Array): Promise<void> {
  // A leftover of an earlier run may be a link.
  await rm(path, { force: true });
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A rename is on disk only when its folder is; some file systems cannot flush one. */
async function flush(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
