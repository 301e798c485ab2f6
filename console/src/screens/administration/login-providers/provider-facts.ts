import type { Setting } from '../settings/setting-facts.ts';

/** What has to be registered at a provider. */
export interface Addresses {
  readonly redirectUri: string;
  readonly postLogoutUri: string;
  readonly backChannelUri: string | null;
  readonly frontChannelUri: string | null;
  /** Of SAML. */
  readonly entityId?: string;
  readonly singleLogoutUri?: string;
}

/** A provider as `GET /api/v1/admin/login-providers` returns it. */
export interface SetUpProvider {
  readonly preset: string | null;
  readonly id: string;
  readonly name: string;
  readonly protocol: string;
  /** Beginning of its keys. */
  readonly settings: string | null;
  readonly inUse: boolean;
  readonly isSaved: boolean;
  readonly addresses: Addresses | null;
}

/** A provider that can be edited here. */
export type OwnProvider = SetUpProvider & {
  readonly preset: string;
  readonly settings: string;
  readonly addresses: Addresses;
};

export function isOwn(provider: SetUpProvider): provider is OwnProvider {
  return provider.preset !== null && provider.settings !== null && provider.addresses !== null;
}

export interface ProvidersPage {
  readonly isOn: boolean;
  readonly providers: readonly SetUpProvider[];
}

/** The settings by key. */
export type Settings = ReadonlyMap<string, Setting>;

/** Keys that all providers share, below `security.oauth2`. */
export const SHARED = 'security.oauth2';

/** The address for the provider without a preset follows from its name, as the server forms it. */
export function withName(addresses: Addresses, id: string, name: string): Addresses {
  const next = (name.trim() || 'sso').toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const renamed = (address: string): string =>
    address.endsWith(`/${id}`) ? `${address.slice(0, -id.length)}${next}` : address;
  return {
    ...addresses,
    redirectUri: renamed(addresses.redirectUri),
    backChannelUri: addresses.backChannelUri === null ? null : renamed(addresses.backChannelUri),
    frontChannelUri: addresses.frontChannelUri === null ? null : renamed(addresses.frontChannelUri),
  };
}

/** A trial login that has begun (`POST /api/v1/admin/login-providers/trials`). */
export interface Trial {
  readonly id: string | null;
  readonly url: string | null;
  readonly fault?: string;
  readonly detail?: string;
  readonly issuer?: string;
  readonly notes: readonly string[];
}

/** What came of it. */
export interface Report {
  readonly state: 'waiting' | 'finished';
  readonly fault?: string;
  readonly detail?: string;
  readonly claims?: readonly Claim[];
  readonly response?: SamlResponse;
  readonly identity?: {
    readonly subject: string;
    readonly usernameClaim: string;
    readonly username: string | null;
    readonly email: string | null;
    readonly emailVerified: boolean | null;
    readonly displayName: string | null;
    readonly groupsClaim: string;
    readonly groups: readonly string[];
    readonly methods: readonly string[];
    readonly secondFactor: boolean;
  };
  readonly account?: {
    readonly outcome: 'opens' | 'binds' | 'creates' | 'refused';
    readonly username?: string;
    readonly role?: string;
    readonly missingRole?: string;
    readonly team?: string | null;
    readonly keepsRights?: boolean;
    readonly reason?: string;
    readonly detail?: string;
  };
}

export interface Claim {
  readonly name: string;
  readonly value: string;
  readonly from: 'idToken' | 'userinfo' | 'both' | 'assertion';
}

/** What an identity provider of SAML sent beside the attributes; null where it said nothing. */
export interface SamlResponse {
  readonly issuer: string | null;
  readonly status: string | null;
  readonly clockSeconds: number | null;
  readonly signed: 'response' | 'assertion' | 'both' | 'nothing';
  readonly encrypted: boolean;
  readonly nameId: string | null;
  readonly nameIdFormat: string | null;
  readonly audiences: readonly string[];
  readonly recipient: string | null;
  readonly notBefore: string | null;
  readonly notOnOrAfter: string | null;
  readonly contexts: readonly string[];
  readonly expected: {
    readonly issuer: string | null;
    readonly audience: string;
    readonly recipient: string;
    /** Null where an attribute is the subject. */
    readonly nameIdFormat: string | null;
  };
}
