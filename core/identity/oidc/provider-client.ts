import type { Outbound } from '@quire/registry';
import type * as OpenidClient from 'openid-client';
import type { ProviderSession } from '../../accounts/index.js';
import { SignInRefused, type FinishedLogin, type PendingLogin, type Provider } from '../model.js';
import { fetchOutbound } from './fetch-outbound.js';
import { githubMetadata, readGithubUser } from './github.js';
import { MetadataRefused, pageFault, refusalOf, type ProviderFault } from './provider-fault.js';
import { identityOf } from './read-claims.js';

export type Claims = Readonly<Record<string, unknown>>;

/** A login, with all that the provider says. */
export interface ClaimedLogin extends FinishedLogin {
  /** The ID token, and what the provider adds in answers of its interfaces. */
  readonly claims: { readonly idToken: Claims; readonly userinfo: Claims };
}

export interface ProviderClientDeps {
  readonly outbound: Pick<Outbound, 'call'>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Claim with the groups, as a dotted path; empty for none. */
  readonly groupsClaim: string;
}

/** How long what discovery found is used, ms. */
const METADATA_MS = 600_000;
/** How soon a provider that could not be reached is asked again: anybody may begin a login. */
const RETRY_MS = 5000;
const CLOCK_SKEW_SECONDS = 30;

/**
 * Logs users in at one provider: authorization code with PKCE, state, nonce and the check of `iss` (OpenID Connect Core
 * 1.0, 3.1; RFC 7636; RFC 9207). The ID token's signature is verified although it comes over TLS, since proxies may be
 * between.
 */
export class ProviderClient {
  #metadata: { readonly until: number; readonly found: Promise<OpenidClient.ServerMetadata> } | undefined;

  constructor(
    readonly provider: Provider,
    private readonly deps: ProviderClientDeps,
  ) {}

