import { defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import { appConfigSchema } from './app-config-schema.js';
import { appConfig, type AppConfigDeps } from './app-config.js';
import { loginDisclaimer } from '../../accounts/endpoints/index.js';
import type { AvailabilityTable, SwitchBoard } from '../../access/index.js';

export interface ConfigDeps extends AppConfigDeps {
  availability(): AvailabilityTable;
  switches(): SwitchBoard;
}

const keyList = (joi: JoiRoot) => joi.array().items(joi.string().max(10_000)).single().max(1000);
const available = (joi: JoiRoot) =>
  joi
    .object({
      enabled: joi.boolean().required(),
      reason: joi.string().valid('CONFIG', 'DEPENDENCY', 'UNKNOWN').allow(null).required(),
    })
    .label('EndpointAvailability');

/**
 * Configuration that clients read when they start (`docs/interface/platform.yml`, config). State and reason come only
 * from the availability table.
 */
export function configEndpoints(deps: ConfigDeps): Endpoint[] {
  const base = { since: '1.0.0', tag: 'config', method: 'GET' } as const;
  const byKey = (key: string) => deps.availability().byKey(key);
  return [
    defineEndpoint({
      ...base,
      id: 'getAppConfig',
      path: 'config/app-config',
      summary: 'Get client configuration',
      access: { role: 'public' },
      notes: 'Answers 200 also after an internal failure, then with `error` and the parts that are available.',
      returns: { description: 'The configuration', json: appConfigSchema },
      errors: [],
      handle: async ({ headers, principal, address }) => ({
        json: await appConfig(deps, { host: headers['host'], principal, address }),
      }),
    }),
    defineEndpoint({
      ...base,
      id: 'checkEndpointEnabled',
      path: 'config/endpoint-enabled',
      summary: 'Check whether an endpoint is enabled',
      notes:
        'By key (`compress-pdf`, `pdf-to-img`) or path. The answer is true for a key that this server does not ' +
        'know, because it was never disabled.',
      request: {
        query: (joi) =>
          joi.object({ endpoint: joi.string().max(300).required().description('Endpoint key').example('rotate-pdf') }),
      },
      returns: { description: 'true or false', json: (joi) => joi.boolean() },
      errors: ['INPUT_INVALID', 'KEY_INVALID'],
      handle: async ({ query }) => ({ json: byKey(String(query['endpoint'])).enabled }),
    }),
    defineEndpoint({
      ...base,
      id: 'checkEndpointsEnabled',
      path: 'config/endpoints-enabled',
      summary: 'Check which endpoints are enabled',
      request: {
        query: (joi) =>
          joi.object({
            endpoints: keyList(joi)
              .required()
              .description('Endpoint keys, separated by commas')
              .example(['rotate-pdf', 'merge-pdfs']),
          }),
      },
      returns: {
        description: 'Key to true or false',
        json: (joi) => joi.object().pattern(joi.string(), joi.boolean()).label('EndpointsEnabled'),
      },
      errors: ['INPUT_INVALID', 'KEY_INVALID'],
      handle: async ({ query }) => ({
        json: byName(keysOf(query['endpoints']).map((key) => [key, byKey(key).enabled])),
      }),
    }),
    defineEndpoint({
      ...base,
      id: 'getEndpointsAvailability',
      path: 'config/endpoints-availability',
      summary: 'Check which endpoints are enabled, with reasons',
      notes:
        '`CONFIG`: disabled by settings or an administrator; `DEPENDENCY`: a program is missing; `UNKNOWN`: ' +
        'this server has no such endpoint.',
      request: {
        query: (joi) =>
          joi.object({ endpoints: keyList(joi).description('Endpoint keys, separated by commas; default: all') }),
      },
      returns: {
        description: 'Key to state and reason',
        json: (joi) => joi.object().pattern(joi.string(), available(joi)).label('EndpointsAvailability'),
      },
      errors: ['INPUT_INVALID', 'KEY_INVALID'],
      handle: async ({ query }) => {
        const keys =
          query['endpoints'] === undefined
            ? [
                ...new Set(
                  deps
                    .availability()
                    .all()
                    .map(({ key }) => key),
                ),
              ]
            : keysOf(query['endpoints']);
        return { json: byName(keys.map((key) => [key, byKey(key)])) };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'checkGroupEnabled',
      path: 'config/group-enabled',
      summary: 'Check whether a group of endpoints is enabled',
      notes:
        'A tool group is enabled unless it was removed or its program is missing; a functional group if it has ' +
        'endpoints here and all are enabled.',
      request: {
        query: (joi) =>
          joi.object({ group: joi.string().max(300).required().description('Group name, exact').example('PageOps') }),
      },
      returns: { description: 'true or false', json: (joi) => joi.boolean() },
      errors: ['INPUT_INVALID', 'KEY_INVALID'],
      handle: async ({ query }) => ({ json: deps.availability().groupEnabled(String(query['group'])) }),
    }),
    defineEndpoint({
      ...base,
      id: 'getLoginDisclaimer',
      path: 'config/login-disclaimer',
      summary: 'Get the login agreement in a language',
      access: { role: 'public' },
      notes:
        'Read from `<customFiles>/disclaimer/<locale>.md`: first the locale, then its language, the default ' +
        'locale, and `legal.loginAgreement.fallbackText`.',
      request: {
        query: (joi) => joi.object({ lang: joi.string().allow('').max(40).description('Locale such as en or en_GB') }),
      },
      returns: {
        description: 'The agreement',
        json: (joi) =>
          joi
            .object({
              enabled: joi.boolean().required(),
              showInAnonymousMode: joi.boolean().required(),
              content: joi.string().allow('').required(),
              format: joi.string().valid('markdown').required(),
            })
            .label('LoginDisclaimer'),
      },
      errors: ['INPUT_INVALID'],
      handle: async ({ query }) => ({
        json: await loginDisclaimer(deps.settings, query['lang'] as string | undefined),
      }),
    }),
    defineEndpoint({
      ...base,
      id: 'getEndpointsStatus',
      path: 'settings/get-endpoints-status',
      tag: 'settings',
      summary: 'List endpoints with a known state',
      notes: 'false: cannot be called; true: enabled by an administrator. Endpoints that are not listed are enabled.',
      returns: {
        description: 'Endpoint key to true or false',
        json: (joi) => joi.object().pattern(joi.string(), joi.boolean()).label('EndpointsStatus'),
      },
      errors: ['KEY_INVALID'],
      handle: async () => {
        const stated = deps
          .availability()
          .all()
          .filter(({ path, availability }) => !availability.enabled || deps.switches().get('operation', path) === true);
        return { json: byName(stated.map(({ key }) => [key, byKey(key).enabled])) };
      },
    }),
    defineEndpoint({
      id: 'updateEnableAnalytics',
      method: 'POST',
      path: 'settings/update-enable-analytics',
      since: '1.0.0',
      tag: 'settings',
      summary: 'Save the analytics choice',
      access: { role: 'admin', area: 'settings' },
      notes:
        'Exists for clients that ask. This server sends no analytics, whatever the choice. Send it as a form ' +
        'field or in the query; 208 if `system.enableAnalytics` or an earlier call made the choice.',
      request: {
        payloadType: 'form',
        payload: (joi) => joi.object({ enabled: joi.boolean().required().description('The choice').example(false) }),
      },
      returns: {
        description: 'The choice was saved',
        json: analyticsChoice,
        also: { 208: { description: 'The choice was made before', json: analyticsChoice } },
      },
      errors: ['INPUT_INVALID', 'KEY_INVALID', 'ADMIN_ONLY', 'STORE_DOWN'],
      handle: async ({ payload }) => {
        const kept = await deps.admin.firstRun.choose(payload['enabled'] === true);
        return kept
          ? { json: { message: 'Updated' } }
          : {
              status: 208,
              json: { message: 'The choice was made already; change it with system.enableAnalytics.' },
            };
      },
    }),
  ];
}

const analyticsChoice = (joi: JoiRoot) => joi.object({ message: joi.string().required() }).label('AnalyticsChoice');

/** Creates an object with names from a request. It has no prototype, so `__proto__` is an ordinary name. */
function byName(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const named = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of entries)
    Object.defineProperty(named, name, { value, enumerable: true, configurable: true });
  return named;
}

function keysOf(value: unknown): string[] {
  return (value as readonly string[])
    .flatMap((text) => text.split(','))
    .map((key) => key.trim())
    .filter((key) => key !== '');
}
