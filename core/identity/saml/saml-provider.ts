import type { IdpSourceDeps } from './idp-source.js';
import type { SamlExchange } from './saml-exchange.js';
import type { SamlSettings } from './saml-settings.js';

/** The identity provider of SAML. What speaks with it, and its libraries, are loaded when somebody logs in. */
export class SamlProvider {
  #exchange: Promise<SamlExchange> | undefined;

  constructor(
    readonly provider: SamlSettings,
    private readonly deps: IdpSourceDeps,
  ) {}

  exchange(): Promise<SamlExchange> {
    this.#exchange ??= import('./saml-exchange.js').then(
      ({ SamlExchange }) => new SamlExchange(this.provider, this.deps),
    );
    return this.#exchange;
  }
}
