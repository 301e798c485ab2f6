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
  'Numbers by kind, by name (the hundred most active) and by day in UTC. Beyond 100 000 events all but ' +
  '`totalEvents` are of the newest 100 000, and `complete` is false.';
const DAY_MS = 86_400_000;
const MOST_NAMES = 100;

/** Sums over events. */
export const statisticsShape = (joi: JoiRoot) =>
  joi
    .object({
      totalEvents: count(joi),
      eventsByType: sums(joi),
      eventsByPrincipal: sums(joi).description('The most active'),
      eventsByDay: sums(joi),
      complete: joi.boolean().required(),
    })
    .label('AuditStatistics');

/** Sums as clients read them. */
export const statisticsWire = ({ totalEvents, byType, byPrincipal, byDay, complete }: AuditStatistics) => ({
  totalEvents,
  eventsByType: Object.fromEntries(byType),
  eventsByPrincipal: Object.fromEntries([...byPrincipal].slice(0, MOST_NAMES)),
  eventsByDay: Object.fromEntries(byDay),
  complete,
});

/**
 * The audit log (`docs/interface/platform.yml`, list-only area /api/v1/audit). The contract gives no members; ours are
 * told in the schemas.
 */
export function auditEndpoints(deps: AuditDeps): Endpoint[] {
  const principals = async (type?: AuditType) =>
    [...(await auditOf(deps).statistics({ type })).byPrincipal.keys()].sort();
  return [
    defineEndpoint({
      ...base,
      id: 'auditData',
      method: 'GET',
      path: 'audit/data',
      summary: 'Give a page of audit events',
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
      id: 'auditStats',
      method: 'GET',
      path: 'audit/stats',
      summary: 'Sum up audit events of the last days',
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
              .description('Days, counted back from now'),
          }),
      },
      returns: { description: 'Sums', json: statisticsShape },
      handle: async ({ query }) => ({
        json: statisticsWire(
          await auditOf(deps).statistics({ from: Date.now() - (query as { days: number }).days * DAY_MS }),
        ),
      }),
    }),
    defineEndpoint({
      ...base,
      id: 'auditStatsRange',
      method: 'GET',
      path: 'audit/stats/range',
      summary: 'Sum up audit events of a range',
      notes: periods,
      request: { query: filterQuery },
      returns: { description: 'Sums', json: statisticsShape },
      handle: async ({ query }) => ({ json: statisticsWire(await auditOf(deps).statistics(filterOf(query))) }),
    }),
    defineEndpoint({
      ...base,
      id: 'auditTypes',
      method: 'GET',
      path: 'audit/types',
      summary: 'List the kinds of audit events',
      returns: { description: 'Kinds', json: names },
      handle: async () => ({ json: auditTypes }),
    }),
    defineEndpoint({
      ...base,
      id: 'auditPrincipals',
      method: 'GET',
      path: 'audit/principals',
      summary: 'List the names that audit events have',
      notes: 'Names in the newest 100 000 events.',
      returns: { description: 'Names', json: names },
      handle: async () => ({ json: await principals() }),
    }),
    defineEndpoint({
      ...base,
      id: 'auditTypePrincipals',
      method: 'GET',
      path: 'audit/types/{type}/principals',
      summary: 'List the names that a kind of events has',
      notes: 'Names in the newest 100 000 events of the kind.',
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
      handle: async ({ params }) => ({ json: await principals(params['type'] as AuditType) }),
    }),
    defineEndpoint({
      ...base,
      id: 'auditLatest',
      method: 'GET',
      path: 'audit/latest',
      summary: 'Give the newest audit events',
      request: {
        query: (joi) =>
          joi.object({
            count: joi.number().integer().min(1).max(1000).empty('').default(20).description('Most events'),
          }),
      },
      returns: { description: 'Events, newest first', json: eventList },
      handle: async ({ query }) => ({
        json: (await auditOf(deps).page({}, 0, (query as { count: number }).count)).events.map(eventWire),
      }),
    }),
    defineEndpoint({
      ...base,
      id: 'auditExportCsv',
      method: 'GET',
      path: 'audit/export/csv',
      summary: 'Export audit events as CSV',
      notes: 'What a spreadsheet would take for a formula begins with an apostrophe.',
      request: { query: filterQuery },
      returns: { description: 'A line for each event, newest first', mediaType: 'text/csv', fileName: 'audit-log.csv' },
      handle: ({ query }) => exportAnswer(deps, query, 'csv'),
    }),
    defineEndpoint({
      ...base,
      id: 'auditExportJson',
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
    defineEndpoint({
      ...base,
      id: 'auditCleanup',
      method: 'DELETE',
      path: 'audit/cleanup/before',
      summary: 'Delete audit events before a date',
      notes: 'The call itself is an event, kept after it.',
      request: {
        query: (joi) =>
          joi.object({
            date: joi
              .string()
              .isoDate()
              .raw()
              .required()
              .description('A day (UTC), kept itself, or a time, ISO 8601')
              .example('2026-01-01'),
          }),
      },
      returns: {
        description: 'What was deleted',
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
