import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { SigningIdentity } from '@quire/document/signatures/certificates';
import {
  InputError,
  isQuireError,
  OperationalError,
  token,
  type Clock,
  type Logger,
  type SettingsReader,
} from '@quire/registry';
import { KEYSTORE_NAME, type KeystorePlace } from './keystore-place.js';

/** The server's own key and certificate on disk. */
export interface ServerCertificate {
  /** True while users may sign with it (`system.serverCertificate.enabled`). */
  readonly enabled: boolean;
  /** Creates a missing certificate in the background; called at server start, never waits for keys. */
  prepare(): void;
  /**
   * DER of the certificate on disk, or undefined without one; rejects with SERVICE_NOT_SET_UP if the keystore cannot be
   * read.
   */
  certificate(): Promise<Uint8Array | undefined>;
  /**
   * The identity that was on disk at server start. Rejects with SERVER_CERTIFICATE_DISABLED, SERVER_CERTIFICATE_MISSING
   * (also after it was deleted), or SERVICE_NOT_SET_UP.
   */
  atStart(): Promise<SigningIdentity>;
  /** Puts another identity in its place. */
  replace(identity: SigningIdentity): Promise<void>;
  /**
   * Puts a new self-signed one in its place, made from the settings. Rejects with SERVER_CERTIFICATE_DISABLED, and then
   * leaves what is there.
   */
  generate(): Promise<void>;
  /** Deletes it; false when there was none. */
  remove(): Promise<boolean>;
  /** Waits for work in the background. */
  settled(): Promise<void>;
}

/** Token of the server's certificate. */
export const serverCertificate = token<ServerCertificate>('admin-cert.serverCertificate');

/** Used by every reader of the keystore. Not a secret: the file mode protects the key. */
const KEYSTORE_PASSWORD = 'server-certificate';
const KEYSTORE_ALIAS = 'server';

const START_DELAY_MS = 1000;

