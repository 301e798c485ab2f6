import type { Person } from '../../../people/index.ts';

export interface Account extends Person {
  readonly email: string;
  readonly role: string;
  readonly enabled: boolean;
  /** Only accounts of the kind `web` have a password. */
  readonly authenticationType: 'web' | 'oauth2' | 'saml2';
  readonly team: { readonly id: number; readonly name: string } | null;
  readonly mustChangePassword: boolean;
  readonly mfaEnabled: boolean;
  /** Registered ones. */
  readonly passkeys: number;
  /** Names of linked login providers. */
  readonly providers: readonly string[];
  readonly createdAt: string;
  readonly lastLogin: string | null;
  readonly locked?: boolean;
}

/** What the page about users gets (`proprietary/ui-data/admin-settings`). */
export interface AccountsPage {
  readonly users: readonly Account[];
  readonly currentUsername: string;
  readonly totalUsers: number;
  readonly teams: readonly { readonly id: number; readonly name: string }[];
  readonly maxAllowedUsers: number | null;
  readonly availableSlots: number | null;
  readonly mailEnabled: boolean;
}

export interface Invite {
  readonly id: number | string;
  readonly email: string | null;
  readonly role: string;
  readonly expiresAt: string;
  readonly createdBy?: string;
}
