import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { AccessError, type Access, type Principal } from '@quire/registry';

/** Settings that decide who may call. */
export interface GuardSettings {
  readonly loginEnabled: boolean;
  /** The operator's one server-wide key; empty for none. */
  readonly globalKey: string;
  readonly tier: 'free' | 'team' | 'enterprise';
  readonly hosting: 'selfHosted' | 'cloud';
}

const anonymous: Principal = Object.freeze({ id: '', name: 'anonymous', role: 'anonymous', via: 'none' });
const apiUser: Principal = Object.freeze({ id: 'CUSTOM_API_USER', name: 'CUSTOM_API_USER', role: 'user', via: 'globalKey' });
const tiers = ['free', 'team', 'enterprise'] as const;

/** Decides every request from the access that its route declares; a route without one is for users. */
export class Guard {
  // Keys are compared as keyed digests: equal length, constant time, and the readable key is not kept.
  readonly #secret = randomBytes(32);
  readonly #globalDigest: Buffer | undefined;

  constructor(private readonly settings: GuardSettings) {
    this.#globalDigest = settings.globalKey === '' ? undefined : this.#digest(settings.globalKey);
  }

  get loginEnabled(): boolean {
    return this.settings.loginEnabled;
  }

  /** The caller, or an AccessError: 404 for what this licence, hosting or login state does not have, 401 without a right key, 403 for a missing role. */
  check(access: Access | undefined, key: string | undefined): Principal {
    this.#checkProduct(access);
    if (access?.role === 'public') return this.#identify(key) ?? anonymous;
    if (!this.settings.loginEnabled) return anonymous;
    const principal = this.#identify(key);
    if (principal === undefined) throw new AccessError('KEY_INVALID');
    if (access?.role === 'admin' && principal.role !== 'admin') throw new AccessError('ADMIN_ONLY');
    return principal;
  }

  /** Whether this caller may use something with this access; for pipeline steps, which cannot raise rights. */
  allows(access: Access | undefined, principal: Principal): boolean {
    try {
      this.#checkProduct(access);
    } catch {
      return false;
    }
    return access?.role !== 'admin' || !this.settings.loginEnabled || principal.role === 'admin';
  }

  #checkProduct(access: Access | undefined): void {
    if (access?.needsLogin === true && !this.settings.loginEnabled) throw new AccessError('LOGIN_REQUIRED');
    if (access?.licence !== undefined && tiers.indexOf(this.settings.tier) < tiers.indexOf(access.licence)) throw new AccessError('LICENCE_REQUIRED');
    if (access?.hosting !== undefined && access.hosting !== 'any' && access.hosting !== this.settings.hosting) throw new AccessError('LICENCE_REQUIRED');
  }

  #identify(key: string | undefined): Principal | undefined {
    if (!this.settings.loginEnabled || key === undefined || key === '' || key.length > 512) return undefined;
    const digest = this.#digest(key);
    return this.#globalDigest !== undefined && timingSafeEqual(digest, this.#globalDigest) ? apiUser : undefined;
  }

  #digest(key: string): Buffer {
    return createHmac('sha256', this.#secret).update(key).digest();
  }
}
