import { authTypes, type Config, type IntegrationType, type JsonValue } from './connection-types.js';
import { headerNameFault, headerValueFault } from './header-rules.js';
import { jsonPathFault } from './json-path.js';
import { relativePathFault } from './relative-path.js';

/** A fault of a connection's settings: the member, as `headers.X-A`, and what is wrong with it. */
export interface ConfigFault {
  readonly member: string;
  readonly detail: string;
}

const LONGEST_TEXT = 4000;
const MOST_HEADERS = 50;
const MOST_HOSTS = 50;
/** Labels of at most 63 characters, separated by dots; matches in linear time. */
const HOST = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*\.?$|^\[[0-9a-f:.]+\]$/i;
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The settings as they are kept, or what is wrong with them: members that a type of connection does not know are
 * faults, so that a misspelt one is noticed.
 */
export function checkConfig(
  type: IntegrationType,
  given: Config,
): { readonly config: Config; readonly faults: readonly ConfigFault[] } {
  const check = new ConfigCheck(given);
  if (type === 'API') checkApi(check);
  else if (type === 'PURVIEW') checkPurview(check);
  else checkOther(check);
  return { config: check.config, faults: check.faults };
}

/** Reads members one by one, and keeps those that are right. */
class ConfigCheck {
  readonly config: Record<string, JsonValue | undefined> = {};
  readonly faults: ConfigFault[] = [];

  constructor(readonly given: Config) {}

  fault(member: string, detail: string): void {
    this.faults.push({ member, detail });
  }

  text(
    member: string,
    {
      required = false,
      fault,
      shape = (value) => value,
    }: {
      readonly required?: boolean;
      readonly fault?: (value: string) => string | undefined;
      readonly shape?: (value: string) => string;
    } = {},
  ): string | undefined {
    const value = this.given[member];
    if (value === undefined || value === null || value === '') {
      if (required) this.fault(member, 'is missing');
      return undefined;
    }
    const wrong =
      typeof value !== 'string'
        ? 'must be a text'
        : value.length > LONGEST_TEXT
          ? `has more than ${LONGEST_TEXT} characters`
          : fault?.(value);
    if (wrong !== undefined || typeof value !== 'string') {
      this.fault(member, wrong ?? 'must be a text');
      return undefined;
    }
    return (this.config[member] = shape(value));
  }

  number(member: string, least: number, most: number): void {
    const value = this.given[member];
    if (value === undefined || value === null) return;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
      this.fault(member, `must be a whole number from ${least} to ${most}`);
    else this.config[member] = value;
  }

  headers(member: string): void {
    const value = this.given[member];
    if (value === undefined || value === null) return;
    if (typeof value !== 'object' || Array.isArray(value)) return this.fault(member, 'must be an object of texts');
    const entries = Object.entries(value as Config);
    if (entries.length > MOST_HEADERS) return this.fault(member, `has more than ${MOST_HEADERS} members`);
    for (const [name, text] of entries) {
      const wrong = headerNameFault(name) ?? (typeof text === 'string' ? headerValueFault(text) : 'must be a text');
      if (wrong !== undefined) this.fault(`${member}.${name.slice(0, 100)}`, wrong);
    }
    this.config[member] = value;
  }

  /** Members beside these are faults. */
  only(members: readonly string[]): void {
    for (const member of Object.keys(this.given))
      if (!members.includes(member)) this.fault(member.slice(0, 100), `is not known; known are ${members.join(', ')}`);
  }
}

