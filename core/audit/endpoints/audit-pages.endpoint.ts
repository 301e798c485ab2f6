import { defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import { auditLevels, auditTypes } from '../index.js';
import {
  auditCodes,
  auditOf,
  dataShape,
  eventList,
  eventShape,
  eventWire,
  exportAnswer,
  filterOf,
  filterQuery,
  forAuditors,
  levelName,
  pageQuery,
  type AuditDeps,
} from './audit-query.js';
import { statisticsShape, statisticsWire } from './audit.endpoint.js';

const base = { since: '1.0.0', tag: 'ui-data', access: forAuditors, errors: auditCodes } as const;
const page = 'proprietary/ui-data';
const count = (joi: JoiRoot) => joi.number().integer().required();
const names = (joi: JoiRoot) => joi.array().items(joi.string()).required();
const chart = (joi: JoiRoot) =>
  joi
    .object({ labels: names(joi), values: joi.array().items(joi.number().integer()).required() })
    .label('AuditChart')
    .required();
const LATEST = 20;

const stateMembers = (joi: JoiRoot) => ({
  auditEnabled: joi.boolean().required(),
  auditLevel: joi
    .string()
    .valid(...auditLevels)
    .required(),
  auditLevelInt: count(joi),
  retentionDays: count(joi).description('0 or less: events are kept for ever'),
  auditLevels: names(joi),
  auditEventTypes: names(joi),
  totalEvents: count(joi),
  waitingEvents: count(joi).description('Events of this server that are not written yet'),
  droppedEvents: count(joi).description(
    'Events that this server has lost since its start because too many waited for the store',
  ),
});

async function stateOf({ audit, settings }: AuditDeps) {
  const level = audit?.level ?? 0;
  return {
    auditEnabled: audit !== undefined,
    auditLevel: levelName(level),
    auditLevelInt: level,
    retentionDays: settings.get('premium.enterpriseFeatures.audit.retentionDays'),
    auditLevels,
    auditEventTypes: auditTypes,
    totalEvents: (await audit?.count({})) ?? 0,
    waitingEvents: audit?.waiting ?? 0,
    droppedEvents: audit?.dropped ?? 0,
  };
}

/**
 * Endpoints for the audit pages of existing clients (`docs/interface/platform.yml`, proprietary UI data). The contract
 * lists no members; the schemas here define them.
 */
export function auditPageEndpoints(deps: AuditDeps): Endpoint[] {
  return [...stateEndpoints(deps), ...eventEndpoints(deps), ...statisticsEndpoints(deps), ...nameEndpoints(deps)];
}

function stateEndpoints(deps: AuditDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...base,
      id: 'getAuditDashboard',
      method: 'GET',
      path: `${page}/audit-dashboard`,
      summary: 'Get the state of the audit log',
      notes: 'Responds while the log is off, too.',
      returns: { description: 'State', json: (joi) => joi.object(stateMembers(joi)).label('AuditState') },
      handle: async () => ({ json: await stateOf(deps) }),
    }),
    defineEndpoint({
      ...base,
      id: 'getAuditLogPage',
      method: 'GET',
      path: `${page}/infrastructure/audit-log`,
      summary: 'Get the data of the audit log page',
      notes: 'Responds while the log is off, too.',
      returns: {
        description: 'The state and the newest events',
        json: (joi) =>
          joi
            .object({ ...stateMembers(joi), latestEvents: joi.array().items(eventShape(joi)).required() })
            .label('AuditLogPage'),
      },
      handle: async () => ({
        json: {
          ...(await stateOf(deps)),
          latestEvents: ((await deps.audit?.page({}, 0, LATEST))?.events ?? []).map(eventWire),
        },
      }),
    }),
  ];
}

function eventEndpoints(deps: AuditDeps): Endpoint[] {
  return [eventsPage(deps), exportEvents(deps), clearEvents(deps)];
}

