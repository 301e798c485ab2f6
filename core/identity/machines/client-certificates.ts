import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { AccessError, StartupError, type CallConnection, type Clock } from '@quire/registry';
import { INTERNAL_ROLE, type LoginServices, type User } from '../../accounts/index.js';
import { createOriginCheck, headerValues } from '../../http/request/index.js';
import { shortOrigin, type Settings } from '../../settings/index.js';
import { HeaderRefused, hasHeader, headerOf, headerSetting, TrustedProxy } from '../proxy/index.js';
import { certificateIn } from './forwarded-certificate.js';
import type { Refusals } from './refusals.js';

export interface ClientCertificatesDeps {
  readonly settings: Settings;
  readonly accounts: Pick<LoginServices['accounts'], 'byName'>;
  readonly refusals: Refusals;
  readonly clock: Clock;
}

/** Extended key usage of TLS clients (RFC 5280, 4.2.1.12). */
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
const SELECTOR = /^(fingerprint|dns|email|uri):(.+)=([^=]+)$/;

/** Authenticates TLS clients by the certificates that a trusted proxy passes on. */
export class ClientCertificates {
  readonly #header: string;
  readonly #proxy: TrustedProxy;
  readonly #authorities: readonly X509Certificate[];
  /** User names by what a certificate may have. */
  readonly #accounts: ReadonlyMap<string, string>;
  readonly #otherSite: ReturnType<typeof createOriginCheck>;

  /** Throws SETTINGS_INVALID. */
  constructor(private readonly deps: ClientCertificatesDeps) {
    const { settings } = deps;
    this.#header = headerSetting(settings, 'security.clientCertificates.header');
    this.#proxy = new TrustedProxy(settings, 'security.clientCertificates.header');
    this.#authorities = authoritiesOf(settings);
    this.#accounts = accountsOf(settings);
    this.#otherSite = createOriginCheck(settings);
  }

  /** Whether a trusted proxy hands a certificate on. From anywhere else the header does not count. */
  isPresent(connection: CallConnection): boolean {
    if (!hasHeader(connection, this.#header)) return false;
    const reason = this.#proxy.fault(connection);
    // nginx sends an empty header for clients without a certificate.
    if (reason === undefined) return headerValues(connection, this.#header).some((value) => value.trim() !== '');
    this.deps.refusals.note({ header: this.#header, reason }, 'a client certificate was ignored');
    return false;
  }

  /**
   * Returns the account. Throws CLIENT_CERTIFICATE_INVALID, ACCOUNT_DISABLED, and CROSS_SITE_REFUSED: browsers show
   * certificates to every site that asks for one.
   */
  async recognise(connection: CallConnection): Promise<User> {
    const [host, origin, fetchSite] = ['host', 'origin', 'sec-fetch-site'].map(
      (name) => headerValues(connection, name)[0],
    );
    const site = this.#otherSite({ host, origin, fetchSite });
    if (site !== undefined) throw new AccessError('CROSS_SITE_REFUSED', { site, login: true });
    const certificate = this.#read(connection);
    const names = namesOf(certificate);
    const username = names.map((name) => this.#accounts.get(name)).find((one) => one !== undefined);
    const user = username === undefined ? undefined : await this.deps.accounts.byName(username);
    if (user === undefined || user.role === INTERNAL_ROLE)
      throw this.#refused(
        'no account of this server belongs to it',
        username === undefined
          ? `security.clientCertificates.accounts has no entry for ${names.join(', ')}`
          : `the account ${username} does not exist or is built in`,
      );
    if (!user.enabled) throw new AccessError('ACCOUNT_DISABLED');
    return user;
  }

  #read(connection: CallConnection): X509Certificate {
    try {
      const certificate = certificateIn(headerOf(connection, this.#header) ?? '');
      const fault = this.#fault(certificate);
      if (fault === undefined) return certificate;
      throw this.#refused(fault, `${fault}: ${namesOf(certificate).join(', ')}`);
    } catch (error) {
      if (error instanceof AccessError) throw error;
      const reason = (error as Error).message;
      throw this.#refused(error instanceof HeaderRefused ? 'its header cannot be used' : reason, reason);
    }
  }

  #fault(certificate: X509Certificate): string | undefined {
    const now = this.deps.clock.now();
    if (new Date(certificate.validTo) < now) return 'it has expired';
    if (new Date(certificate.validFrom) > now) return 'it is not valid yet';
    if (certificate.ca) return 'it is the certificate of an authority';
    // Node returns undefined for a certificate without this extension.
    const usages = certificate.keyUsage as readonly string[] | undefined;
    if (usages !== undefined && !usages.includes(CLIENT_AUTH)) return 'it is not for TLS clients (extended key usage)';
    const isIssued = this.#authorities.some(
      (authority) =>
        new Date(authority.validTo) >= now &&
        certificate.checkIssued(authority) &&
        certificate.verify(authority.publicKey),
    );
    return isIssued ? undefined : 'none of the accepted authorities has issued it';
  }

  #refused(detail: string, reason: string): AccessError {
    this.deps.refusals.note({ reason }, 'a client certificate was refused');
    return new AccessError(
      'CLIENT_CERTIFICATE_INVALID',
      { detail },
      { cause: new Error(`a client certificate: ${reason}`) },
    );
  }
}

/** What an account can be found by: the fingerprint first. */
function namesOf({ fingerprint256, subjectAltName }: X509Certificate): string[] {
  // Node quotes values with signs that separate.
  const unquoted = (subjectAltName ?? '').replace(/"(?:[^"\\]|\\.)*"/g, '');
  const alternatives = unquoted.split(', ').flatMap((name) => {
    const [, kind = '', value = ''] = /^(DNS|email|URI):(.+)$/.exec(name) ?? [];
    return kind === '' ? [] : [selector(kind.toLowerCase(), value)];
  });
  return [selector('fingerprint', fingerprint256), ...alternatives];
}

function selector(kind: string, value: string): string {
  if (kind === 'fingerprint') return `fingerprint:${value.replaceAll(':', '').toLowerCase()}`;
  return `${kind}:${kind === 'uri' ? value : value.toLowerCase()}`;
}

function accountsOf(settings: Settings): ReadonlyMap<string, string> {
  const key = 'security.clientCertificates.accounts';
  return new Map(
    settings.get(key).map((entry) => {
      const [, kind = '', value = '', username = ''] = SELECTOR.exec(entry.trim()) ?? [];
      if (username.trim() === '')
        throw new StartupError('SETTINGS_INVALID', {
          where: shortOrigin(settings.origin(key)),
          detail:
            `${key}: "${entry}" cannot be used; ` +
            'write fingerprint:, dns:, email: or uri:, the value, = and a user name',
        });
      return [selector(kind, value.trim()), username.trim()];
    }),
  );
}

function authoritiesOf(settings: Settings): readonly X509Certificate[] {
  const key = 'security.clientCertificates.caFile';
  const file = settings.get(key);
  try {
    const found = (readFileSync(file, 'utf8').match(PEM) ?? []).map((pem) => new X509Certificate(pem));
    if (found.length > 0 && found.every(({ ca }) => ca)) return found;
    throw new Error(
      found.length === 0 ? 'it has no certificate' : 'not every certificate in it is that of an authority',
    );
  } catch (error) {
    throw new StartupError('SETTINGS_INVALID', {
      where: shortOrigin(settings.origin(key)),
      detail: `${key}: "${file}" cannot be used as authorities of client certificates: ${(error as Error).message}`,
    });
  }
}
