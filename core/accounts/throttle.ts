import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { AccessError, isQuireError } from '@quire/registry';
import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Settings `security.throttle.*`: how many wrong keys and passwords are accepted within the window. */
export interface ThrottleSettings {
  /** Wrong keys of one address, after which further wrong ones get 429. */
  readonly keys: number;
  /** Wrong passwords for one account from one address, after which none is checked for it from there. */
  readonly passwords: number;
  /** Wrong passwords for all accounts from one address, after which only people known there are checked. */
  readonly addressPasswords: number;
  /** Calls with share links by people without an account, from one address. */
  readonly linkCalls: number;
  readonly windowSeconds: number;
  /** Number of addresses that are counted separately; all others share counts by network, which limits memory. */
  readonly addresses: number;
}

interface Limiters {
  /** By address: wrong keys. */
  readonly keys: RateLimiterMemory;
  /** By address and name: wrong passwords. */
  readonly names: RateLimiterMemory;
  /** By address: wrong passwords for all names. */
  readonly all: RateLimiterMemory;
  /** By address and name: mails that reset a password. */
  readonly resets: RateLimiterMemory;
  /** By address: such mails for all names, and wrong links. */
  readonly allResets: RateLimiterMemory;
  /** By address: calls with share links. */
  readonly links: RateLimiterMemory;
  /** By address and link: wrong passwords of share links. */
  readonly linkPasswords: RateLimiterMemory;
}

/** What was counted, for the text of the error; nothing for keys. */
type Counted = 'account' | 'password' | 'passkey' | 'reset' | 'links' | 'link';

const usual: ThrottleSettings = {
  keys: 10,
  passwords: 10,
  addressPasswords: 100,
  linkCalls: 120,
  windowSeconds: 60,
  addresses: 50_000,
};
/** Password resets from one address within the window: for one account, and for all together. */
const RESETS = { account: 3, address: 20 } as const;
/** Shared counts of the networks beyond `addresses`. */
const CROWDS = 1024;

/**
 * Slows down guessing, per address. Only failures count, and only for their own address, so that nobody can lock out
 * others. A right key is always accepted, and wrong keys never delay passwords. A password is not checked after too
 * many failures of its account and address, nor after too many of its address, unless its user is known there.
 */
export class Throttle {
  readonly #settings: ThrottleSettings;
  /** Loaded at first use: the library takes ten megabytes. */
  #limiters: Promise<Limiters> | undefined;
  #seen = new Set<string>();
  #seenUntil = 0;

  constructor(settings: Partial<ThrottleSettings> = {}) {
    this.#settings = { ...usual, ...settings };
  }

  /** Counts a wrong key. Throws TOO_MANY_ATTEMPTS (429) once the address has reached its limit of failures. */
  async failed(address: string): Promise<void> {
    const { keys } = await this.#open();
    await take(keys, this.#account(address));
  }

  /**
   * Call before a password is checked. Throws TOO_MANY_ATTEMPTS after too many wrong passwords for this name from this
   * address, or for any name from there unless `isKnown` resolves to true. The attempt is counted beforehand, so that a
   * thousand simultaneous guesses are limited too; `passwordRight` takes it back. Passkeys are counted with passwords;
   * their `name` is the id of the passkey, and `passkey` chooses the text of the error.
   */
  async admitPassword(address: string, name: string, isKnown: () => Promise<boolean>, passkey = false): Promise<void> {
    const { names, all } = await this.#open();
    const account = this.#account(address);
    // First: attempts that are refused here must not use up what the address has for other names.
    await take(names, nameKey(account, name), passkey ? 'passkey' : 'account');
    try {
      await take(all, account, passkey ? 'passkey' : 'password');
    } catch (error) {
      if (!isQuireError(error) || !(await isKnown())) throw error;
    }
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

  /**
   * Call before a password reset is begun for a name, and after a wrong link, then without a name. Throws
   * TOO_MANY_ATTEMPTS after too many for this name from this address, or too many from the address. Counted apart from
   * passwords: asking for a mail must not keep anybody from logging in.
   */
  async admitReset(address: string, name?: string): Promise<void> {
    const { resets, allResets } = await this.#open();
    const account = this.#account(address);
    if (name !== undefined) await take(resets, nameKey(account, name), 'reset');
    await take(allResets, account, 'reset');
  }

  /** Call before a share link is followed for somebody without an account. Throws TOO_MANY_ATTEMPTS. */
  async admitLink(address: string): Promise<void> {
    const { links } = await this.#open();
    await take(links, this.#account(address), 'links');
  }

  /**
   * Call before the password of a share link is checked; the attempt is counted beforehand, and `linkPasswordRight`
   * clears it. Counted apart from accounts: guesses at a link must not keep anybody from logging in. Throws
   * TOO_MANY_ATTEMPTS.
   */
  async admitLinkPassword(address: string, token: string): Promise<void> {
    const { linkPasswords } = await this.#open();
    await take(linkPasswords, nameKey(this.#account(address), token), 'link');
  }

  /** Call when the password of a share link was right. */
  async linkPasswordRight(address: string, token: string): Promise<void> {
    const { linkPasswords } = await this.#open();
    await linkPasswords.delete(nameKey(this.#account(address), token));
  }

  #open(): Promise<Limiters> {
    const { keys, passwords, addressPasswords, linkCalls, windowSeconds: duration } = this.#settings;
    this.#limiters ??= import('rate-limiter-flexible').then(({ RateLimiterMemory: Limiter }) => ({
      keys: new Limiter({ points: keys, duration }),
      names: new Limiter({ points: passwords, duration }),
      all: new Limiter({ points: addressPasswords, duration }),
      resets: new Limiter({ points: RESETS.account, duration }),
      allResets: new Limiter({ points: RESETS.address, duration }),
      links: new Limiter({ points: linkCalls, duration }),
      linkPasswords: new Limiter({ points: passwords, duration }),
    }));
    return this.#limiters;
  }

  #account(address: string): string {
    const now = Date.now();
    if (now > this.#seenUntil) {
      this.#seen = new Set();
      this.#seenUntil = now + this.#settings.windowSeconds * 1000;
    }
    const account = networkOf(address);
    if (this.#seen.has(account)) return account;
    if (this.#seen.size >= this.#settings.addresses) return crowdOf(account);
    this.#seen.add(account);
    return account;
  }
}

/** One provider's network shares a count: somebody with very many addresses uses up their own. */
function crowdOf(network: string): string {
  const wide = network.includes(':') ? network.split(':').slice(0, 3).join(':') : network.replace(/\.\d+$/, '');
  return `crowd ${createHash('sha256').update(wide).digest().readUInt32BE(0) % CROWDS}`;
}

async function take(limiter: RateLimiterMemory, key: string, what?: Counted): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    throw tooMany(refusal as RateLimiterRes, what);
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

function tooMany(state: RateLimiterRes, what: Counted | undefined): AccessError {
  return new AccessError('TOO_MANY_ATTEMPTS', {
    seconds: Math.max(1, Math.ceil(state.msBeforeNext / 1000)),
    ...(what === undefined ? {} : { [what]: true }),
  });
}
