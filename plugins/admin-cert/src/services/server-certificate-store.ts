import { generateKeyPair } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isQuireError, OperationalError, token, type BasePaths, type Clock, type Logger, type SettingsReader } from '@quire/registry';

/** The server's own certificate on disk. */
export interface ServerCertificate {
  /** True while users may sign with it (`system.serverCertificate.enabled`). */
  readonly enabled: boolean;
  /** Makes a missing one in the background; called when the server starts, never waits for keys. */
  prepare(): void;
  /** DER of the certificate, or undefined when there is none; rejects with SERVICE_NOT_SET_UP when the keystore cannot be read. */
  certificate(): Promise<Uint8Array | undefined>;
  /** Waits for work in the background. */
  settled(): Promise<void>;
}

/** Token of the server's certificate. */
export const serverCertificate = token<ServerCertificate>('admin-cert.serverCertificate');

/** Name of the keystore under `configs/`. */
export const KEYSTORE_NAME = 'server-certificate.p12';
/** Every reader of the keystore uses it. It is no secret: the file's mode protects the key. */
export const KEYSTORE_PASSWORD = 'server-certificate';

const START_DELAY_MS = 1000;

/** Keeps the certificate in `configs/server-certificate.p12` (mode 0600), made on first start (`contract/signing.yml`, serverCertificate). */
export class ServerCertificateStore implements ServerCertificate {
  readonly enabled: boolean;
  readonly #file: string;
  #timer: NodeJS.Timeout | undefined;
  #made: Promise<void> | undefined;

  constructor(private readonly parts: { readonly settings: SettingsReader; readonly paths: BasePaths; readonly clock: Clock; readonly log: Logger }) {
    this.enabled = parts.settings.get<boolean>('system.serverCertificate.enabled');
    this.#file = join(parts.paths.configs, KEYSTORE_NAME);
  }

  prepare(): void {
    if (!this.enabled) return;
    // The first calls after the start matter more than a certificate that nobody has asked for yet.
    this.#timer = setTimeout(() => void this.#ready(), START_DELAY_MS);
    this.#timer.unref();
  }

  async certificate(): Promise<Uint8Array | undefined> {
    await this.#ready();
    let bytes: Uint8Array;
    try {
      bytes = await readFile(this.#file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw unreadable(error);
    }
    const { openKeystore } = await import('../functions/keystore.js');
    const contents = await openKeystore(bytes, KEYSTORE_PASSWORD).catch((error: unknown) => { throw unreadable(error); });
    if (contents === undefined) throw unreadable();
    return contents.certificate;
  }

  async settled(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#made;
  }

  #ready(): Promise<void> {
    clearTimeout(this.#timer);
    this.#made ??= this.#makeIfWanted().catch((error: unknown) => {
      // The next use tries again.
      this.#made = undefined;
      this.parts.log.error({ code: isQuireError(error) ? error.code : (error as NodeJS.ErrnoException).code }, 'the server certificate could not be made');
    });
    return this.#made;
  }

  async #makeIfWanted(): Promise<void> {
    if (!this.enabled) return;
    const { settings, clock, log } = this.parts;
    if (!settings.get<boolean>('system.serverCertificate.regenerateOnStartup') && await exists(this.#file)) return;
    const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
    const [{ buildCertificate }, { sealKeystore }] = await Promise.all([import('../functions/build-certificate.js'), import('../functions/keystore.js')]);
    const now = clock.now();
    const certificate = await buildCertificate({
      organisation: settings.get<string>('system.serverCertificate.organizationName'), validityDays: settings.get<number>('system.serverCertificate.validity'),
      from: now, serial: BigInt(now.getTime()), publicKey, privateKey,
    });
    await writeWhole(this.#file, await sealKeystore({ privateKey, certificate, chain: [] }, KEYSTORE_PASSWORD, 'server'), this.parts.paths.configs);
    log.info({ file: KEYSTORE_NAME }, 'made a server certificate');
  }
}

function unreadable(cause?: unknown): OperationalError {
  return new OperationalError('SERVICE_NOT_SET_UP', { service: 'The server certificate', detail: `configs/${KEYSTORE_NAME} cannot be read` }, { cause });
}

async function exists(file: string): Promise<boolean> {
  return open(file).then((handle) => handle.close().then(() => true), (error: NodeJS.ErrnoException) => error.code !== 'ENOENT');
}

// A keystore that is half written would be worse than none: written aside, flushed, then renamed.
async function writeWhole(file: string, bytes: Uint8Array, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const aside = `${file}.${process.pid}.new`;
  try {
    const handle = await open(aside, 'w', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(aside, file);
  } finally {
    await rm(aside, { force: true });
  }
}