function eventsPage(deps: AuditDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'listAuditEvents',
    method: 'GET',
    path: `${page}/audit-events`,
    summary: 'List audit events by page',
    request: { query: pageQuery },
    returns: {
      description: 'Events, newest first',
      json: (joi) =>
        joi
          .object({
            events: joi
              .array()
              .required()
              .items(
                joi
                  .object({
                    id: joi.string().required(),
                    timestamp: joi.string().isoDate().required(),
                    eventType: joi
                      .string()
                      .valid(...auditTypes)
                      .required(),
                    username: joi.string().required(),
                    ipAddress: joi.string().required(),
                    details: dataShape(joi).required(),
                  })
                  .label('AuditRow'),
              ),
            totalEvents: count(joi),
            page: count(joi),
            pageSize: count(joi),
            totalPages: count(joi),
          })
          .label('AuditRows'),
    },
    handle: async ({ query }) => {
      const { page: at, size } = query as { page: number; size: number };
      const { events, total } = await auditOf(deps).page(filterOf(query), at, size);
      const rows = events.map(({ id, timestamp, type, principal, data }) => ({
        id,
        timestamp,
        eventType: type,
        username: principal,
        ipAddress: data.address,
        details: data,
      }));
      return {
        json: { events: rows, totalEvents: total, page: at, pageSize: size, totalPages: Math.ceil(total / size) },
      };
    },
  });
}

function exportEvents(deps: AuditDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'exportAudit',
    method: 'GET',
    path: `${page}/audit-export`,
    summary: 'Export audit events',
    request: {
      query: (joi) =>
        filterQuery(joi).append({
          format: joi.string().valid('csv', 'json').insensitive().empty('').default('csv').description('File format'),
        }),
    },
    returns: { description: 'Events, newest first', mediaType: ['text/csv', 'application/json'], json: eventList },
    handle: ({ query }) => exportAnswer(deps, query, query['format'] as 'csv' | 'json'),
  });
}

function clearEvents(deps: AuditDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'clearAudit',
    method: 'POST',
    path: `${page}/audit-clear-all`,
    summary: 'Clear the audit log',
    notes: 'This call is recorded as an event after the deletion.',
    returns: {
      description: 'Number of deleted events',
      json: (joi) =>
        joi.object({ success: joi.boolean().required(), deletedRecords: count(joi) }).label('AuditCleared'),
    },
    handle: async () => ({ json: { success: true, deletedRecords: await auditOf(deps).clear() } }),
  });
}

function statisticsEndpoints(deps: AuditDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...base,
      id: 'getAuditCharts',
      method: 'GET',
      path: `${page}/audit-charts`,
      summary: 'Get chart data of audit events',
      notes: 'Covers the newest 100 000 selected events. `eventsByUser` lists the ten most active names.',
      request: { query: filterQuery },
      returns: {
        description: 'Labels and values; the days are in UTC',
        json: (joi) =>
          joi
            .object({ eventsByType: chart(joi), eventsByUser: chart(joi), eventsOverTime: chart(joi) })
            .label('AuditCharts'),
      },
      handle: async ({ query }) => {
        const { byType, byPrincipal, byDay } = await auditOf(deps).statistics(filterOf(query));
        const chartOf = (sums: ReadonlyMap<string, number>, most?: number) => ({
          labels: [...sums.keys()].slice(0, most),
          values: [...sums.values()].slice(0, most),
        });
        return {
          json: {
            eventsByType: chartOf(byType),
            eventsByUser: chartOf(byPrincipal, 10),
            eventsOverTime: chartOf(byDay),
          },
        };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'getAuditStatsPage',
      method: 'GET',
      path: `${page}/audit-stats`,
      summary: 'Get audit statistics',
      notes: 'Like audit/stats/range.',
      request: { query: filterQuery },
      returns: { description: 'Statistics', json: statisticsShape },
      handle: async ({ query }) => ({ json: statisticsWire(await auditOf(deps).statistics(filterOf(query))) }),
    }),
  ];
}

function nameEndpoints(deps: AuditDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...base,
      id: 'listAuditEventTypes',
      method: 'GET',
      path: `${page}/audit-event-types`,
      summary: 'List audit event types',
      returns: { description: 'Event types', json: names },
      handle: async () => ({ json: auditTypes }),
    }),
    defineEndpoint({
      ...base,
      id: 'listAuditUsers',
      method: 'GET',
      path: `${page}/audit-users`,
      summary: 'List the names in audit events',
      notes: 'Covers the newest 100 000 events.',
      returns: { description: 'Names', json: names },
      handle: async () => ({ json: [...(await auditOf(deps).statistics({})).byPrincipal.keys()].sort() }),
    }),
  ];
}
