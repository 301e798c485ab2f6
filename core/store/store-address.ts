import { StartupError } from '@quire/registry/errors';
import type { Settings } from '../settings/index.js';

/** The MongoDB that is the store. */
export interface StoreAddress {
  readonly url: string;
  readonly database: string;
  /** The setting that names it, for messages. */
  readonly setting: string;
}

type Read = Pick<Settings, 'get' | 'origin'>;

const OWN = 'store.mongodb.url';
const ENABLED = 'system.datasource.enableCustomDatabase';
const URL_KEY = 'system.datasource.customDatabaseUrl';
const TYPE = 'system.datasource.type';
const MONGODB = /^mongodb(\+srv)?:\/\//;

/**
 * The MongoDB of the settings: `store.mongodb.*`, or `system.datasource.*` while that is enabled; undefined for the
 * embedded store. Throws SETTINGS_INVALID for an SQL database, and when the two name different stores.
 */
export function storeAddress(settings: Read): StoreAddress | undefined {
  const url = settings.get(OWN);
  const own = url === '' ? undefined : { url, database: settings.get('store.mongodb.database'), setting: OWN };
  if (!settings.get(ENABLED)) return own;
  const found = dataSource(settings);
  if (own !== undefined && (own.url !== found.url || own.database !== found.database))
    throw fault(settings, ENABLED, `${OWN} names another store. Set ${ENABLED} to false, or remove ${OWN}`);
  return own ?? found;
}

function dataSource(settings: Read): StoreAddress {
  const given = settings.get(URL_KEY).trim();
  if (given !== '') {
    if (!MONGODB.test(given)) throw unsupported(settings, URL_KEY, 'is the address of an SQL database');
    const url = withUser(settings, given);
    return { url, database: pathOf(given) ?? databaseName(settings), setting: URL_KEY };
  }
  const type = settings.get(TYPE);
  if (type !== 'mongodb') throw unsupported(settings, TYPE, `is ${type}`);
  const port = isSet(settings, 'system.datasource.port') ? settings.get('system.datasource.port') : 27017;
  const url = withUser(settings, `mongodb://${settings.get('system.datasource.hostName').trim()}:${port}/`);
  return { url, database: databaseName(settings), setting: 'system.datasource.hostName' };
}

/** `name` and others have the defaults of PostgreSQL, which mean nothing for MongoDB. */
function isSet(settings: Read, path: string): boolean {
  return settings.origin(path) !== 'shipped';
}

function databaseName(settings: Read): string {
  const name = 'system.datasource.name';
  return isSet(settings, name) ? settings.get(name) : settings.get('store.mongodb.database');
}

/** The database that an address names; undefined if it names none. */
function pathOf(url: string): string | undefined {
  const path = /^[^:]+:\/\/[^/?]*\/([^?]*)/.exec(url)?.[1] ?? '';
  return path === '' ? undefined : decodeURIComponent(path);
}

/** The address with user and password of the settings, unless it has its own. */
function withUser(settings: Read, url: string): string {
  const [, scheme = '', rest = ''] = /^([^:]+:\/\/)(.*)$/s.exec(url) ?? [];
  if (/^[^/?]*@/.test(rest)) return url;
  const password = settings.get('system.datasource.password');
  const username = 'system.datasource.username';
  if (!isSet(settings, username)) {
    if (password === '') return url;
    throw fault(settings, 'system.datasource.password', `${username} is not set: set it to the user of the MongoDB`);
  }
  const user = encodeURIComponent(settings.get(username));
  return `${scheme}${user}${password === '' ? '' : `:${encodeURIComponent(password)}`}@${rest}`;
}

function unsupported(settings: Read, path: string, what: string): StartupError {
  return fault(
    settings,
    path,
    `${path} ${what}, and the store cannot be kept in SQL databases. Set ${ENABLED} to false to keep everything in ` +
      `the base folder, or name a MongoDB: ${URL_KEY}, or ${OWN}. Accounts of another server are not taken over`,
  );
}

function fault(settings: Read, path: string, detail: string): StartupError {
  return new StartupError('SETTINGS_INVALID', { where: `${settings.origin(path)}, ${path}`, detail });
}
