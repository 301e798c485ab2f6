import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Seals a value with AES-256-GCM (NIST SP 800-38D). `context` is bound in: what was sealed for one job opens for no
 * other.
 */
export function sealJson(key: Buffer, context: string, value: unknown): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(key), nonce);
  cipher.setAAD(Buffer.from(context, 'utf8'));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value) ?? 'null', 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Opens a sealed value; throws when the key or the context is another, or a bit was changed. */
export function openJson(key: Buffer, context: string, sealed: string): unknown {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(key), bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(context, 'utf8'));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')) as unknown;
}

/**
 * Reads the key file, or makes it with 256 random bits, readable by the server's user alone. Two servers starting at
 * once get the same key.
 */
export async function loadSecretKey(path: string): Promise<Buffer> {
  const present = await readFile(path, 'utf8').catch(() => undefined);
  if (present !== undefined) return Buffer.from(present.trim(), 'hex');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(fresh, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  await chmod(fresh, 0o600);
  // A link is refused when the name is taken: the first server wins, and a half-written key is never seen.
  await link(fresh, path).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  });
  await rm(fresh, { force: true });
  return Buffer.from((await readFile(path, 'utf8')).trim(), 'hex');
}

function keyOf(key: Buffer): Buffer {
  return key.length === 32 ? key : createHash('sha256').update(key).digest();
}
