import { createHash, timingSafeEqual } from 'node:crypto';
import { StartupError, type CallConnection } from '@quire/registry';
import { headerValues, trustedFrom } from '../../http/request/index.js';
import { shortOrigin, type Settings } from '../../settings/index.js';

const LIST = 'security.proxyLogin.trustedProxies';
/** Header names (RFC 9110, 5.1) without underscores, which proxies treat in different ways. */
const HEADER_NAME = /^[a-z0-9][a-z0-9-]*$/i;
const LONGEST_VALUE = 16 * 1024;

/** A header of a proxy cannot be used. `message` is for administrators and quotes no value. */
export class HeaderRefused extends Error {
  override readonly name = 'HeaderRefused';
}

/** The proxies that may vouch for users and machines (`security.proxyLogin`). */
export class TrustedProxy {
  readonly #isListed: (address: string) => boolean;
  readonly #secret: Buffer | undefined;
  readonly #secretHeader: string;

  /** Throws SETTINGS_INVALID for entries that cannot be used. `user`: the setting that needs the list. */
  constructor(settings: Settings, user: string) {
    const list = settings.get(LIST).map((entry) => entry.trim());
    const where = shortOrigin(settings.origin(LIST));
    if (list.length === 0)
      throw new StartupError('SETTINGS_INVALID', {
        where: shortOrigin(settings.origin(user as typeof LIST)),
        detail: `${user} needs ${LIST}: the addresses of the proxies that may log users in`,
      });
    const everybody = list.find((entry) => /\/0+$/.test(entry));
    if (everybody !== undefined)
      throw new StartupError('SETTINGS_INVALID', {
        where,
        detail: `${LIST} contains "${everybody}": everybody could log in as any user; name the addresses of the proxies`,
      });
    this.#isListed = trustedFrom(list, where, LIST);
    const secret = settings.get('security.proxyLogin.secret');
    this.#secret = secret === '' ? undefined : digest(secret);
    this.#secretHeader = headerSetting(settings, 'security.proxyLogin.secretHeader');
  }

  /** Whether the addresses of the proxies are all that is checked. */
  get hasNoSecret(): boolean {
    return this.#secret === undefined;
  }

  /** Returns why headers of this connection do not count; undefined if they do. */
  fault(connection: CallConnection): string | undefined {
    if (!this.#isListed(connection.peer)) return `${connection.peer} is not one of ${LIST}`;
    if (this.#secret === undefined) return undefined;
    const [given, ...more] = headerValues(connection, this.#secretHeader);
    const isRight = given !== undefined && more.length === 0 && timingSafeEqual(digest(given), this.#secret);
    return isRight ? undefined : `the header ${this.#secretHeader} with the secret of the proxy is missing or wrong`;
  }
}

/** Reads the name of a header. Throws SETTINGS_INVALID. */
export function headerSetting(
  settings: Settings,
  key:
    | `security.proxyLogin.${'secretHeader' | 'userHeader' | 'emailHeader' | 'groupsHeader'}`
    | 'security.clientCertificates.header',
): string {
  const name = settings.get(key).trim().toLowerCase();
  if (name === '' || HEADER_NAME.test(name)) return name;
  throw new StartupError('SETTINGS_INVALID', {
    where: shortOrigin(settings.origin(key)),
    detail: `${key}: "${name}" is not a header name of letters, digits and hyphens`,
  });
}

/** Whether a header was sent, in whatever spelling. */
export function hasHeader({ rawHeaders }: CallConnection, name: string): boolean {
  return rawHeaders.some((one, i) => i % 2 === 0 && one.length === name.length && plain(one) === name);
}

/**
 * Returns the value of a header; undefined when it is missing or empty. Throws HeaderRefused when it was sent twice, or
 * with underscores: a client has added one that the proxy did not remove.
 */
export function headerOf(connection: CallConnection, name: string): string | undefined {
  const spelt = connection.rawHeaders.filter(
    (one, i) => i % 2 === 0 && plain(one) === name && one.toLowerCase() !== name,
  );
  if (spelt.length > 0)
    throw new HeaderRefused(`the header ${name} was also sent in another spelling, with underscores`);
  const values = headerValues(connection, name);
  if (values.length > 1)
    throw new HeaderRefused(
      `the header ${name} was sent ${values.length} times; the proxy has to remove what clients send`,
    );
  const value = (values[0] ?? '').trim();
  if (value.length > LONGEST_VALUE) throw new HeaderRefused(`the header ${name} is too long`);
  return value === '' ? undefined : value;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** Texts of different lengths must not be told apart by the time of the comparison. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