function checkApi(check: ConfigCheck): void {
  check.only([
    'baseUrl',
    'authType',
    'token',
    'headerName',
    'headerPrefix',
    'username',
    'password',
    'headers',
    'resultUrlHosts',
    'timeoutSeconds',
    'loginPath',
    'loginBody',
    'loginHeaders',
    'tokenResponseHeader',
    'tokenResponseJsonPath',
    'tokenHeaderName',
    'tokenPrefix',
    'tokenTtlSeconds',
  ]);
  check.text('baseUrl', {
    required: true,
    fault: (value) => baseUrlFault(value),
    shape: (value) => value.replace(/\/+$/, ''),
  });
  const authType = check.given['authType'] ?? 'NONE';
  if (!(authTypes as readonly JsonValue[]).includes(authType))
    check.fault('authType', `must be one of ${authTypes.join(', ')}`);
  check.config['authType'] = authType;
  const login = authType === 'TOKEN_LOGIN';
  check.text('token', { required: authType === 'BEARER' || authType === 'HEADER', fault: headerValueFault });
  check.text('headerName', { required: authType === 'HEADER', fault: (value) => headerNameFault(value, true) });
  check.text('headerPrefix', { fault: prefixFault });
  // RFC 7617, 2: a user name holds no colon.
  check.text('username', {
    required: authType === 'BASIC',
    fault: (value) => (authType === 'BASIC' && value.includes(':') ? 'holds a colon' : undefined),
  });
  check.text('password', { required: authType === 'BASIC' });
  check.headers('headers');
  checkHosts(check);
  check.number('timeoutSeconds', 1, 600);
  check.text('loginPath', { required: login, fault: relativePathFault });
  const { loginBody } = check.given;
  if (loginBody !== undefined && loginBody !== null && loginBody !== '') {
    if (
      (typeof loginBody !== 'string' && (typeof loginBody !== 'object' || Array.isArray(loginBody))) ||
      JSON.stringify(loginBody).length > 16_384
    )
      check.fault('loginBody', 'must be a text or an object of at most 16384 characters');
    else check.config['loginBody'] = loginBody;
  }
  check.headers('loginHeaders');
  const header = check.text('tokenResponseHeader', { fault: (value) => headerNameFault(value, true) });
  const path = check.text('tokenResponseJsonPath', { fault: jsonPathFault });
  if (
    login &&
    (header === undefined) === (path === undefined) &&
    check.faults.every(({ member }) => !member.startsWith('tokenResponse'))
  )
    check.fault('tokenResponseJsonPath', 'exactly one of tokenResponseHeader and tokenResponseJsonPath must be given');
  check.text('tokenHeaderName', { fault: (value) => headerNameFault(value, true) });
  check.text('tokenPrefix', { fault: prefixFault });
  check.number('tokenTtlSeconds', 1, 86_400);
}

function checkPurview(check: ConfigCheck): void {
  check.only(['tenantId', 'clientId', 'clientSecret', 'graphBaseUrl', 'loginBaseUrl']);
  const guid = (value: string): string | undefined => (GUID.test(value) ? undefined : 'must be a GUID');
  check.text('tenantId', { required: true, fault: guid, shape: (value) => value.toLowerCase() });
  const client = check.text('clientId', { fault: guid });
  const secret = check.text('clientSecret');
  if ((client === undefined) !== (secret === undefined) && check.faults.length === 0)
    check.fault(
      client === undefined ? 'clientId' : 'clientSecret',
      'is missing: clientId and clientSecret go together',
    );
  for (const member of ['graphBaseUrl', 'loginBaseUrl'])
    check.text(member, { fault: (value) => baseUrlFault(value), shape: (value) => value.replace(/\/+$/, '') });
}

/** Members of S3, MCP and signing connections are kept as they are sent; addresses among them are checked. */
function checkOther(check: ConfigCheck): void {
  const count = (value: JsonValue | undefined, depth: number): number => {
    if (typeof value !== 'object' || value === null) return 1;
    if (depth > 5) return Infinity;
    return Object.values(value).reduce<number>((sum, one) => sum + count(one as JsonValue, depth + 1), 1);
  };
  if (count(check.given, 0) > 500)
    return check.fault('', 'has more than 500 values, or they lie deeper than 5 objects');
  for (const [member, value] of Object.entries(check.given)) {
    if (/(url|endpoint)$/i.test(member) && value !== '' && value !== null)
      check.text(member, { fault: (text) => baseUrlFault(text, true) });
    else if (typeof value === 'string' && value.length > LONGEST_TEXT)
      check.fault(member.slice(0, 100), `has more than ${LONGEST_TEXT} characters`);
    else check.config[member] = value;
  }
}

function baseUrlFault(value: string, query = false): string | undefined {
  if (/[\s\\\p{Cc}]/u.test(value) || !URL.canParse(value)) return 'must be an absolute URL';
  const url = new URL(value);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http:// or https://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  return !query && /[?#]/.test(value) ? 'must not have a query or fragment' : undefined;
}

function checkHosts(check: ConfigCheck): void {
  const hosts = check.given['resultUrlHosts'];
  if (hosts === undefined || hosts === null) return;
  if (!Array.isArray(hosts) || hosts.length > MOST_HOSTS)
    return check.fault('resultUrlHosts', `must be a list of at most ${MOST_HOSTS} hosts`);
  const isHost = (host: unknown): host is string => typeof host === 'string' && host.length < 254 && HOST.test(host);
  const wrong = (hosts as readonly unknown[]).findIndex((host) => !isHost(host));
  if (wrong >= 0) check.fault(`resultUrlHosts.${wrong}`, 'must be a bare host, without scheme, port and path');
  else
    check.config['resultUrlHosts'] = (hosts as readonly string[]).map((host) => host.toLowerCase().replace(/\.$/, ''));
}

/** A blank at its end is part of it. */
function prefixFault(value: string): string | undefined {
  return headerValueFault(value.trimEnd());
}
