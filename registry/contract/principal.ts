/** Who calls. `anonymous` only while login is off or for public routes. */
export interface Principal {
  readonly id: string;
  readonly name: string;
  readonly role: 'anonymous' | 'user' | 'admin';
  /** Roles as the account names them (`ROLE_USER`); missing for callers without an account. */
  readonly roles?: readonly string[];
  /** How the caller was recognised. */
  readonly via: 'none' | 'key' | 'globalKey' | 'session';
  /** Which of the user's keys was used. */
  readonly keyId?: string;
  /** The user's team; missing for callers without one. */
  readonly teamId?: string;
  /** True for who leads that team. */
  readonly teamLead?: true;
}
