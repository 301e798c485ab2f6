import { AccessError, InputError, type JoiRoot } from '@quire/registry';
import { MAX_NAME } from '../../accounts/index.js';
import {
  auditLevels,
  auditOrigins,
  auditTypes,
  type AuditEvent,
  type AuditFilter,
  type AuditLog,
  type AuditType,
} from '../index.js';
import { adminCodes, forAdmins } from '../../accounts/endpoints/index.js';
import type { Settings } from '../../settings/index.js';

export interface AuditDeps {
  /** Undefined while login or the audit log is off. */
  readonly audit: AuditLog | undefined;
  readonly settings: Settings;
}

/** Access of the audit log: administrators with an enterprise licence. */
export const forAuditors = { ...forAdmins, licence: 'enterprise', licenceRefusal: 403 } as const;
/** Codes that every endpoint of the audit log may answer. */
export const auditCodes = [...adminCodes, 'INPUT_INVALID', 'LICENCE_TOO_LOW', 'FEATURE_OFF'] as const;

/** The log. Throws FEATURE_OFF, naming the setting, while it is off. */
export function auditOf({ audit, settings }: AuditDeps): AuditLog {
  if (audit !== undefined) return audit;
  const path = 'premium.enterpriseFeatures.audit';
  throw new AccessError('FEATURE_OFF', {
    setting: settings.get(`${path}.enabled`) ? `${path}.level is 0` : `${path}.enabled is not true`,
  });
}

const days = 'A day (UTC) or a time, ISO 8601; without an offset in UTC';
// The text is kept as sent: a day alone stands for its beginning or its end.
const time = (joi: JoiRoot) => joi.string().isoDate().raw().empty('');

/** What chooses events; existing clients call the members `eventType`, `username`, `startDate` and `endDate`. */
export const filterQuery = (joi: JoiRoot) =>
  joi
    .object({
      type: joi
        .string()
        .valid(...auditTypes)
        .empty('')
        .description('Kind of event; all when absent. Also taken as `eventType`'),
      principal: joi
        .string()
        .max(MAX_NAME)
        .empty('')
        .description('Name of who called; everybody when absent. Also taken as `username`'),
      from: time(joi).description(`First time. ${days}. Also taken as \`startDate\``),
      to: time(joi).description(`Last time, a day included to its end. ${days}. Also taken as \`endDate\``),
    })
    .rename('eventType', 'type', renaming)
    .rename('username', 'principal', renaming)
    .rename('startDate', 'from', renaming)
    .rename('endDate', 'to', renaming)
    .messages({ 'object.rename.override': '{#from} and {#to} are one member by two names; allowed is one of them' });

const renaming = { ignoreUndefined: true } as const;

/** Adds which page of what was chosen. */
export const pageQuery = (joi: JoiRoot) =>
  filterQuery(joi)
    .append({
      page: joi.number().integer().min(0).max(1_000_000).empty('').default(0).description('Page, from 0'),
      size: joi
        .number()
        .integer()
        .min(1)
        .max(1000)
        .empty('')
        .default(30)
        .description('Events on a page. Also taken as `pageSize`'),
    })
    .rename('pageSize', 'size', renaming);

/** The filter that a query of `filterQuery` stands for. Throws INPUT_INVALID. */
export function filterOf(query: Readonly<Record<string, unknown>>): AuditFilter {
  const { type, principal, from, to } = query as { type?: AuditType; principal?: string; from?: string; to?: string };
  const filter = {
    type,
    principal,
    from: timeOf('from', from, 'T00:00:00.000Z'),
    to: timeOf('to', to, 'T23:59:59.999Z'),
  };
  if (filter.from !== undefined && filter.to !== undefined && filter.from > filter.to)
    throw invalid('from', `is ${from ?? ''}; allowed is a time that is not after "to", ${to ?? ''}`);
  return filter;
}

/** Milliseconds of a day or time in a query; `rest` makes a time of a day. Throws INPUT_INVALID naming the field. */
export function timeOf(field: string, text: string | undefined, rest: string): number | undefined {
  // What is kept as sent may be empty.
  if (text === undefined || text === '') return undefined;
  const day = text.slice(0, 10);
  const found = Date.parse(text === day ? `${day}${rest}` : /(Z|[+-]\d\d(:?\d\d)?)$/i.test(text) ? text : `${text}Z`);
  // Of 30 February, which has no day of its own, dates would make 2 March.
  const isDay =
    /^\d{4}-\d\d-\d\d$/.test(day) && new Date(Date.parse(`${day}T00:00:00Z`) || 0).toISOString().startsWith(day);
  if (!isDay || Number.isNaN(found))
    throw invalid(field, `is ${text}; allowed is a day as 2026-11-22 or a time as 2026-11-22T10:00:00Z`);
  return found;
}

function invalid(field: string, detail: string): InputError {
  return new InputError('INPUT_INVALID', { detail: `${field} ${detail}` }, [{ pointer: `/${field}`, detail }]);
}

/** What is told of a call. */
export const dataShape = (joi: JoiRoot) =>
  joi
    .object({
      method: joi.string().required(),
      path: joi.string().required().description("The route's pattern, without ids and tokens"),
      status: joi.number().integer().required().description('Of the answer; 499 when the client had gone'),
      ms: joi.number().integer().required().description('Milliseconds'),
      address: joi
        .string()
        .allow('')
        .required()
        .description("The client's address; empty for what the server does by itself"),
      origin: joi
        .string()
        .valid(...auditOrigins)
        .required()
        .description('`API`: with a key; `WEB`: with a session'),
      requestId: joi.string().required(),
      operation: joi.string(),
      keyId: joi.string().description('Which key; not the key itself'),
      subject: joi.string().description('The account that it was about'),
      outcome: joi
        .string()
        .valid('succeeded', 'failed', 'cancelled')
        .description('Of a job (`JOB`) or a run of a watched folder (`FOLDER`) that has ended'),
      jobId: joi.string(),
      files: joi
        .array()
        .items(
          joi.object({ sha256: joi.string().required(), size: joi.number().integer().required() }).label('AuditFile'),
        )
        .description('Uploads; with captureFileHash'),
      result: joi.string().allow('').description('What was answered; with captureOperationResults'),
    })
    .label('AuditData');

/** An event of the log. */
export const eventShape = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.string().required(),
      timestamp: joi.string().isoDate().required(),
      principal: joi.string().required(),
      type: joi
        .string()
        .valid(...auditTypes)
        .required(),
      data: dataShape(joi).required(),
    })
    .label('AuditEvent');

/** Events, newest first. */
export const eventList = (joi: JoiRoot) => joi.array().items(eventShape(joi)).required();

/** An event without what only the store needs. */
export const eventWire = ({ id, timestamp, principal, type, data }: AuditEvent) => ({
  id,
  timestamp,
  principal,
  type,
  data,
});

/** The name of a level's number. */
export const levelName = (level: number): string => auditLevels[level] ?? 'OFF';

const exportTypes = { csv: 'text/csv', json: 'application/json' } as const;

/** What is chosen as a file that is read while it is sent. */
export async function exportAnswer(
  deps: AuditDeps,
  query: Readonly<Record<string, unknown>>,
  format: keyof typeof exportTypes,
) {
  return {
    file: {
      name: `audit-log.${format}`,
      mediaType: exportTypes[format],
      stream: await auditOf(deps).export(filterOf(query), format),
    },
  };
}
