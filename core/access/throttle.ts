import { isIPv6 } from 'node:net';
import { AccessError } from '@quire/registry';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/** How many wrong keys or passwords an address may send. */
export interface ThrottleSettings {
  /** Failures of one address within the window after which a further failure is answered 429. */
  readonly failures: number;
  readonly windowSeconds: number;
  /** Addresses told apart at once; those beyond share one account, which bounds the memory. */
  readonly addresses: number;
}

const usual: ThrottleSettings = { failures: 10, windowSeconds: 60, addresses: 50_000 };
/** Wrong passwords of one address for all names together, as a multiple of those for one name, after which none is looked at: a password costs far more to check than a key. */
const ALL_NAMES = 10;
const CROWD = 'crowd';

/**
 * Slows down guessing, address by address. Only failures count, and they count for their address alone: nobody is locked out by
 * somebody else. A right key is always taken; a password is not looked at while its name and address have failed too often.
 */
export class Throttle {
  readonly #failures: RateLimiterMemory;
  readonly #names: RateLimiterMemory;
  readonly #all: RateLimiterMemory;
  #seen = new Set<string>();
  #seenUntil = 0;

  constructor(private readonly settings: ThrottleSettings = usual) {
    const { failures: points, windowSeconds: duration } = settings;
    this.#failures = new RateLimiterMemory({ points, duration });
    this.#names = new RateLimiterMemory({ points, duration });
    this.#all = new RateLimiterMemory({ points: points * ALL_NAMES, duration });
  }

  /** Notes a wrong key, token or password. Throws TOO_MANY_ATTEMPTS (429) once the address has used up its failures. */
  async failed(address: string): Promise<void> {
    await this.#take(this.#failures, this.#account(address));
  }

  /** Throws TOO_MANY_ATTEMPTS while passwords of this name from this address, or of any name, were wrong too often. */
  async admitPassword(address: string, name: string): Promise<void> {
    const account = this.#account(address);
    for (const [limiter, key] of [[this.#names, nameKey(account, name)], [this.#all, account]] as const) {
      const state = await limiter.get(key);
      if (state !== null && state.consumedPoints >= limiter.points) throw tooMany(state);
    }
  }

  /** Notes a wrong password. Throws as `failed` does. */
  async passwordFailed(address: string, name: string): Promise<void> {
    const account = this.#account(address);
    await Promise.all([this.#names.penalty(nameKey(account, name)), this.#all.penalty(account)]);
    await this.#take(this.#failures, account);
  }

  /** Forgets the wrong passwords of a name from an address, after a right one. */
  async passwordRight(address: string, name: string): Promise<void> {
    await this.#names.delete(nameKey(this.#account(address), name));
  }

  async #take(limiter: RateLimiterMemory, key: string): Promise<void> {
    try {
      await limiter.consume(key);
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal;
      throw tooMany(refusal as RateLimiterRes);
    }
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

/** The part of an address that one customer of a network holds: all of IPv4, the first 64 bits of IPv6 (RFC 6177). */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%')[0]!.toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  return `${[...front, ...Array.from({ length: zeros }, () => '0'), ...back].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

function nameKey(account: string, name: string): string {
  return `${account} ${name.toLowerCase().slice(0, 320)}`;
}

function tooMany(state: RateLimiterRes): AccessError {
  return new AccessError('TOO_MANY_ATTEMPTS', { seconds: Math.max(1, Math.ceil(state.msBeforeNext / 1000)) });
}
