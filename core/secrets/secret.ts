import { createHmac, hkdfSync } from 'node:crypto';
import { loadSecretKey, openJson, sealJson } from './sealed-json.js';

/**
 * The secret of a store, which is never saved in it (`openStoreSecret`). Every use has a key of its own, derived from
 * it (HKDF, RFC 5869), so that a digest made for one purpose says nothing in another. Servers that share a store share
 * it.
 */
export class ServerSecret {
  readonly #keys = new Map<string, Buffer>();

  constructor(private readonly bytes: Buffer) {}

  /** Reads the file, or makes it at the first start. */
  static async load(path: string): Promise<ServerSecret> {
    return new ServerSecret(await loadSecretKey(path));
  }

  /** 32 bytes for one purpose; always the same ones. */
  keyFor(purpose: string): Buffer {
    let key = this.#keys.get(purpose);
    if (key === undefined)
      this.#keys.set(purpose, (key = Buffer.from(hkdfSync('sha256', this.bytes, '', `quire ${purpose}`, 32))));
    return key;
  }

  /** A keyed digest (HMAC-SHA256) by which a secret text is found again without being kept; base64url. */
  digest(purpose: string, text: string): string {
    return createHmac('sha256', this.keyFor(purpose)).update(text).digest('base64url');
  }

  /** Encrypts a value for one purpose and one record (AES-256-GCM). */
  seal(purpose: string, id: string, value: unknown): string {
    return sealJson(this.keyFor(purpose), id, value);
  }

  /** The value again; throws when the secret, the purpose or the record is another, or a bit was changed. */
  open(purpose: string, id: string, sealed: string): unknown {
    return openJson(this.keyFor(purpose), id, sealed);
  }
}
