import { defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import { auditTypes, type AuditStatistics, type AuditType } from '../index.js';
import {
  auditCodes,
  auditOf,
  eventList,
  eventShape,
  eventWire,
  exportAnswer,
  filterOf,
  filterQuery,
  forAuditors,
  pageQuery,
  timeOf,
  type AuditDeps,
} from './audit-query.js';

const base = { since: '1.0.0', tag: 'audit', access: forAuditors, errors: auditCodes } as const;
const count = (joi: JoiRoot) => joi.number().integer().required();
const names = (joi: JoiRoot) => joi.array().items(joi.string()).required();
const sums = (joi: JoiRoot) => joi.object().pattern(joi.string(), joi.number().integer()).required();
const periods =
  'Numbers of events by type, by name (the hundred most active) and by day in UTC. With more than 100 000 ' +
  'events, everything except `totalEvents` covers the newest 100 000, and `complete` is false.';
const DAY_MS = 86_400_000;
const MOST_NAMES = 100;

export const statisticsShape = (joi: JoiRoot) =>
  joi
    .object({
      totalEvents: count(joi),
      eventsByType: sums(joi),
      eventsByPrincipal: sums(joi).description('The most active names'),
      eventsByDay: sums(joi),
      complete: joi.boolean().required(),
    })
    .label('AuditStatistics');

/** Returns statistics as clients see them. */
export const statisticsWire = ({ totalEvents, byType, byPrincipal, byDay, complete }: AuditStatistics) => ({
  totalEvents,
  eventsByType: Object.fromEntries(byType),
  eventsByPrincipal: Object.fromEntries([...byPrincipal].slice(0, MOST_NAMES)),
  eventsByDay: Object.fromEntries(byDay),
  complete,
});

async function principalsOf(deps: AuditDeps, type?: AuditType): Promise<string[]> {
  return [...(await auditOf(deps).statistics({ type })).byPrincipal.keys()].sort();
}

/**
 * Endpoints of the audit log (`docs/interface/platform.yml`, list-only area /api/v1/audit). The contract lists no
 * members; the schemas here define them.
 */
export function auditEndpoints(deps: AuditDeps): Endpoint[] {
  return [
    ...listEndpoints(deps),
    ...statisticsEndpoints(deps),
    ...nameEndpoints(deps),
    ...exportEndpoints(deps),
    ...cleanupEndpoints(deps),
  ];
}

function listEndpoints(deps: AuditDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...base,
      id: 'getAuditData',
      method: 'GET',
      path: 'audit/data',
      summary: 'List audit events by page',
      request: { query: pageQuery },
      returns: {
        description: 'Events, newest first',
        json: (joi) =>
          joi
            .object({
              content: joi.array().items(eventShape(joi)).required(),
              currentPage: count(joi),
              size: count(joi),
              totalPages: count(joi),
              totalElements: count(joi),
            })
            .label('AuditPage'),
      },
      handle: async ({ query }) => {
        const { page, size } = query as { page: number; size: number };
        const { events, total } = await auditOf(deps).page(filterOf(query), page, size);
        return {
          json: {
            content: events.map(eventWire),
            currentPage: page,
            size,
            totalPages: Math.ceil(total / size),
            totalElements: total,
          },
        };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'listLatestAuditEvents',
      method: 'GET',
      path: 'audit/latest',
      summary: 'Get the newest audit events',
      request: {
        query: (joi) =>
          joi.object({
            count: joi.number().integer().min(1).max(1000).empty('').default(20).description('Most events to return'),
          }),
      },
      returns: { description: 'Events, newest first', json: eventList },
      handle: async ({ query }) => ({
        json: (await auditOf(deps).page({}, 0, (query as { count: number }).count)).events.map(eventWire),
      }),
    }),
  ];
}

