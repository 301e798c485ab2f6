import type { ProviderSession } from '../accounts/index.js';

/** A server at which users log in: what the login needs of it, whatever it speaks. */
export interface LoginProvider {
  /** In the addresses of the login: `keycloak`, or the name of the generic one. */
  readonly id: string;
  /** Shown to users. */
  readonly name: string;
  readonly protocol: Protocol;
}

/**
 * `oidc`: OpenID Connect with discovery; `github`: OAuth 2.0 with the user interface of GitHub; `saml`: SAML 2.0;
 * `proxy`: headers of a proxy.
 */
export type Protocol = 'oidc' | 'github' | 'saml' | 'proxy';

/** A provider of OpenID Connect or OAuth 2.0, as it is set up (`security.oauth2` in the settings). */
export interface Provider extends LoginProvider {
  readonly protocol: 'oidc' | 'github';
  /** Issuer, without regard to a slash at its end; of GitHub the address of its site. */
  readonly issuer: string;
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  /** The claim that becomes the user name. */
  readonly usernameClaim: string;
  /** Dotted path of the setting with the issuer, for messages. */
  readonly setting: string;
}

/** A provider as an identity names it. */
export interface IdentityProvider extends LoginProvider {
  /** Of SAML the entity id. */
  readonly issuer: string;
}

/** A provider that can name its users before they log in. */
export interface SubjectIssuer {
  readonly name: string;
  /** Rejects with SignInRefused (`provider_unreachable`) where it cannot be found out. */
  identityProvider(): Promise<IdentityProvider>;
  /** Returns what a login would have as the subject. */
  subjectOf(named: string): string;
}

/** Secrets of a login that has begun, which its browser keeps until the provider sends it back. */
export interface PendingLogin {
  readonly state: string;
  /** Of SAML the id of the request. */
  readonly nonce: string;
  /** Empty with SAML. */
  readonly verifier: string;
}

/** Who has logged in, and the provider's session. */
export interface FinishedLogin {
  readonly identity: ExternalIdentity;
  readonly session: ProviderSession;
}

/** Who has logged in at a provider, by what it said. */
export interface ExternalIdentity {
  readonly provider: IdentityProvider;
  /** Never used twice by the issuer (OpenID Connect Core 1.0, 2, `sub`; persistent NameID, SAML Core 2.0, 8.3.7). */
  readonly subject: string;
  /** The claim or attribute that becomes the user name; undefined when it is missing. */
  readonly username: string | undefined;
  /** Whether the user name is a mail address that the provider does not vouch for. */
  readonly unverified: boolean;
  readonly email: string | undefined;
  readonly displayName: string | undefined;
  /** Its address. */
  readonly picture: string | undefined;
  /** The picture itself, where the provider sends it. */
  readonly photo?: Uint8Array | undefined;
  readonly groups: readonly string[];
  /** Whether the user has shown more than a password (RFC 8176; SAML: AuthnContextClassRef). */
  readonly secondFactor: boolean;
}

/**
 * Why a login with a provider was refused: the codes of the contract (`docs/interface/identity.yml`, end of an SSO
 * login), and ours.
 */
export type SignInCode =
  | 'userAlreadyExistsWeb'
  | 'oAuth2AutoCreateDisabled'
  | 'oAuth2AdminBlockedUser'
  | 'maxUsersReached'
  | 'userIsDisabled'
  | 'invalidUsername'
  | 'oauth2AuthenticationError'
  | 'saml2AuthenticationError'
  | 'login_not_requested'
  | 'access_denied'
  | 'login_expired'
  | 'email_not_verified'
  | 'second_factor_required'
  | 'provider_unreachable'
  | 'already_linked';

/** A login with a provider was refused. `message` is for the log and names no secret. */
export class SignInRefused extends Error {
  constructor(
    readonly code: SignInCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'SignInRefused';
  }
}
