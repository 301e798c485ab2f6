/** A server at which users log in, as it is set up (`security.oauth2` in the settings). */
export interface Provider {
  /** In the addresses of the login: `keycloak`, or the name of the generic one. */
  readonly id: string;
  /** Shown to users. */
  readonly name: string;
  /** `oidc`: OpenID Connect with discovery; `github`: OAuth 2.0 with the user interface of GitHub. */
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

/** Who has logged in at a provider, by what it said. */
export interface ExternalIdentity {
  readonly provider: Pick<Provider, 'id' | 'name' | 'issuer'>;
  /** Never used twice by the issuer (OpenID Connect Core 1.0, 2, `sub`). */
  readonly subject: string;
  /** The claim that becomes the user name; undefined when it is missing. */
  readonly username: string | undefined;
  /** Whether the user name is a mail address that the provider does not vouch for. */
  readonly unverified: boolean;
  readonly email: string | undefined;
  readonly displayName: string | undefined;
  readonly picture: string | undefined;
  readonly groups: readonly string[];
  /** Whether the user has shown more than a password (RFC 8176). */
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
