import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { InputError } from '@quire/registry';
import { Gate } from '../semaphore/index.js';
import { commonPasswords } from './common-passwords.js';

/** Of new passwords, in characters. Older ones may be shorter. */
export const PASSWORD_LENGTH = { min: 8, max: 1024 } as const;

/** Cost of one hash (RFC 7914): it uses 128 * r * N bytes of memory. */
export interface PasswordCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

/**
 * 32 MiB, about 250 ms on one core: one of the minimum costs for scrypt in OWASP's Password Storage Cheat Sheet. A
 * higher cost applies to each user from the next login.
 */
export const usualCost: PasswordCost = { n: 2 ** 15, r: 8, p: 3 };

/** Hashes computed at once. */
const AT_ONCE = 2;

/**
 * Throws PASSWORD_INVALID for a password that is too short, too long, common or the user's name, or contains a control
 * character that no keyboard sends (NIST SP 800-63B, 5.1.1.2; OWASP ASVS 5.0, 6.2). Existing passwords are not checked.
 */
export function checkNewPassword(password: string, username?: string): string {
  const length = [...password].length;
  if (length < PASSWORD_LENGTH.min)
    throw new InputError('PASSWORD_INVALID', { detail: `it has fewer than ${PASSWORD_LENGTH.min} characters` });
  if (length > PASSWORD_LENGTH.max)
    throw new InputError('PASSWORD_INVALID', { detail: `it has more than ${PASSWORD_LENGTH.max} characters` });
  if (/[\0\r\n]/.test(password))
    throw new InputError('PASSWORD_INVALID', { detail: 'it contains a line break or a zero character' });
  const plain = password.normalize('NFKC').toLowerCase();
  if (commonPasswords.has(plain) || /^(.)\1*$/su.test(plain))
    throw new InputError('PASSWORD_INVALID', { detail: 'it is one of the most common passwords; choose another one' });
  const name = username?.trim().normalize('NFKC').toLowerCase();
  if (name !== undefined && (plain === name || plain === name.split('@')[0]))
    throw new InputError('PASSWORD_INVALID', { detail: 'it is the user name; choose another one' });
  return password;
}

/**
 * Hashes passwords with scrypt (RFC 7914) in the form `scrypt$n$r$p$salt$hash`. The cost is part of the hash, so that
 * it can be raised. Passwords are compared in Unicode form NFKC, because keyboards may encode one character
 * differently.
 */
export class PasswordHasher {
  #nobody: Promise<string> | undefined;
  readonly #gate = new Gate(AT_ONCE);

  constructor(private readonly cost: PasswordCost = usualCost) {}

  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    const { n, r, p } = this.cost;
    return [
      'scrypt',
      n,
      r,
      p,
      salt.toString('base64url'),
      (await this.#derive(password, salt, this.cost)).toString('base64url'),
    ].join('$');
  }

  /** Takes as long without a hash as with one, so that the time does not reveal which names exist. */
  async verify(password: string, stored: string | null | undefined): Promise<boolean> {
    const known = stored ?? (await (this.#nobody ??= this.hash(randomBytes(16).toString('hex'))));
    const [, n, r, p, salt = '', hash = ''] = known.split('$');
    const wanted = Buffer.from(hash, 'base64url');
    const found = await this.#derive(password.slice(0, PASSWORD_LENGTH.max * 2), Buffer.from(salt, 'base64url'), {
      n: Number(n),
      r: Number(r),
      p: Number(p),
    });
    // HMAC treats a short key with and without trailing zero bytes as equal (RFC 2104, 2), so reject passwords that
    // contain a zero.
    return timingSafeEqual(found, wanted) && typeof stored === 'string' && !password.includes('\0');
  }

  /** Limited in number: each derivation uses 32 MiB, and its threads are also needed to read files. */
  async #derive(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
    const leave = await this.#gate.enter();
    try {
      return await derive(password, salt, cost);
    } finally {
      leave();
    }
  }

  /** Returns true when the hash was created with another cost than the current one. */
  outdated(stored: string): boolean {
    const { n, r, p } = this.cost;
    return !stored.startsWith(`scrypt$${n}$${r}$${p}$`);
  }
}

/**
 * Returns a password that the user must replace: 72 random bits as 12 characters, or `hexDigits` hexadecimal digits.
 */
export function randomPassword(hexDigits?: number): string {
  return hexDigits === undefined
    ? randomBytes(9).toString('base64url')
    : randomBytes(Math.ceil(hexDigits / 2))
        .toString('hex')
        .slice(0, hexDigits);
}

function derive(password: string, salt: Buffer, { n, r, p }: PasswordCost): Promise<Buffer> {
  const options: ScryptOptions = { N: n, r, p, maxmem: 256 * n * r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 32, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
