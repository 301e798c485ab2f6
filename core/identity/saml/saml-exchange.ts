import { randomBytes } from 'node:crypto';
import { XmlFault } from '@quire/document/file/xml/dom';
import type { Element } from '@xmldom/xmldom';
import { SignInRefused, type FinishedLogin, type PendingLogin } from '../model.js';
import { byPost, byRedirect, type Delivery, type Outgoing } from './deliver.js';
import { IdpSource, type IdpSourceDeps } from './idp-source.js';
import type { Idp, Service } from './idp-metadata.js';
import {
  askedFormat,
  authnRequest,
  logoutRequest,
  logoutResponse,
  ownMetadata,
  type OwnAddresses,
} from './messages.js';
import { nameIdFormats, PROTOCOL, SUCCESS } from './names.js';
import { describeResponse, type ResponseFacts } from './describe-response.js';
import { along, decodePosted, openMessage } from './open-message.js';
import { checkIssuer, readAssertion, type Assertion } from './read-assertion.js';
import type { LogoutHint } from './logout-hint.js';
import { identityOf } from './read-identity.js';
import { readLogout, type IncomingLogout, type LogoutMessage } from './read-logout.js';
import { SamlFault } from './saml-fault.js';
import type { SamlSettings } from './saml-settings.js';
import { openEncrypted, verifiedAssertion } from './verify.js';

/** A login, and what must not be accepted twice. */
export interface FinishedSamlLogin extends FinishedLogin {
  readonly once: { readonly issuer: string; readonly id: string; readonly until: number };
}

/**
 * Logs users in at an identity provider of SAML 2.0 (SAML profiles, 4.1 and 4.4). Signatures are verified by
 * `@node-saml/node-saml`; what it leaves open is checked before and afterwards
 * (docs/internals/adr/0104-saml-around-node-saml.md).
 */
export class SamlExchange {
  readonly #source: IdpSource;

  constructor(
    readonly provider: SamlSettings,
    private readonly deps: IdpSourceDeps,
  ) {
    this.#source = new IdpSource(provider, deps);
  }

  /** The addresses under which the identity provider knows this server. */
  addresses(site: string): OwnAddresses {
    const { id } = this.provider;
    return {
      entityId: `${site}/saml2/service-provider-metadata/${id}`,
      acs: `${site}/login/saml2/sso/${id}`,
      logout: `${site}/logout/saml2/slo/${id}`,
    };
  }

  metadata(site: string): string {
    const { certificate, nameIdFormat, wantAssertionsSigned } = this.provider;
    return ownMetadata(this.addresses(site), { certificate, format: askedFormat(nameIdFormat), wantAssertionsSigned });
  }

  /** The entity id of the identity provider. Throws SignInRefused (`provider_unreachable`). */
  async issuer(): Promise<string> {
    return this.#guarded(async () => (await this.#source.get()).entityId);
  }

  /** Whether the identity provider can end sessions. Throws SignInRefused. */
  async hasLogout(): Promise<boolean> {
    return this.#guarded(async () => (await this.#source.get()).logout.length > 0);
  }

