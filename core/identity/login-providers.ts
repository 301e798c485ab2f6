import { StartupError, type Clock, type EndpointRequest, type Outbound } from '@quire/registry';
import type { ProviderSession } from '../accounts/index.js';
import type { ServerSecret } from '../secrets/index.js';
import { shortOrigin, type Settings } from '../settings/index.js';
import type { LoginProvider, Provider, SubjectIssuer } from './model.js';
import { ProviderClient } from './oidc/provider-client.js';
import { ownSite } from './own-site.js';
import { providersOf } from './presets.js';
import { logoutHintOf, SamlProvider, samlSettingsOf, subjectOfAttribute } from './saml/index.js';
import { sealedTicket } from './ticket.js';

export interface LoginProvidersDeps {
  readonly settings: Settings;
  readonly outbound: Pick<Outbound, 'call'>;
  readonly clock: Clock;
  readonly secret: Pick<ServerSecret, 'seal'>;
}

/** A provider as the login offers it. */
export interface OfferedProvider extends LoginProvider {
  /** Path under which a login begins, without the sub-path. */
  readonly path: string;
}

/** Of tickets that name a session at the identity provider, for an address that a browser opens. */
export const LOGOUT_TICKETS = 'tickets to log out with SAML';

/** The providers that are set up. Nothing is asked of them before somebody logs in. */
export class LoginProviders {
  readonly #clients: ReadonlyMap<string, ProviderClient>;
  /** The identity provider of SAML, if one is set up. */
  readonly saml: SamlProvider | undefined;

  /** Throws SETTINGS_INVALID. */
  constructor(private readonly deps: LoginProvidersDeps) {
    const { settings, outbound, clock } = deps;
    const found = settings.get('security.enableLogin') ? providersOf(settings) : [];
    const now = (): number => clock.now().getTime();
    const own = { outbound, now, groupsClaim: settings.get('security.oauth2.groupsClaim').trim() };
    this.#clients = new Map(found.map((provider) => [provider.id, new ProviderClient(provider, own)]));
    const saml = samlSettingsOf(settings);
    if (saml !== undefined && this.#clients.has(saml.id))
      throw new StartupError('SETTINGS_INVALID', {
        where: shortOrigin(settings.origin('security.saml2.registrationId')),
        detail: `security.saml2.registrationId: "${saml.id}" is the id of a provider of security.oauth2; change one`,
      });
    this.saml = saml === undefined ? undefined : new SamlProvider(saml, { outbound, now });
  }

  get list(): readonly OfferedProvider[] {
    const all: LoginProvider[] = [...this.clients];
    if (this.saml !== undefined) all.push(this.saml.provider);
    return all.map(({ id, name, protocol }) => ({ id, name, protocol, path: `${beginsAt(protocol)}/${id}` }));
  }

  /** Providers of OpenID Connect, and GitHub. */
  get clients(): readonly Provider[] {
    return [...this.#clients.values()].map(({ provider }) => provider);
  }

  /** A provider of OpenID Connect, or GitHub. */
  get(id: string): ProviderClient | undefined {
    return this.#clients.get(id);
  }

  /** The provider that can name the subjects of its users, by its id. GitHub does, by their numbers. */
  subjectIssuer(id: string): SubjectIssuer | undefined {
    const { saml } = this;
    if (saml?.provider.id === id) return samlSubjects(saml);
    const provider = this.get(id)?.provider;
    return provider && { name: provider.name, identityProvider: async () => provider, subjectOf: (named) => named };
  }

  byIssuer(issuer: string): ProviderClient | undefined {
    return [...this.#clients.values()].find(({ provider }) => provider.issuer === issuer.replace(/\/+$/, ''));
  }

  /** Returns the address that ends the session at its provider; undefined where there is none. */
  async logoutUrl(session: ProviderSession, site: EndpointRequest['site']): Promise<string | undefined> {
    const { settings, secret, clock } = this.deps;
    const hint = logoutHintOf(session);
    if (hint !== undefined) {
      const own = ownSite(settings, site);
      if (this.saml === undefined || own === undefined) return undefined;
      const { id } = this.saml.provider;
      const url = await (await this.saml.exchange()).logoutUrl(hint, own);
      return url === 'posts'
        ? `${own}/saml2/logout/${id}?ticket=${sealedTicket(secret, LOGOUT_TICKETS, id, hint, clock.now().getTime())}`
        : url;
    }
    const back = settings.get('system.frontendUrl').replace(/\/+$/, '') || site?.url;
    if (back === undefined) return undefined;
    return this.byIssuer(session.issuer)?.logoutUrl(session, `${back}/login?logout=true`);
  }
}

function samlSubjects(saml: SamlProvider): SubjectIssuer {
  const { id, name, protocol, attributes } = saml.provider;
  return {
    name,
    identityProvider: async () => ({ id, name, protocol, issuer: await (await saml.exchange()).issuer() }),
    subjectOf: (named) => (attributes.subject === '' ? named : subjectOfAttribute(attributes.subject, named)),
  };
}

/** Path under which logins of a protocol begin (`docs/interface/identity.yml`). */
export function beginsAt(protocol: LoginProvider['protocol']): string {
  return protocol === 'saml' ? '/saml2/authenticate' : '/oauth2/authorization';
}
