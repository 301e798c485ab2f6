import { isIPv6 } from 'node:net';
import { AccessError } from '@quire/registry';
import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** How many wrong keys or passwords an address may send. */
export interface ThrottleSettings {
  /** Failures of one address within the window after which further failures get 429. */
  readonly failures: number;
  readonly windowSeconds: number;
  /** Number of addresses that are counted separately; all others share one count, which limits memory. */
  readonly addresses: number;
}

interface Limiters {
  /** By address: all failures. */
  readonly failures: RateLimiterMemory;
  /** By address and name: wrong passwords. */
  readonly names: RateLimiterMemory;
  /** By address: wrong passwords for all names. */
  readonly all: RateLimiterMemory;
}

const usual: ThrottleSettings = { failures: 10, windowSeconds: 60, addresses: 50_000 };
/**
 * Wrong passwords per address for all names together, as a multiple of the limit for one name, after which no password
 * is checked: checking a password costs far more than checking a key.
 */
const ALL_NAMES = 10;
const CROWD = 'crowd';

/**
 * Slows down guessing, per address. Only failures count, and only for their own address, so that nobody can lock out
 * others. A right key is always accepted; a password is not checked after too many failures of its name or address.
 */
export class Throttle {
  /** Loaded at first use: the library takes ten megabytes. */
  #limiters: Promise<Limiters> | undefined;
  #seen = new Set<string>();
  #seenUntil = 0;

  constructor(private readonly settings: ThrottleSettings = usual) {}

  /** Counts a wrong key. Throws TOO_MANY_ATTEMPTS (429) once the address has reached its limit of failures. */
  async failed(address: string): Promise<void> {
    const { failures } = await this.#open();
    await take(failures, this.#account(address));
  }

  /**
   * Call before a password is checked. Throws TOO_MANY_ATTEMPTS after too many wrong passwords for this name from this
   * address, or for any name. The attempt is counted beforehand, so that a thousand simultaneous guesses are limited
   * too; `passwordRight` takes it back.
   */
  async admitPassword(address: string, name: string): Promise<void> {
    const { names, all } = await this.#open();
    const account = this.#account(address);
    await take(all, account);
    await take(names, nameKey(account, name));
  }

  /** Counts a checked password that was wrong. Throws as `failed` does. */
  async passwordFailed(address: string): Promise<void> {
    await this.failed(address);
  }

  /** Call when a checked password was right: clears the wrong ones for this name from this address. */
  async passwordRight(address: string, name: string): Promise<void> {
    const { names, all } = await this.#open();
    const account = this.#account(address);
    await Promise.all([names.delete(nameKey(account, name)), all.reward(account, 1)]);
  }

  /** Call when a checked password was right but the login did not succeed: counts nothing and clears nothing. */
  async passwordOpen(address: string, name: string): Promise<void> {
    const { names, all } = await this.#open();
    const account = this.#account(address);
    await Promise.all([names.reward(nameKey(account, name), 1), all.reward(account, 1)]);
  }

  #open(): Promise<Limiters> {
    const { failures: points, windowSeconds: duration } = this.settings;
    this.#limiters ??= import('rate-limiter-flexible').then(({ RateLimiterMemory: Limiter }) => ({
      failures: new Limiter({ points, duration }),
      names: new Limiter({ points, duration }),
      all: new Limiter({ points: points * ALL_NAMES, duration }),
    }));
    return this.#limiters;
  }

  #account(address: string): string {
    const now = Date.now();
    if (now > this.#seenUntil) {
      this.#seen = new Set();
      this.#seenUntil = now + this.settings.windowSeconds * 1000;
    }
    const account = networkOf(address);
    if (this.#seen.has(account)) return account;
    if (this.#seen.size >= this.settings.addresses) return CROWD;
    this.#seen.add(account);
    return account;
  }
}

async function take(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    throw tooMany(refusal as RateLimiterRes);
  }
}

/**
 * Returns the part of an address that belongs to one customer of a network: all of IPv4, the first 64 bits of IPv6 (RFC
 * 6177).
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%')[0]!.toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  return `${[...front, ...Array.from({ length: zeros }, () => '0'), ...back]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

function nameKey(account: string, name: string): string {
  return `${account} ${name.toLowerCase().slice(0, 320)}`;
}

function tooMany(state: RateLimiterRes): AccessError {
  return new AccessError('TOO_MANY_ATTEMPTS', { seconds: Math.max(1, Math.ceil(state.msBeforeNext / 1000)) });
}