  /** Returns what begins a login, and what the browser has to keep; the nonce is the id of the request. */
  async begin(site: string): Promise<{ readonly delivery: Delivery; readonly pending: PendingLogin }> {
    return this.#guarded(async () => {
      const service = this.#choose((await this.#source.get()).login);
      if (service === undefined) throw new SamlFault('the identity provider has no address for logins');
      const { acs, entityId } = this.addresses(site);
      const pending = { state: randomBytes(24).toString('base64url'), nonce: newId(), verifier: '' };
      const { attributes, nameIdFormat, requestedContexts: contexts } = this.provider;
      const format = attributes.subject === '' ? askedFormat(nameIdFormat) : undefined;
      const xml = authnRequest(this.#head(entityId, service.url, pending.nonce), { acs, format, contexts });
      const delivery = await this.#deliver(service, { xml, field: 'SAMLRequest', relayState: pending.state });
      return { delivery, pending };
    });
  }

  /** Whether a message says that it answers no request of ours. Nothing of it is verified yet. */
  isUnsolicited(message: string): boolean {
    try {
      const { acceptSha1 } = this.provider;
      const response = openMessage(decodePosted(message), { name: 'Response', namespace: PROTOCOL, acceptSha1 });
      return (response.getAttribute('InResponseTo') ?? '') === '';
    } catch (error) {
      if (error instanceof SamlFault) return false;
      throw error;
    }
  }

  /** What a response says, whether it holds or not; undefined for what cannot be read. */
  describe(message: string): Promise<ResponseFacts | undefined> {
    return describeResponse(message, this.provider, this.deps.now());
  }

  /** What responses have to say; the issuer is null while the metadata cannot be read. */
  async expected(site: string): Promise<{
    readonly issuer: string | null;
    readonly audience: string;
    readonly recipient: string;
    readonly nameIdFormat: string | null;
  }> {
    const { entityId: audience, acs: recipient } = this.addresses(site);
    const { attributes, nameIdFormat: format } = this.provider;
    return {
      issuer: await this.issuer().catch(() => null),
      audience,
      recipient,
      nameIdFormat: attributes.subject === '' ? nameIdFormats[format] : null,
    };
  }

  /** Reads who has logged in. `requestId`: undefined for an unsolicited login. Throws SignInRefused. */
  async finish(message: string, site: string, requestId: string | undefined): Promise<FinishedSamlLogin> {
    return this.#guarded(async () => {
      const own = this.addresses(site);
      const xml = decodePosted(message);
      const { acceptSha1, skewMs } = this.provider;
      const response = openMessage(xml, { name: 'Response', namespace: PROTOCOL, acceptSha1 });
      const idp = await this.#source.get();
      checkResponse(response, { idp, own, requestId });
      await openEncrypted(response, this.provider);
      const assertion = readAssertion(await this.#verified(xml, own), {
        issuer: idp.entityId,
        audience: own.entityId,
        recipient: own.acs,
        inResponseTo: requestId,
        now: this.deps.now(),
        skewMs,
      });
      return this.#finished(assertion, idp.entityId);
    });
  }

  /**
   * Returns the address that ends the session at the identity provider; `posts` where that takes a page
   * (`beginLogout`), undefined where it has no logout or cannot be reached: a logout here must not fail for that.
   */
  async logoutUrl(hint: LogoutHint, site: string): Promise<string | undefined> {
    try {
      const delivery = await this.beginLogout(hint, site);
      return delivery === undefined || 'url' in delivery ? delivery?.url : 'posts';
    } catch (error) {
      if (error instanceof SignInRefused) return undefined;
      throw error;
    }
  }

  /** Returns what ends the session at the identity provider; undefined where it has no logout. Throws SignInRefused. */
  async beginLogout(hint: LogoutHint, site: string): Promise<Delivery | undefined> {
    return this.#guarded(async () => {
      const service = this.#choose((await this.#source.get()).logout);
      if (service === undefined) return undefined;
      const xml = logoutRequest(this.#head(this.addresses(site).entityId, service.url), hint);
      return this.#deliver(service, { xml, field: 'SAMLRequest', relayState: undefined });
    });
  }

  /** Reads a logout that the identity provider begins, or its answer to one of ours. Throws SignInRefused. */
  async readLogout(incoming: IncomingLogout, site: string): Promise<LogoutMessage> {
    return this.#guarded(async () =>
      readLogout(incoming, {
        settings: this.provider,
        idp: await this.#source.get(),
        own: this.addresses(site),
        now: this.deps.now(),
      }),
    );
  }

  /** The answer to a logout that the identity provider has begun; undefined where it wants none. */
  async answerLogout(
    { id, relayState }: LogoutMessage & { kind: 'request' },
    site: string,
    cameBy: Service['binding'],
  ): Promise<Delivery | undefined> {
    return this.#guarded(async () => {
      const { logout } = await this.#source.get();
      const service = logout.find(({ binding }) => binding === cameBy) ?? logout[0];
      if (service === undefined) return undefined;
      const url = service.responseUrl;
      const xml = logoutResponse(this.#head(this.addresses(site).entityId, url), id);
      return this.#deliver({ ...service, url }, { xml, field: 'SAMLResponse', relayState });
    });
  }

  /** Keys may have been changed since the metadata were read. */
  async #verified(xml: string, own: OwnAddresses): Promise<string> {
    const verify = async (): Promise<string> =>
      verifiedAssertion(xml, { settings: this.provider, idp: await this.#source.get(), own });
    try {
      return await verify();
    } catch (error) {
      if (!(error instanceof SamlFault) || !this.#source.refresh()) throw error;
      return verify();
    }
  }

  #finished(assertion: Assertion, issuer: string): FinishedSamlLogin {
    const { nameId, sessionIndex, id, until } = assertion;
    const hint: LogoutHint | undefined = nameId === undefined ? undefined : { nameId, sessionIndex };
    return {
      identity: identityOf(assertion, this.provider, issuer),
      session: { issuer, sid: sessionIndex, idToken: hint === undefined ? undefined : JSON.stringify(hint) },
      once: { issuer, id, until },
    };
  }

  #choose(services: readonly Service[]): Service | undefined {
    return services.find(({ binding }) => binding === this.provider.binding) ?? services[0];
  }

  #head(issuer: string, destination: string, id = newId()): Parameters<typeof authnRequest>[0] {
    return { id, now: new Date(this.deps.now()), destination, issuer };
  }

  async #deliver({ binding, url }: Service, message: Omit<Outgoing, 'url'>): Promise<Delivery> {
    const outgoing = { ...message, url };
    return binding === 'redirect' ? byRedirect(outgoing, this.provider) : byPost(outgoing, this.provider);
  }

  async #guarded<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SamlFault || error instanceof XmlFault)) throw error;
      throw new SignInRefused('saml2AuthenticationError', `${this.provider.name}: ${error.message.slice(0, 500)}`, {
        cause: error,
      });
    }
  }
}

