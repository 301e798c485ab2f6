import { randomUUID } from 'node:crypto';
import { chmod, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger, SharedFiles } from '@quire/registry';
import { removeLeftovers, writeWhole } from './write-whole.js';

/** Name of the keystore under `configs/`. */
export const KEYSTORE_NAME = 'server-certificate.p12';

/** Where the keystore lies. */
export interface KeystorePlace {
  /** Once, before anything else. */
  open(): Promise<void>;
  exists(): Promise<boolean>;
  read(): Promise<Uint8Array | undefined>;
  write(bytes: Uint8Array): Promise<void>;
  /** Puts the first one there; false when there is one. */
  create(bytes: Uint8Array): Promise<boolean>;
  /** False when there was none. */
  remove(): Promise<boolean>;
  /** True when it was removed since `open`, by any server. */
  removedSince(): Promise<boolean>;
}

/** `configs/server-certificate.p12` of this server alone, mode 0600. */
export class KeystoreFile implements KeystorePlace {
  readonly #file: string;
  #removed = false;

  constructor(
    private readonly configs: string,
    private readonly log: Logger,
  ) {
    this.#file = join(configs, KEYSTORE_NAME);
  }

  open(): Promise<void> {
    return removeLeftovers(this.configs, KEYSTORE_NAME);
  }

  exists(): Promise<boolean> {
    return stat(this.#file).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
    );
  }

  async read(): Promise<Uint8Array | undefined> {
    const bytes = await readFile(this.#file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (bytes !== undefined) await this.#closeToOthers();
    return bytes;
  }

  write(bytes: Uint8Array): Promise<void> {
    return writeWhole(this.configs, KEYSTORE_NAME, bytes);
  }

  async create(bytes: Uint8Array): Promise<boolean> {
    await this.write(bytes);
    return true;
  }

  async remove(): Promise<boolean> {
    const there = await this.exists();
    await rm(this.#file, { force: true });
    this.#removed = true;
    return there;
  }

  async removedSince(): Promise<boolean> {
    return this.#removed;
  }

  /** A keystore that was copied here may have come with any mode, and its password is known. */
  async #closeToOthers(): Promise<void> {
    if (((await stat(this.#file)).mode & 0o077) === 0) return;
    await chmod(this.#file, 0o600).then(
      () =>
        this.log.warn(
          { file: KEYSTORE_NAME },
          'others could read the keystore of the server certificate; its mode is 0600 now',
        ),
      () =>
        this.log.warn(
          { file: KEYSTORE_NAME },
          'others can read the keystore of the server certificate, and its mode cannot be changed',
        ),
    );
  }
}

const PATH = `configs/${KEYSTORE_NAME}`;
/** Says by another content that the keystore was removed. */
const REMOVAL = `${PATH}.removed`;

/** The one keystore of all servers on a store. */
export class SharedKeystore implements KeystorePlace {
  #removal = '';

  constructor(private readonly files: SharedFiles) {}

  async open(): Promise<void> {
    this.#removal = await this.#lastRemoval();
  }

  async exists(): Promise<boolean> {
    return (await this.files.list('configs')).some(({ name }) => name === KEYSTORE_NAME);
  }

  read(): Promise<Uint8Array | undefined> {
    return this.files.read(PATH);
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.files.write(PATH, bytes);
  }

  create(bytes: Uint8Array): Promise<boolean> {
    return this.files.create(PATH, bytes);
  }

  async remove(): Promise<boolean> {
    // First: a server that signs meanwhile must find out in any case.
    await this.files.write(REMOVAL, Buffer.from(randomUUID()));
    return this.files.remove(PATH);
  }

  async removedSince(): Promise<boolean> {
    return (await this.#lastRemoval()) !== this.#removal;
  }

  async #lastRemoval(): Promise<string> {
    return Buffer.from((await this.files.read(REMOVAL)) ?? []).toString();
  }
}