  /**
   * Returns the address that begins a login, and what the browser has to keep. Throws SignInRefused
   * (`provider_unreachable`).
   */
  async begin(redirectUri: string): Promise<{ readonly url: string; readonly pending: PendingLogin }> {
    return this.#guarded(async (client) => {
      const configuration = await this.#configure(client);
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: this.provider.scopes.join(' '),
        state,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(this.#isOidc ? { nonce } : {}),
      });
      return { url: url.href, pending: { state, nonce, verifier } };
    });
  }

  /**
   * Exchanges the code for tokens and reads who has logged in. `answer`: the redirect URI with the parameters that the
   * provider has added. Throws SignInRefused.
   */
  async finish(answer: URL, { state, nonce, verifier }: PendingLogin): Promise<ClaimedLogin> {
    return this.#guarded(async (client) => {
      const configuration = await this.#configure(client);
      const tokens = await client.authorizationCodeGrant(configuration, answer, {
        expectedState: state,
        pkceCodeVerifier: verifier,
        ...(this.#isOidc ? { expectedNonce: nonce, idTokenExpected: true } : {}),
      });
      const { provider, deps } = this;
      if (!this.#isOidc) {
        const { identity, user } = await readGithubUser(client, configuration, tokens.access_token, provider);
        return {
          identity,
          claims: { idToken: {}, userinfo: user },
          session: { issuer: provider.issuer, sid: undefined, idToken: undefined },
        };
      }
      const claims = tokens.claims();
      if (claims === undefined) throw new SignInRefused('oauth2AuthenticationError', 'there is no ID token');
      const further =
        configuration.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      const { sid } = claims;
      return {
        // What the ID token says is signed.
        identity: identityOf(provider, { ...further, ...claims }, deps.groupsClaim),
        claims: { idToken: claims, userinfo: further },
        session: {
          issuer: provider.issuer,
          sid: typeof sid === 'string' ? sid : undefined,
          idToken: tokens.id_token,
        },
      };
    });
  }

  /**
   * Returns the address that ends the session at the provider and comes back (OpenID Connect RP-Initiated Logout 1.0,
   * 2); undefined when the provider has none or cannot be reached.
   */
  async logoutUrl({ idToken }: ProviderSession, back: string): Promise<string | undefined> {
    if (!this.#isOidc) return undefined;
    try {
      return await this.#guarded(async (client) => {
        const configuration = await this.#configure(client);
        if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
        return client.buildEndSessionUrl(configuration, {
          post_logout_redirect_uri: back,
          ...(idToken === undefined ? {} : { id_token_hint: idToken }),
        }).href;
      });
    } catch (error) {
      // Logging out here must not fail because of the provider.
      if (error instanceof SignInRefused) return undefined;
      throw error;
    }
  }

  /** Returns what the provider says about itself. Throws SignInRefused (`provider_unreachable`). */
  async metadata(): Promise<OpenidClient.ServerMetadata> {
    return this.#guarded(() => this.#serverMetadata());
  }

  /**
   * Asks for the page of the login as a browser would, and returns why the provider refuses to show it; undefined where
   * it does not, or where this server cannot tell.
   */
  async refusalToBegin(redirectUri: string): Promise<ProviderFault | undefined> {
    const { url } = await this.begin(redirectUri);
    const ask = fetchOutbound(this.deps.outbound, this.provider.setting);
    const headers = { accept: 'text/html' };
    const answer = await ask(url, { method: 'GET', headers, body: undefined, redirect: 'manual' }).catch(
      () => undefined,
    );
    return answer === undefined || answer.status < 400 || answer.status >= 500
      ? undefined
      : pageFault(await answer.text());
  }

  get #isOidc(): boolean {
    return this.provider.protocol === 'oidc';
  }

  /** Without the keys of earlier logins, so that a key which is new or revoked counts at once. */
  async #configure(client: typeof OpenidClient): Promise<OpenidClient.Configuration> {
    const { clientId, clientSecret, issuer, setting } = this.provider;
    const configuration = new client.Configuration(
      await this.#serverMetadata(),
      clientId,
      { [client.clockTolerance]: CLOCK_SKEW_SECONDS },
      authentication(client, clientSecret),
    );
    configuration[client.customFetch] = fetchOutbound(this.deps.outbound, setting);
    client.enableNonRepudiationChecks(configuration);
    if (issuer.startsWith('http:')) client.allowInsecureRequests(configuration);
    return configuration;
  }

  #serverMetadata(): Promise<OpenidClient.ServerMetadata> {
    if (this.provider.protocol === 'github') return Promise.resolve(githubMetadata(this.provider.issuer));
    const now = this.deps.now();
    if (this.#metadata === undefined || this.#metadata.until < now) {
      const found = this.#discover();
      this.#metadata = { until: now + METADATA_MS, found };
      found.catch(() => (this.#metadata = { until: this.deps.now() + RETRY_MS, found }));
    }
    return this.#metadata.found;
  }

  /** OpenID Connect Discovery 1.0, 4. A slash at the end of the issuer is easily forgotten, so it does not count. */
  async #discover(): Promise<OpenidClient.ServerMetadata> {
    const { issuer, name, setting } = this.provider;
    const url = `${issuer}/.well-known/openid-configuration`;
    const fetchMetadata = fetchOutbound(this.deps.outbound, setting);
    const headers = { accept: 'application/json' };
    const answer = await fetchMetadata(url, { method: 'GET', headers, body: undefined, redirect: 'manual' });
    const refused = (fault: ProviderFault, detail: string, described?: string) =>
      new MetadataRefused(fault, `${name} (${setting}): ${url} ${detail}`, described);
    if (!answer.ok)
      throw refused(answer.status === 404 ? 'metadataMissing' : 'metadataStatus', `answers ${answer.status}`);
    const found: unknown = await answer.json().catch(() => undefined);
    if (typeof found !== 'object' || found === null) throw refused('metadataUnreadable', 'is no JSON');
    const metadata = found as OpenidClient.ServerMetadata;
    const described = String(metadata.issuer).slice(0, 200);
    if (typeof metadata.issuer !== 'string' || metadata.issuer.replace(/\/+$/, '') !== issuer)
      throw refused('issuerDiffers', `describes the issuer ${described}, not ${issuer}`, described);
    if (metadata.token_endpoint === undefined || metadata.authorization_endpoint === undefined)
      throw refused(
        'endpointMissing',
        `names no ${metadata.token_endpoint === undefined ? 'token' : 'authorization'} endpoint`,
      );
    return metadata;
  }

  async #guarded<R>(work: (client: typeof OpenidClient) => Promise<R>): Promise<R> {
    try {
      return await work(await import('openid-client'));
    } catch (error) {
      throw refusalOf(error, this.provider);
    }
  }
}

/** As the provider accepts it; without a word of it `client_secret_basic` (OpenID Connect Discovery 1.0, 3). */
function authentication(client: typeof OpenidClient, secret: string): OpenidClient.ClientAuth {
  if (secret === '') return client.None();
  return (server, metadata, body, headers) => {
    const accepted = server.token_endpoint_auth_methods_supported;
    const post = accepted?.includes('client_secret_basic') === false && accepted.includes('client_secret_post');
    (post ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret))(server, metadata, body, headers);
  };
}
