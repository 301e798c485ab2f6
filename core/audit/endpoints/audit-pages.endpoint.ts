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
  retentionDays: count(joi).description('0 or less: for ever'),
  auditLevels: names(joi),
  auditEventTypes: names(joi),
  totalEvents: count(joi),
  waitingEvents: count(joi).description('Taken by this server, not yet written'),
  droppedEvents: count(joi).description('Lost by this server since its start, because too many waited for the store'),
});

/**
 * What pages of clients ask of the audit log (`docs/interface/platform.yml`, proprietary UI data). The contract gives
 * no members; ours are told in the schemas.
 */
export function auditPageEndpoints(deps: AuditDeps): Endpoint[] {
  const state = async () => {
    const { audit, settings } = deps;
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
  };
  return [
    defineEndpoint({
      ...base,
      id: 'auditDashboard',
      method: 'GET',
      path: `${page}/audit-dashboard`,
      summary: 'Tell the state of the audit log',
      notes: 'Answers while the log is off, too.',
      returns: { description: 'State', json: (joi) => joi.object(stateMembers(joi)).label('AuditState') },
      handle: async () => ({ json: await state() }),
    }),
    defineEndpoint({
      ...base,
      id: 'auditLogPage',
      method: 'GET',
      path: `${page}/infrastructure/audit-log`,
      summary: 'Give the page of the audit log',
      notes: 'Answers while the log is off, too.',
      returns: {
        description: 'State and the newest events',
        json: (joi) =>
          joi
            .object({ ...stateMembers(joi), latestEvents: joi.array().items(eventShape(joi)).required() })
            .label('AuditLogPage'),
      },
      handle: async () => ({
        json: {
          ...(await state()),
          latestEvents: ((await deps.audit?.page({}, 0, LATEST))?.events ?? []).map(eventWire),
        },
      }),
    }),
    defineEndpoint({
      ...base,
      id: 'auditEventsPage',
      method: 'GET',
      path: `${page}/audit-events`,
      summary: 'Give a page of audit events',
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
    }),
    defineEndpoint({
      ...base,
      id: 'auditCharts',
      method: 'GET',
      path: `${page}/audit-charts`,
      summary: 'Give what charts of audit events show',
      notes: 'Of the newest 100 000 events that the choice leaves; names are the ten most active.',
      request: { query: filterQuery },
      returns: {
        description: 'Labels and values; over time by day in UTC',
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
      id: 'auditEventTypes',
      method: 'GET',
      path: `${page}/audit-event-types`,
      summary: 'List the kinds of audit events',
      returns: { description: 'Kinds', json: names },
      handle: async () => ({ json: auditTypes }),
    }),
    defineEndpoint({
      ...base,
      id: 'auditUsers',
      method: 'GET',
      path: `${page}/audit-users`,
      summary: 'List the names that audit events have',
      notes: 'Names in the newest 100 000 events.',
      returns: { description: 'Names', json: names },
      handle: async () => ({ json: [...(await auditOf(deps).statistics({})).byPrincipal.keys()].sort() }),
    }),
    defineEndpoint({
      ...base,
      id: 'auditStatsPage',
      method: 'GET',
      path: `${page}/audit-stats`,
      summary: 'Sum up audit events',
      notes: 'As audit/stats/range.',
      request: { query: filterQuery },
      returns: { description: 'Sums', json: statisticsShape },
      handle: async ({ query }) => ({ json: statisticsWire(await auditOf(deps).statistics(filterOf(query))) }),
    }),
    defineEndpoint({
      ...base,
      id: 'auditExport',
      method: 'GET',
      path: `${page}/audit-export`,
      summary: 'Export audit events',
      request: {
        query: (joi) =>
          filterQuery(joi).append({
            format: joi
              .string()
              .valid('csv', 'json')
              .insensitive()
              .empty('')
              .default('csv')
              .description('Kind of file'),
          }),
      },
      returns: { description: 'Events, newest first', mediaType: ['text/csv', 'application/json'], json: eventList },
      handle: ({ query }) => exportAnswer(deps, query, query['format'] as 'csv' | 'json'),
    }),
    defineEndpoint({
      ...base,
      id: 'auditClearAll',
      method: 'POST',
      path: `${page}/audit-clear-all`,
      summary: 'Empty the audit log',
      notes: 'The call itself is an event, kept after it.',
      returns: {
        description: 'What was deleted',
        json: (joi) =>
          joi.object({ success: joi.boolean().required(), deletedRecords: count(joi) }).label('AuditCleared'),
      },
      handle: async () => ({ json: { success: true, deletedRecords: await auditOf(deps).clear() } }),
    }),
  ];
}
