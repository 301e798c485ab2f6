import Joi from 'joi';
import type { KnownKey } from './known-key.js';
import { cronFault } from './cron.js';
import { durationToMs, sizeToBytes } from './units.js';

const text = Joi.string().allow('');

function refuse(helpers: Joi.CustomHelpers): Joi.ErrorReport {
  return helpers.error('any.invalid');
}

const LONGEST_PREFIX = 200;

const formats = {
  size: text.custom((value: string, helpers) =>
    value === '' || (/[a-z]/i.test(value) && sizeToBytes(value) !== undefined) ? value : refuse(helpers),
  ),
  'path-prefix': text.custom((value: string, helpers) => {
    const trimmed = value.replace(/\/+$/, '');
    // Browsers and proxies resolve `.` and `..` before they send a path (RFC 3986, 6.2.2.3).
    const isPath = /^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)+$/.test(trimmed) && trimmed.length <= LONGEST_PREFIX;
    return trimmed === '' || isPath ? trimmed : refuse(helpers);
  }),
  url: text.uri({ scheme: ['http', 'https'] }),
  mongodb: text.pattern(/^mongodb(\+srv)?:\/\//),
  // 24 to 64 bytes in base64 are 32 to 88 characters.
  'webhook-secret': text.trim().pattern(/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/),
  // RFC 6750, 2.1; as long as 24 random bytes in base64.
  'bearer-token': text.trim().pattern(/^[A-Za-z0-9._~+/-]{32,512}=*$/),
  cron: text.custom((value: string, helpers) => (cronFault(value) === undefined ? value : refuse(helpers))),
  'secret-key': text.trim().pattern(/^[0-9a-fA-F]{64}$/),
} as const;

function integer(key: KnownKey): Joi.Schema {
  let schema = Joi.number().integer();
  if (key.min !== undefined) schema = schema.min(key.min);
  if (key.max !== undefined) schema = schema.max(key.max);
  return key.allowed === undefined ? schema : Joi.valid(...key.allowed);
}

const unoServerEndpoint = Joi.object({
  host: Joi.string().required(),
  port: Joi.number().integer().min(1).max(65535).required(),
  hostLocation: Joi.string().valid('auto', 'local', 'remote').default('auto'),
  protocol: Joi.string().valid('http', 'https').default('http'),
});

/** Builds the Joi schema of a key. Lists take one comma separated text too, as the environment has nothing else. */
export function keySchema(key: KnownKey): Joi.Schema {
  switch (key.type) {
    case 'string':
      if (key.allowed !== undefined) return Joi.string().valid(...key.allowed);
      return key.format === undefined ? text : formats[key.format];
    case 'boolean':
      return Joi.boolean();
    case 'boolean?':
      return Joi.boolean().allow(null).empty('null');
    case 'integer':
      return integer(key);
    case 'strings':
      return Joi.array().items(Joi.string().trim());
    case 'integers':
      return Joi.array().items(Joi.number().integer());
    case 'objects':
      return Joi.array().items(unoServerEndpoint);
    case 'plugins':
    case 'operations':
      return Joi.any();
  }
}

/** Says in words what a key takes. */
export function allowedWords(key: KnownKey): string {
  if (key.allowed !== undefined) return `one of ${key.allowed.join(', ')}`;
  switch (key.type) {
    case 'boolean':
      return 'true or false';
    case 'boolean?':
      return 'true, false or null';
    case 'integer':
      return key.max === undefined
        ? `a whole number from ${key.min ?? 'any'} on`
        : `a whole number from ${key.min ?? 0} to ${key.max}`;
    case 'strings':
      return 'a list of texts';
    case 'integers':
      return 'a list of whole numbers';
    case 'objects':
      return 'a list of {host, port, hostLocation: auto|local|remote, protocol: http|https}';
    case 'plugins':
      return 'a list of {use, optional, options, enabled}';
    case 'operations':
      return 'operation paths with {enabled, timeout, concurrency, maxBytes, maxPages}';
    case 'string':
      return textWords(key);
  }
}

function textWords(key: KnownKey): string {
  switch (key.format) {
    case 'size':
      return 'a size with its unit as 500KB, 100MB or 2GB, or empty';
    case 'path-prefix':
      return 'a URL path that starts with a slash as /tools, at most 200 characters, without . and .., or empty';
    case 'url':
      return 'an http or https address, or empty';
    case 'mongodb':
      return 'an address that starts with mongodb:// or mongodb+srv://, or empty';
    case 'webhook-secret':
      return 'whsec_ and 24 to 64 bytes in base64 (echo "whsec_$(openssl rand -base64 32)"), or empty';
    case 'bearer-token':
      return '32 to 512 letters, digits and . _ ~ + / - as `openssl rand -hex 32` prints them, or empty';
    case 'cron':
      return 'six fields (second, minute, hour, day of the month, month, day of the week) as "0 0 3 * * ?", or empty';
    case 'secret-key':
      return '64 hexadecimal digits in quotes, as `openssl rand -hex 32` prints them, or empty';
    default:
      return 'a text';
  }
}

/** Schema of one entry of `plugins`. */
export const pluginUseSchema = Joi.object({
  use: Joi.string().required(),
  optional: Joi.boolean().default(false),
  enabled: Joi.boolean().default(true),
  options: Joi.object().unknown(true).default({}),
});

/** Schema of one entry of `operations`. */
export const operationSchema = Joi.object({
  enabled: Joi.boolean(),
  timeout: Joi.string().custom((value: string, helpers) => ((durationToMs(value) ?? 0) > 0 ? value : refuse(helpers))),
  concurrency: Joi.number().integer().min(1).max(1024),
  maxBytes: Joi.alternatives(
    Joi.number().integer().min(1),
    Joi.string().custom((value: string, helpers) => sizeToBytes(value) ?? refuse(helpers)),
  ),
  maxPages: Joi.number().integer().min(1),
});

/** Says in words what the members of `plugins` and `operations` entries take. */
export const memberWords: Readonly<Record<string, string>> = {
  use: 'the name of an installed package',
  optional: 'true or false',
  enabled: 'true or false',
  options: "a map of the plugin's own options",
  timeout: 'a duration with its unit as 500ms, 30s, 5m or 2h',
  concurrency: 'a whole number from 1 to 1024',
  maxBytes: 'a number of bytes, or a size as 100MB',
  maxPages: 'a whole number from 1 on',
};
