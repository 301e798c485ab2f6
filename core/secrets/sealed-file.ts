import { createCipheriv, createDecipheriv, randomBytes, type DecipherGCM } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Returns a file as a stream that is sealed with AES-256-GCM (NIST SP 800-38D): nonce, content, tag. `key`: 32 bytes;
 * `context` is bound in, as by `sealJson`.
 */
export function sealedFile(key: Buffer, context: string, path: string): Readable {
  return Readable.from(sealing(key, context, path));
}

async function* sealing(key: Buffer, context: string, path: string): AsyncGenerator<Buffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context, 'utf8'));
  yield nonce;
  for await (const chunk of createReadStream(path)) yield cipher.update(chunk as Buffer);
  yield Buffer.concat([cipher.final(), cipher.getAuthTag()]);
}

/**
 * Writes the content of a sealed stream to a new path, readable by the server alone. Rejects when the key or the
 * context is another or a bit was changed; then nothing is left.
 */
export async function openSealedFile(key: Buffer, context: string, sealed: Readable, path: string): Promise<void> {
  try {
    await pipeline(sealed, opening(key, context), createWriteStream(path, { mode: 0o600, flags: 'wx' }));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

function opening(key: Buffer, context: string): (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (source) {
    let decipher: DecipherGCM | undefined;
    let held = Buffer.alloc(0);
    for await (const chunk of source) {
      held = Buffer.concat([held, chunk]);
      if (decipher === undefined) {
        if (held.length < NONCE_BYTES) continue;
        decipher = createDecipheriv(ALGORITHM, key, held.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(context, 'utf8'));
        held = held.subarray(NONCE_BYTES);
      }
      // The last bytes are the tag, and nobody knows yet which are the last.
      const ready = Math.max(0, held.length - TAG_BYTES);
      if (ready > 0) yield decipher.update(held.subarray(0, ready));
      held = held.subarray(ready);
    }
    if (decipher === undefined || held.length < TAG_BYTES) throw new Error('a sealed file is shorter than its seal');
    decipher.setAuthTag(held);
    yield decipher.final();
  };
}
