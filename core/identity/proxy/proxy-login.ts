import { StartupError, type CallConnection } from '@quire/registry';
import { INTERNAL_ROLE, type AccountServices, type User } from '../../accounts/index.js';
import { shortOrigin, type Settings } from '../../settings/index.js';
import type { IdentityRecords } from '../identity-records.js';
import { SignInRefused, type ExternalIdentity } from '../model.js';
import type { SignIn } from '../sign-in.js';
import { HeaderRefused, headerOf, headerSetting, TrustedProxy } from './trusted-proxy.js';

export interface ProxyLoginDeps {
  readonly settings: Settings;
  readonly accounts: Pick<AccountServices, 'users'>;
  readonly identities: Pick<IdentityRecords, 'get'>;
  readonly signIn: Pick<SignIn, 'logIn' | 'link'>;
}

/** Users whom the proxy names; an address that no other issuer can have. */
export const PROXY_ISSUER = 'urn:quire:proxy-login';
/** Visible ASCII: what a header can hold in one way only. */
const NAME = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;
const LONGEST_NAME = 320;
const MOST_GROUPS = 1000;

/** The headers of a connection do not count. `message` says why. */
export class ProxyNotTrusted extends Error {
  override readonly name = 'ProxyNotTrusted';
}

/** Logs users in by the headers of a trusted proxy (`security.proxyLogin`). */
export class ProxyLogin {
  readonly #proxy: TrustedProxy;
  readonly #headers: Readonly<Record<'user' | 'email' | 'groups', string>>;
  readonly #name: string;

  /** Throws SETTINGS_INVALID. */
  constructor(private readonly deps: ProxyLoginDeps) {
    const { settings } = deps;
    this.#proxy = new TrustedProxy(settings, 'security.proxyLogin.enabled');
    this.#headers = {
      user: headerSetting(settings, 'security.proxyLogin.userHeader'),
      email: headerSetting(settings, 'security.proxyLogin.emailHeader'),
      groups: headerSetting(settings, 'security.proxyLogin.groupsHeader'),
    };
    // A usual name would be the client's to send where the proxy uses another one.
    if (this.#headers.user === '')
      throw new StartupError('SETTINGS_INVALID', {
        where: shortOrigin(settings.origin('security.proxyLogin.enabled')),
        detail:
          'security.proxyLogin.enabled needs security.proxyLogin.userHeader: the header in which the proxy names ' +
          'the user',
      });
    this.#name = settings.get('security.proxyLogin.name').trim();
  }

  get hasNoSecret(): boolean {
    return this.#proxy.hasNoSecret;
  }

  /** Returns the account. Throws ProxyNotTrusted and SignInRefused. */
  async logIn(connection: CallConnection): Promise<User> {
    const fault = this.#proxy.fault(connection);
    if (fault !== undefined) throw new ProxyNotTrusted(fault);
    const identity = this.#identityIn(connection);
    if (this.deps.settings.get('security.proxyLogin.openAccountsByName')) await this.#linkByName(identity);
    return this.deps.signIn.logIn(identity);
  }

  async #linkByName(identity: ExternalIdentity): Promise<void> {
    const { identities, accounts, signIn } = this.deps;
    if ((await identities.get(identity)) !== undefined) return;
    const user = await accounts.users.byName(identity.username ?? '');
    if (user !== undefined && user.role !== INTERNAL_ROLE) await signIn.link(identity, user.id);
  }

  #identityIn(connection: CallConnection): ExternalIdentity {
    const { user: userHeader, email, groups } = this.#headers;
    const read = (name: string): string | undefined => (name === '' ? undefined : headerOf(connection, name));
    try {
      const username = nameIn(read(userHeader), userHeader);
      return {
        provider: { id: 'proxy', name: this.#name, protocol: 'proxy', issuer: PROXY_ISSUER },
        subject: username.toLowerCase(),
        username,
        unverified: false,
        email: read(email),
        displayName: undefined,
        picture: undefined,
        groups: this.#groupsIn(read(groups)),
        secondFactor: this.deps.settings.get('security.proxyLogin.secondFactor'),
      };
    } catch (error) {
      if (!(error instanceof HeaderRefused)) throw error;
      throw new SignInRefused('invalidUsername', error.message, { cause: error });
    }
  }

  /** Node reads header bytes as Latin-1; proxies write UTF-8. */
  #groupsIn(header: string | undefined): readonly string[] {
    const text = Buffer.from(header ?? '', 'latin1').toString('utf8');
    if (text.includes('\ufffd')) throw new HeaderRefused(`the header ${this.#headers.groups} is not UTF-8`);
    return text
      .split(this.deps.settings.get('security.proxyLogin.groupsSeparator') || ',')
      .map((group) => group.trim())
      .filter((group) => group !== '')
      .slice(0, MOST_GROUPS);
  }
}

/** A comma is how proxies and servers join two headers, so it would be two users. */
function nameIn(value: string | undefined, header: string): string {
  if (value === undefined) throw new HeaderRefused(`the proxy sends no user name in the header ${header}`);
  if (value.length > LONGEST_NAME) throw new HeaderRefused(`the user name in the header ${header} is too long`);
  if (value.includes(',')) throw new HeaderRefused(`the header ${header} has a comma: it may name two users`);
  if (!NAME.test(value)) throw new HeaderRefused(`the user name in the header ${header} has other signs than ASCII`);
  return value;
}