/** The library looks at none of this (SAML core, 3.2.2; SAML bindings, 3.5.5.2). */
function checkResponse(
  response: Element,
  { idp, own, requestId }: { idp: Idp; own: OwnAddresses; requestId: string | undefined },
): void {
  const destination = response.getAttribute('Destination') ?? '';
  const isSigned = [...response.childNodes].some(({ localName }) => localName === 'Signature');
  if ((destination !== '' || isSigned) && destination !== own.acs)
    throw new SamlFault(`the response was sent to "${destination.slice(0, 200)}", not ${own.acs} (Destination)`);
  const [issuer] = along(response, 'Issuer');
  if (issuer !== undefined) checkIssuer(issuer, idp.entityId);
  if ((response.getAttribute('InResponseTo') ?? undefined) !== requestId)
    throw new SamlFault('the response answers another request, or none (InResponseTo)');
  const codes = along(response, 'Status', 'StatusCode');
  const status = codes[0]?.getAttribute('Value') ?? '';
  if (status === SUCCESS) return;
  const detail = codes.flatMap((code) => along(code, 'StatusCode'))[0]?.getAttribute('Value') ?? '';
  const text = along(response, 'Status', 'StatusMessage')[0]?.textContent ?? '';
  const told = `the identity provider answers ${[status, detail, text].join(' ').trim().slice(0, 300)}`;
  if (/:(?:AuthnFailed|RequestDenied)$/.test(detail)) throw new SignInRefused('access_denied', told);
  throw new SamlFault(told);
}

function newId(): string {
  return `_${randomBytes(20).toString('hex')}`;
}