/** Keeps the certificate in a keystore, made on first start (`docs/interface/signing.yml`, serverCertificate). */
export class ServerCertificateStore implements ServerCertificate {
  readonly enabled: boolean;
  #timer: NodeJS.Timeout | undefined;
  #made: Promise<void> | undefined;
  /** The keystore that was there at the start; opened on first use, which loads libraries. */
  #atStart: Promise<Uint8Array | undefined> | undefined;
  #identity: Promise<SigningIdentity> | undefined;
  #deleted = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly parts: {
      readonly settings: SettingsReader;
      readonly place: KeystorePlace;
      readonly clock: Clock;
      readonly log: Logger;
    },
  ) {
    this.enabled = parts.settings.get<boolean>('system.serverCertificate.enabled');
  }

  prepare(): void {
    if (!this.enabled) return;
    // The first calls after the start matter more than a certificate that nobody has asked for yet.
    this.#timer = setTimeout(() => void this.#start().catch(() => undefined), START_DELAY_MS);
    this.#timer.unref();
  }

  async certificate(): Promise<Uint8Array | undefined> {
    await this.#ready();
    const keystore = await this.#read();
    return keystore && (await this.#open(keystore)).certificate;
  }

  async atStart(): Promise<SigningIdentity> {
    if (!this.enabled) throw new InputError('SERVER_CERTIFICATE_DISABLED');
    const keystore = await this.#start();
    if (keystore === undefined || this.#deleted || (await this.parts.place.removedSince()))
      throw new InputError('SERVER_CERTIFICATE_MISSING');
    this.#identity ??= this.#open(keystore);
    return this.#identity;
  }

  replace(identity: SigningIdentity): Promise<void> {
    return this.#inTurn(async () => {
      await this.parts.place.write(await sealed(identity));
      this.parts.log.info({ file: KEYSTORE_NAME }, 'the server certificate was replaced by an uploaded one');
    });
  }

  generate(): Promise<void> {
    if (!this.enabled) return Promise.reject(new InputError('SERVER_CERTIFICATE_DISABLED'));
    return this.#inTurn(() => this.#make());
  }

  remove(): Promise<boolean> {
    return this.#inTurn(async () => {
      const there = await this.parts.place.remove();
      // A key that was deleted, perhaps because somebody else has it, must not sign until the next start.
      this.#deleted = true;
      this.parts.log.info({ file: KEYSTORE_NAME }, 'the server certificate was deleted');
      return there;
    });
  }

  async settled(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.allSettled([this.#made, this.#atStart, this.#last]);
  }

  /**
   * Changes come one after the other, and after what was there at the start has been read: that is what signs until the
   * next start.
   */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => this.#start().catch(() => undefined)).then(change);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #start(): Promise<Uint8Array | undefined> {
    this.#atStart ??= this.#ready()
      .then(() => this.#read())
      .then((keystore) => {
        // Making it failed; the next use tries again.
        if (keystore === undefined && this.enabled && this.#made === undefined) this.#atStart = undefined;
        return keystore;
      });
    return this.#atStart;
  }

  #ready(): Promise<void> {
    clearTimeout(this.#timer);
    this.#made ??= this.#makeIfWanted().catch((error: unknown) => {
      // The next use tries again.
      this.#made = undefined;
      this.parts.log.error(
        { code: isQuireError(error) ? error.code : (error as NodeJS.ErrnoException).code },
        'the server certificate could not be made',
      );
    });
    return this.#made;
  }

  async #makeIfWanted(): Promise<void> {
    const { settings, place } = this.parts;
    await place.open();
    if (!this.enabled) return;
    if (settings.get<boolean>('system.serverCertificate.regenerateOnStartup')) await this.#make();
    // Where servers share it, another may be making the first one as well: that of the quicker one counts.
    else if (!(await place.exists())) await this.#make((bytes) => place.create(bytes));
  }

  async #make(keep?: (bytes: Uint8Array) => Promise<boolean>): Promise<void> {
    const { settings, clock, log, place } = this.parts;
    const now = clock.now();
    const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
    const { selfSigned } = await import('@quire/document/signatures/certificates/making');
    const certificate = selfSigned({
      organisation: settings.get<string>('system.serverCertificate.organizationName'),
      validityDays: settings.get<number>('system.serverCertificate.validity'),
      from: now,
      serial: BigInt(now.getTime()),
      publicKey,
      privateKey,
    });
    const keystore = await sealed({ privateKey, certificate, chain: [] });
    if (keep === undefined) await place.write(keystore);
    else if (!(await keep(keystore))) return;
    log.info({ file: KEYSTORE_NAME }, 'made a server certificate');
  }

  async #read(): Promise<Uint8Array | undefined> {
    try {
      return await this.parts.place.read();
    } catch (error) {
      throw this.#unreadable(error);
    }
  }

  async #open(keystore: Uint8Array): Promise<SigningIdentity> {
    const { openKeystore } = await import('@quire/document/signatures/certificates');
    try {
      return await openKeystore(keystore, KEYSTORE_PASSWORD);
    } catch (error) {
      throw this.#unreadable(error);
    }
  }

  #unreadable(error: unknown): unknown {
    if (isQuireError(error) && error.code === 'STORE_DOWN') return error;
    this.parts.log.error(
      { code: (error as { readonly code?: unknown }).code },
      'the keystore of the server certificate cannot be read',
    );
    return new OperationalError(
      'SERVICE_NOT_SET_UP',
      { service: 'The server certificate', detail: `configs/${KEYSTORE_NAME} cannot be read` },
      { cause: error },
    );
  }
}

async function sealed(identity: SigningIdentity): Promise<Uint8Array> {
  const { sealKeystore } = await import('@quire/document/signatures/certificates/making');
  return sealKeystore(identity, KEYSTORE_PASSWORD, KEYSTORE_ALIAS);
}
