import type { Clock, EndpointRequest, Outbound } from '@quire/registry';
import type { ProviderSession } from '../accounts/index.js';
import type { Settings } from '../settings/index.js';
import type { Provider } from './model.js';
import { ProviderClient } from './oidc/provider-client.js';
import { providersOf } from './presets.js';

export interface LoginProvidersDeps {
  readonly settings: Settings;
  readonly outbound: Pick<Outbound, 'call'>;
  readonly clock: Clock;
}

/** The providers that are set up. Nothing is asked of them before somebody logs in. */
export class LoginProviders {
  readonly #clients: ReadonlyMap<string, ProviderClient>;

  constructor(private readonly deps: LoginProvidersDeps) {
    const { settings, outbound, clock } = deps;
    const found = settings.get('security.enableLogin') ? providersOf(settings) : [];
    const own = {
      outbound,
      now: () => clock.now().getTime(),
      groupsClaim: settings.get('security.oauth2.groupsClaim').trim(),
    };
    this.#clients = new Map(found.map((provider) => [provider.id, new ProviderClient(provider, own)]));
  }

  get list(): readonly Provider[] {
    return [...this.#clients.values()].map(({ provider }) => provider);
  }

  get(id: string): ProviderClient | undefined {
    return this.#clients.get(id);
  }

  byIssuer(issuer: string): ProviderClient | undefined {
    return [...this.#clients.values()].find(({ provider }) => provider.issuer === issuer.replace(/\/+$/, ''));
  }

  /** Returns the address that ends the session at its provider; undefined where there is none. */
  async logoutUrl(session: ProviderSession, site: EndpointRequest['site']): Promise<string | undefined> {
    const { settings } = this.deps;
    const back = settings.get('system.frontendUrl').replace(/\/+$/, '') || site?.url;
    if (back === undefined) return undefined;
    return this.byIssuer(session.issuer)?.logoutUrl(session, `${back}/login?logout=true`);
  }
}
