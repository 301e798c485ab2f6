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
 * What clients ask when they start (`docs/interface/platform.yml`, config). State and reason come from the availability
 * table alone.
 */
export function configEndpoints(deps: ConfigDeps): Endpoint[] {
  const base = { since: '1.0.0', tag: 'config', method: 'GET' } as const;
  const byKey = (key: string) => deps.availability().byKey(key);
  return [
    defineEndpoint({
      ...base,
      id: 'appConfig',
      path: 'config/app-config',
      summary: 'Give the configuration that a client starts with',
      access: { role: 'public' },
      notes: 'Answers 200 also after an internal failure, then with `error` and what could be gathered.',
      returns: { description: 'The configuration', json: appConfigSchema },
      errors: [],
      handle: async ({ headers, principal }) => ({
        json: await appConfig(deps, { host: headers['host'], principal }),
      }),
    }),
    defineEndpoint({
      ...base,
      id: 'endpointEnabled',
      path: 'config/endpoint-enabled',
      summary: 'Tell whether an endpoint is on',
      notes:
        'By key (`compress-pdf`, `pdf-to-img`) or path. A key that this server does not have was never ' +
        'switched off: true.',
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
      id: 'endpointsEnabled',
      path: 'config/endpoints-enabled',
      summary: 'Tell which endpoints are on',
      request: {
        query: (joi) =>
          joi.object({
            endpoints: keyList(joi)
              .required()
              .description('Endpoint keys, comma separated')
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
      id: 'endpointsAvailability',
      path: 'config/endpoints-availability',
      summary: 'Tell which endpoints are on, and why not',
      notes:
        '`CONFIG`: switched off by settings or an administrator; `DEPENDENCY`: a program is missing; ' +
        '`UNKNOWN`: this server has no such endpoint.',
      request: {
        query: (joi) =>
          joi.object({ endpoints: keyList(joi).description('Endpoint keys, comma separated; all when absent') }),
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
      id: 'groupEnabled',
      path: 'config/group-enabled',
      summary: 'Tell whether a group of endpoints is on',
      notes:
        'A tool group is on unless it was removed or its program is missing; a functional group when it has ' +
        'endpoints here and all are on.',
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
      id: 'loginDisclaimer',
      path: 'config/login-disclaimer',
      summary: 'Give the login agreement in a language',
      access: { role: 'public' },
      notes:
        'From `<customFiles>/disclaimer/<locale>.md`: the locale, its language, the default locale, then ' +
        '`legal.loginAgreement.fallbackText`.',
      request: {
        query: (joi) => joi.object({ lang: joi.string().allow('').max(40).description('Locale as en or en_GB') }),
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
      summary: 'List endpoints with a state of their own',
      notes: 'False: cannot be called; true: an administrator switched it on. An endpoint that is not listed is on.',
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
      summary: 'Keep the first choice on analytics',
      access: { role: 'admin' },
      notes:
        'Kept for clients that ask. This server sends analytics to nobody, whatever the choice. As a form ' +
        'field or in the query; 208 when `system.enableAnalytics` or an earlier call has settled it.',
      request: {
        payloadType: 'form',
        payload: (joi) => joi.object({ enabled: joi.boolean().required().description('The choice').example(false) }),
      },
      returns: {
        description: 'The choice is kept',
        json: analyticsChoice,
        also: { 208: { description: 'There was a choice already', json: analyticsChoice } },
      },
      errors: ['INPUT_INVALID', 'KEY_INVALID', 'ADMIN_ONLY', 'STORE_DOWN'],
      handle: async ({ payload }) => {
        const kept = await deps.admin.firstRun.choose(payload['enabled'] === true);
        return kept
          ? { json: { message: 'Updated' } }
          : {
              status: 208,
              json: { message: 'The choice was made already; it is changed with system.enableAnalytics.' },
            };
      },
    }),
  ];
}

const analyticsChoice = (joi: JoiRoot) => joi.object({ message: joi.string().required() }).label('AnalyticsChoice');

/** An object whose names come from a request: without a prototype, so that `__proto__` is a name like others. */
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
