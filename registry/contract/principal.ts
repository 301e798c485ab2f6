/** Limits of an API key; without a member there is no limit of that kind. */
export interface KeyScope {
  /** First parts of the paths under `/api/v1` that the key may call (`general`, `convert`). */
  readonly categories?: readonly string[];
  /** The key may only read (GET). */
  readonly readOnly?: true;
}

/** The caller of a request. `anonymous` only while login is off or for public routes. */
export interface Principal {
  readonly id: string;
  readonly name: string;
  readonly role: 'anonymous' | 'user' | 'admin';
  /** Role names of the account (`ROLE_USER`); missing for callers without an account. */
  readonly roles?: readonly string[];
  /**
   * How the caller was authenticated; `token`: an access token of an issuer, `certificate`: one of the client, both
   * since 1.15.0.
   */
  readonly via: 'none' | 'key' | 'globalKey' | 'session' | 'token' | 'certificate';
  /** Which of the user's keys was used. */
  readonly keyId?: string;
  /** Limits of that key, or of an access token; core enforces them for calls, pipeline steps and jobs. */
  readonly scope?: KeyScope;
  /** Which of the user's sessions was used. */
  readonly sessionId?: string;
  /** The user's team; missing for callers without one. */
  readonly teamId?: string;
  /** True for the lead of that team. */
  readonly teamLead?: true;
}
