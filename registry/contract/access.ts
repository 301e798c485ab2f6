/** What an account may have to do before anything else: choose a new password, or set up a second factor. */
export type AccountDuty = 'password' | 'secondFactor';

/** What a role may include beside operations (`Access.right`). */
export type RoleRight = 'storage' | 'automations' | 'apiKeys';

/**
 * Required role, login, settings and licence, and the cost. Defaults: user, no login, free licence, any hosting, cost 1
 * (endpoints 0).
 */
export interface Access {
  /** `public` needs no key even with login on. */
  readonly role?: 'public' | 'user' | 'admin';
  /**
   * Area of administration (`users`), for roles that administer only some of them; only with the role `admin`. Without
   * it, only full administrators may call.
   */
  readonly area?: string;
  /**
   * What the caller's role has to include beside the call itself: stored files (`storage`; GET reads them, everything
   * else uses them), making and changing automations and saved pipelines, or making API keys.
   */
  readonly right?: RoleRight;
  /** Exists only while login is on. */
  readonly needsLogin?: boolean;
  /** For people with an account: the built-in user of the global API key gets 403 BUILT_IN_REFUSED. */
  readonly personal?: boolean;
  /**
   * Settings that must be true (`security.enableLogin`); otherwise 403 FEATURE_OFF names the first that is not, after
   * authentication and before a byte of the body is read.
   */
  readonly needsSettings?: readonly string[];
  /** Only for sessions: a caller with an API key gets 403 SESSION_REQUIRED. */
  readonly needsSession?: boolean;
  /**
   * What a caller may still have to do when calling this. Without it, a caller who must change the password or set up a
   * second factor is refused (403 PASSWORD_CHANGE_REQUIRED or MFA_SETUP_REQUIRED).
   */
  readonly openBefore?: readonly AccountDuty[];
  readonly licence?: 'free' | 'team' | 'enterprise';
  /**
   * Status when the licence is too low: 404 as if it did not exist, or 403 with the reason. Default: 404 self-hosted,
   * 402 on the cloud; 403 is 402 there too.
   */
  readonly licenceRefusal?: 404 | 403;
  readonly hosting?: 'any' | 'selfHosted' | 'cloud';
  readonly cost?: number;
}
