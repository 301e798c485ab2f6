import { isIPv6 } from 'node:net';
import { AccessError } from '@quire/registry';
import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** How many wrong keys or passwords an address may send. */
export interface ThrottleSettings {
  /** Failures of one address within the window after which a further failure is answered 429. */
  readonly failures: number;
  readonly windowSeconds: number;
  /** Addresses told apart at once; those beyond share one account, which bounds the memory. */
  readonly addresses: number;
}

interface Limiters {
  /** By address: every failure. */
  readonly failures: RateLimiterMemory;
  /** By address and name: passwords that were not right. */
  readonly names: RateLimiterMemory;
  /** By address: passwords of all names that were not right. */
  readonly all: RateLimiterMemory;
}

const usual: ThrottleSettings = { failures: 10, windowSeconds: 60, addresses: 50_000 };
/**
 * Wrong passwords of one address for all names together, as a multiple of those for one name, after which none is
 * looked at: a password costs far more to check than a key.
 */
const ALL_NAMES = 10;
const CROWD = 'crowd';

/**
 * Slows down guessing, address by address. Only failures count, and they count for their address alone: nobody is
 * locked out by somebody else. A right key is always taken; a password is not looked at while its name and address have
 * failed too often.
 */
export class Throttle {
  /** Loaded at first use: the library is worth ten megabytes. */
  #limiters: Promise<Limiters> | undefined;
  #seen = new Set<string>();
  #seenUntil = 0;

  constructor(private readonly settings: ThrottleSettings = usual) {}

  /** Notes a wrong key. Throws TOO_MANY_ATTEMPTS (429) once the address has used up its failures. */
  async failed(address: string): Promise<void> {
    const { failures } = await this.#open();
    await take(failures, this.#account(address));
  }

  /**
   * Before a password is looked at. Throws TOO_MANY_ATTEMPTS while those of this name from this address, or of any
   * name, were wrong too often. Counted beforehand, so that a thousand guesses at once are no way round it;
   * `passwordRight` gives it back.
   */
  async admitPassword(address: string, name: string): Promise<void> {
    const { names, all } = await this.#open();
    const account = this.#account(address);
    await take(all, account);
    await take(names, nameKey(account, name));
  }

  /** Notes that an admitted password was wrong. Throws as `failed` does. */
  async passwordFailed(address: string): Promise<void> {
    await this.failed(address);
  }

  /** Notes that an admitted password was right: the wrong ones of this name from this address are forgiven. */
  async passwordRight(address: string, name: string): Promise<void> {
    const { names, all } = await this.#open();
    const account = this.#account(address);
    await Promise.all([names.delete(nameKey(account, name)), all.reward(account, 1)]);
  }

  /**
   * Notes that an admitted password was right, and that its owner is not in for all that: nothing is counted, and
   * nothing forgiven.
   */
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

/** The part of an address that one customer of a network holds: all of IPv4, the first 64 bits of IPv6 (RFC 6177). */
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
