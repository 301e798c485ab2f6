import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** A user at the issuer: what it says about them. */
export type IssuerUser = Readonly<Record<string, unknown>> & { readonly sub: string };

export const clientId = 'quire';
export const clientSecret = 'the-secret-of-this-client-at-the-issuer';
/** A service that gets access tokens for this server with the same secret. */
export const serviceId = 'billing';
/** The server as the issuer knows it. */
export const resource = 'https://pdf.example.org';

/** A certified OpenID provider (npm `oidc-provider`) that logs in whom the test names, without asking. */
export class CertifiedIssuer {
  /** Who logs in next; undefined refuses. */
  user: IssuerUser | undefined;
  /** How the user proves who they are (RFC 8176). */
  amr: readonly string[] = ['pwd'];
  #provider: Provider | undefined;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async listen(): Promise<CertifiedIssuer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new CertifiedIssuer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => void issuer.#answer(request, response));
    return issuer;
  }

  /** Begins to answer, for the server at this address. */
  serve(site: string, registrationId: string): void {
    const provider = new Provider(this.url, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [`${site}/login/oauth2/code/${registrationId}`],
          post_logout_redirect_uris: [`${site}/login?logout=true`],
          backchannel_logout_uri: `${site}/logout/connect/back-channel/${registrationId}`,
          backchannel_logout_session_required: true,
        },
        {
          client_id: serviceId,
          client_secret: clientSecret,
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
          scope: 'quire:general quire:read',
        },
      ],
      claims: {
        openid: ['sub', 'amr', 'sid'],
        profile: ['name', 'preferred_username', 'picture', 'groups'],
        email: ['email', 'email_verified'],
      },
      conformIdTokenClaims: false,
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...this.user, sub }) }),
      // Consent belongs to the issuer's pages.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client?.clientId ?? '',
          accountId: oidc.session?.accountId ?? '',
        });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      scopes: ['openid', 'offline_access', 'quire:general', 'quire:read'],
      features: {
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_, audience) => ({
            audience,
            scope: 'quire:general quire:read',
            accessTokenFormat: 'jwt',
          }),
        },
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        // Its page asks whether to log out; the test presses the button.
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context, form) => {
            context.body = form;
          },
        },
      },
      pkce: { required: () => true },
      cookies: { keys: ['a key of this test'] },
      ttl: { Session: 3600, Grant: 3600, Interaction: 600, AccessToken: 600, IdToken: 600 },
    });
    provider.on('backchannel.error', (_, error) => process.emitWarning(error));
    this.#provider = provider;
  }

  /** Gets an access token by client credentials (RFC 6749, 4.4) for a resource (RFC 8707). */
  async serviceToken(scope: string, audience = resource): Promise<string> {
    const answer = await fetch(`${this.url}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${serviceId}:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource: audience }),
    });
    const { access_token: token } = (await answer.json()) as { readonly access_token?: string };
    if (token === undefined) throw new Error(`the issuer gave no token: ${answer.status}`);
    return token;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.#provider;
    if (provider === undefined) return void response.writeHead(503).end();
    if (request.url?.startsWith('/interaction/') !== true) return provider.callback()(request, response);
    const result =
      this.user === undefined
        ? { error: 'access_denied', error_description: 'the user has declined' }
        : { login: { accountId: this.user.sub, amr: [...this.amr] } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
}
