import { AccessError, defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import { doubleText, uptimeText, type CallTotals, type Counters, type WeeklyBrowsers } from '../index.js';
import { pluginWarning } from '../plugin-warning.js';
import type { Catalog } from '@quire/catalog';
import type { Guard } from '../../access/index.js';
import type { Settings } from '../../settings/index.js';

export interface InfoDeps {
  /** False while the server shuts down. */
  accepting(): boolean;
  readonly browsers: WeeklyBrowsers;
  catalog(): Catalog;
  readonly counters: Counters;
  /** Undefined unless counts outlive the server. */
  readonly totals: CallTotals | undefined;
  readonly guard: Pick<Guard, 'loginEnabled'>;
  readonly settings: Settings;
  readonly version: string;
}

const statusBody = (joi: JoiRoot) =>
  joi
    .object({
      status: joi.string().required().example('UP'),
      version: joi.string().allow(null).required(),
      warnings: joi.array().items(pluginWarning(joi)).description('Plugins that were left out, if there are any'),
    })
    .label('Status');
const rows = (joi: JoiRoot) =>
  joi
    .array()
    .items(joi.object({ endpoint: joi.string().required(), count: joi.number().required() }).label('EndpointCount'));
const weeklyBody = (joi: JoiRoot) =>
  joi
    .object({
      weeklyActiveUsers: joi.number().integer().required().description('Browsers seen in the last seven days'),
      totalUniqueBrowsers: joi.number().integer().required().description('Browsers seen since the start'),
      daysOnline: joi.number().integer().required().description('Full days since the start'),
      trackingSince: joi.string().isoDate().required().description('Start of the server in UTC'),
    })
    .label('WeeklyUsers');
const endpointQuery = (joi: JoiRoot) =>
  joi.object({
    endpoint: joi.string().max(1000).description('Path of one endpoint, for example /api/v1/misc/repair; default: all'),
  });

const COUNTS_OF_ALL = 'The calls of all users together; while login is on, only administrators may read them. ';
const SINCE_START = 'Since the start of the server that answers.';
const SINCE_START_OR_KEPT =
  'Since the start of the server that answers; with `premium.enterpriseFeatures.persistentMetrics.enabled`, of all ' +
  'servers on the store, by route, over `retentionDays`.';
const jsonType = { 'content-type': 'application/json' };

/** The info API (`docs/interface/info.yml`). */
export function infoEndpoints(deps: InfoDeps): Endpoint[] {
  const base = { since: '1.0.0', tag: 'info' };
  const status = () => ({
    json: {
      status: deps.accepting() ? 'UP' : 'DOWN',
      version: deps.version,
      ...(deps.catalog().warnings.length > 0 ? { warnings: deps.catalog().warnings } : {}),
    },
    status: deps.accepting() ? 200 : 503,
  });
  /** With `metrics.enabled` off, only status and health are available (spec part 5, rule 10). */
  const needMetrics = (): void => {
    if (!deps.settings.get('metrics.enabled')) throw new AccessError('METRICS_OFF');
  };
  const { counters, totals } = deps;
  const counts = (name: 'requests' | 'load', method: 'POST' | 'GET'): Endpoint[] =>
    [false, true].flatMap((unique) => {
      const kept = unique ? undefined : totals;
      const notes = COUNTS_OF_ALL + (unique ? SINCE_START : SINCE_START_OR_KEPT);
      const tail = unique ? '/unique' : '';
      const what = unique ? 'sessions behind' : '';
      const id = `count${method === 'GET' ? 'Get' : 'Post'}${unique ? 'Sessions' : 'Calls'}`;
      return [
        defineEndpoint({
          ...base,
          id,
          method: 'GET',
          path: `info/${name}${tail}`,
          summary: `Count ${what} ${method} calls`.replace('  ', ' '),
          notes,
          access: { role: 'admin', area: 'usage' },
          request: { query: endpointQuery },
          returns: { description: 'A number', json: (joi) => joi.number() },
          errors: ['METRICS_OFF', 'KEY_INVALID', 'STORE_DOWN'],
          handle: async ({ query }) => {
            needMetrics();
            const endpoint = query['endpoint'] as string | undefined;
            const count = (await kept?.total(method, endpoint)) ?? counters.total(method, unique, endpoint);
            return { text: doubleText(count), headers: jsonType };
          },
        }),
        defineEndpoint({
          ...base,
          id: `${id}ByEndpoint`,
          method: 'GET',
          path: `info/${name}/all${tail}`,
          summary: `Count ${what} ${method} calls by endpoint`.replace('  ', ' '),
          notes,
          access: { role: 'admin', area: 'usage' },
          returns: { description: 'Most first', json: rows },
          errors: ['METRICS_OFF', 'KEY_INVALID', 'STORE_DOWN'],
          handle: async () => {
            needMetrics();
            const lines = ((await kept?.all(method)) ?? counters.all(method, unique)).map(
              ({ endpoint, count }) => `{"endpoint":${JSON.stringify(endpoint)},"count":${doubleText(count)}}`,
            );
            return { text: `[${lines.join(',')}]`, headers: jsonType };
          },
        }),
      ];
    });
  return [
    defineEndpoint({
      ...base,
      id: 'getStatus',
      method: 'GET',
      path: 'info/status',
      summary: 'Get status and version',
      access: { role: 'public' },
      returns: { description: 'The server is up', json: statusBody },
      errors: [],
      handle: async () => status(),
    }),
    defineEndpoint({
      ...base,
      id: 'getHealth',
      method: 'GET',
      path: 'info/health',
      summary: 'Get status and version with a key',
      returns: { description: 'The server is up', json: statusBody },
      errors: ['KEY_INVALID'],
      handle: async () => status(),
    }),
    defineEndpoint({
      ...base,
      id: 'getUptime',
      method: 'GET',
      path: 'info/uptime',
      summary: 'Get the uptime',
      returns: {
        description: 'As text, for example 0d 3h 12m 5s; as a JSON string when JSON is asked for',
        json: (joi) => joi.string(),
        mediaType: 'text/plain',
      },
      errors: ['METRICS_OFF', 'KEY_INVALID'],
      handle: async ({ headers }) => {
        needMetrics();
        const text = uptimeText(Date.now() - deps.counters.started);
        return /\bapplication\/json\b/i.test(headers['accept'] ?? '') ? { json: text } : { text };
      },
    }),
    ...counts('requests', 'POST'),
    ...counts('load', 'GET'),
    defineEndpoint({
      ...base,
      id: 'getWeeklyUsers',
      method: 'GET',
      path: 'info/wau',
      summary: 'Count the browsers of the last seven days',
      notes: 'Browsers identify themselves with the request header X-Browser-Id. Counted only while login is off.',
      returns: { description: 'Counts since the start', json: weeklyBody },
      errors: ['METRICS_OFF', 'WEEKLY_USERS_OFF', 'KEY_INVALID'],
      handle: async () => {
        needMetrics();
        if (deps.guard.loginEnabled) throw new AccessError('WEEKLY_USERS_OFF');
        return { json: deps.browsers.report() };
      },
    }),
  ];
}