function statisticsEndpoints(deps: AuditDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...base,
      id: 'getAuditStats',
      method: 'GET',
      path: 'audit/stats',
      summary: 'Get audit statistics of the last days',
      notes: periods,
      request: {
        query: (joi) =>
          joi.object({
            days: joi
              .number()
              .integer()
              .min(1)
              .max(3650)
              .empty('')
              .default(7)
              .description('Number of days, counted back from now'),
          }),
      },
      returns: { description: 'Statistics', json: statisticsShape },
      handle: async ({ query }) => ({
        json: statisticsWire(
          await auditOf(deps).statistics({ from: Date.now() - (query as { days: number }).days * DAY_MS }),
        ),
      }),
    }),
    defineEndpoint({
      ...base,
      id: 'getAuditStatsOfRange',
      method: 'GET',
      path: 'audit/stats/range',
      summary: 'Get audit statistics of a time range',
      notes: periods,
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
      id: 'listAuditTypes',
      method: 'GET',
      path: 'audit/types',
      summary: 'List audit event types',
      returns: { description: 'Event types', json: names },
      handle: async () => ({ json: auditTypes }),
    }),
    defineEndpoint({
      ...base,
      id: 'listAuditPrincipals',
      method: 'GET',
      path: 'audit/principals',
      summary: 'List the names in audit events',
      notes: 'Covers the newest 100 000 events.',
      returns: { description: 'Names', json: names },
      handle: async () => ({ json: await principalsOf(deps) }),
    }),
    defineEndpoint({
      ...base,
      id: 'listAuditPrincipalsOfType',
      method: 'GET',
      path: 'audit/types/{type}/principals',
      summary: 'List the names in audit events of a type',
      notes: 'Covers the newest 100 000 events of this type.',
      request: {
        params: (joi) =>
          joi.object({
            type: joi
              .string()
              .valid(...auditTypes)
              .required()
              .example('USER_LOGIN'),
          }),
      },
      returns: { description: 'Names', json: names },
      handle: async ({ params }) => ({ json: await principalsOf(deps, params['type'] as AuditType) }),
    }),
  ];
}

function exportEndpoints(deps: AuditDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...base,
      id: 'exportAuditAsCsv',
      method: 'GET',
      path: 'audit/export/csv',
      summary: 'Export audit events as CSV',
      notes: 'Cells that a spreadsheet would treat as a formula begin with an apostrophe.',
      request: { query: filterQuery },
      returns: { description: 'One line per event, newest first', mediaType: 'text/csv', fileName: 'audit-log.csv' },
      handle: ({ query }) => exportAnswer(deps, query, 'csv'),
    }),
    defineEndpoint({
      ...base,
      id: 'exportAuditAsJson',
      method: 'GET',
      path: 'audit/export/json',
      summary: 'Export audit events as JSON',
      request: { query: filterQuery },
      returns: {
        description: 'An array of events, newest first',
        mediaType: 'application/json',
        fileName: 'audit-log.json',
        json: eventList,
      },
      handle: ({ query }) => exportAnswer(deps, query, 'json'),
    }),
  ];
}

function cleanupEndpoints(deps: AuditDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...base,
      id: 'cleanUpAudit',
      method: 'DELETE',
      path: 'audit/cleanup/before',
      summary: 'Delete audit events before a date',
      notes: 'This call is recorded as an event after the deletion.',
      request: {
        query: (joi) =>
          joi.object({
            date: joi
              .string()
              .isoDate()
              .raw()
              .required()
              .description('A day (UTC, not deleted itself) or a time, ISO 8601')
              .example('2026-01-01'),
          }),
      },
      returns: {
        description: 'Number of deleted events',
        json: (joi) =>
          joi
            .object({ deletedRecords: count(joi), cutoffDate: joi.string().isoDate().required() })
            .label('AuditCleanup'),
      },
      handle: async ({ query }) => {
        const cutoff = timeOf('date', query['date'] as string, 'T00:00:00.000Z') ?? 0;
        return {
          json: {
            deletedRecords: await auditOf(deps).deleteBefore(cutoff),
            cutoffDate: new Date(cutoff).toISOString(),
          },
        };
      },
    }),
  ];
}
