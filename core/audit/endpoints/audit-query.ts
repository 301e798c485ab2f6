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
export const forAuditors = { ...forAdmins, area: 'audit', licence: 'enterprise', licenceRefusal: 403 } as const;
/** Error codes of every audit endpoint. */
export const auditCodes = [...adminCodes, 'INPUT_INVALID', 'LICENCE_TOO_LOW', 'FEATURE_OFF'] as const;

/** Returns the log. Throws FEATURE_OFF with the name of the setting while the log is off. */
export function auditOf({ audit, settings }: AuditDeps): AuditLog {
  if (audit !== undefined) return audit;
  const path = 'premium.enterpriseFeatures.audit';
  throw new AccessError('FEATURE_OFF', {
    setting: settings.get(`${path}.enabled`) ? `${path}.level is 0` : `${path}.enabled is not true`,
  });
}

const days = 'A day (UTC) or a time (ISO 8601; UTC unless it has an offset)';
// The text is passed on as sent: a day without a time means its beginning or its end.
const time = (joi: JoiRoot) => joi.string().isoDate().raw().empty('');

/** Filter of events; `eventType`, `username`, `startDate` and `endDate` are the names that existing clients use. */
export const filterQuery = (joi: JoiRoot) =>
  joi
    .object({
      type: joi
        .string()
        .valid(...auditTypes)
        .empty('')
        .description('Event type; default: all types. Alias: `eventType`'),
      principal: joi
        .string()
        .max(MAX_NAME)
        .empty('')
        .description('Name of the caller; default: all callers. Alias: `username`'),
      from: time(joi).description(`Start of the range. ${days}. Alias: \`startDate\``),
      to: time(joi).description(`End of the range; a day is included completely. ${days}. Alias: \`endDate\``),
    })
    .rename('eventType', 'type', renaming)
    .rename('username', 'principal', renaming)
    .rename('startDate', 'from', renaming)
    .rename('endDate', 'to', renaming)
    .messages({ 'object.rename.override': '{#from} and {#to} are two names of one parameter; send only one of them' });

const renaming = { ignoreUndefined: true } as const;

/** Adds page number and page size to the filter. */
export const pageQuery = (joi: JoiRoot) =>
  filterQuery(joi)
    .append({
      page: joi.number().integer().min(0).max(1_000_000).empty('').default(0).description('Page number, from 0'),
      size: joi
        .number()
        .integer()
        .min(1)
        .max(1000)
        .empty('')
        .default(30)
        .description('Events per page. Alias: `pageSize`'),
    })
    .rename('pageSize', 'size', renaming);

/** Converts a query of `filterQuery` to a filter. Throws INPUT_INVALID. */
export function filterOf(query: Readonly<Record<string, unknown>>): AuditFilter {
  const { type, principal, from, to } = query as { type?: AuditType; principal?: string; from?: string; to?: string };
  const filter = {
    type,
    principal,
    from: timeOf('from', from, 'T00:00:00.000Z'),
    to: timeOf('to', to, 'T23:59:59.999Z'),
  };
  if (filter.from !== undefined && filter.to !== undefined && filter.from > filter.to)
    throw invalid('from', `is ${from ?? ''}, but must not be after "to", which is ${to ?? ''}`);
  return filter;
}

/**
 * Returns the milliseconds of a day or time in a query; `rest` is appended to a day. Throws INPUT_INVALID with the name
 * of the field.
 */
export function timeOf(field: string, text: string | undefined, rest: string): number | undefined {
  // A parameter that is passed on as sent may be empty.
  if (text === undefined || text === '') return undefined;
  const day = text.slice(0, 10);
  const found = Date.parse(text === day ? `${day}${rest}` : /(Z|[+-]\d\d(:?\d\d)?)$/i.test(text) ? text : `${text}Z`);
  // `Date` would turn 30 February into 2 March, so compare the result with the input.
  const isDay =
    /^\d{4}-\d\d-\d\d$/.test(day) && new Date(Date.parse(`${day}T00:00:00Z`) || 0).toISOString().startsWith(day);
  if (!isDay || Number.isNaN(found))
    throw invalid(field, `is ${text}, but must be a day like 2026-11-22 or a time like 2026-11-22T10:00:00Z`);
  return found;
}

function invalid(field: string, detail: string): InputError {
  return new InputError('INPUT_INVALID', { detail: `${field} ${detail}` }, [{ pointer: `/${field}`, detail }]);
}

/** Data of a recorded call. */
export const dataShape = (joi: JoiRoot) =>
  joi
    .object({
      method: joi.string().required(),
      path: joi.string().required().description('The path pattern of the route, without ids and tokens'),
      status: joi
        .number()
        .integer()
        .required()
        .description('HTTP status of the response; 499 if the client closed the connection'),
      ms: joi.number().integer().required().description('Milliseconds'),
      address: joi
        .string()
        .allow('')
        .required()
        .description('IP address of the client; empty for work that the server started itself'),
      origin: joi
        .string()
        .valid(...auditOrigins)
        .required()
        .description('`API`: with an API key; `WEB`: with a session'),
      requestId: joi.string().required(),
      operation: joi.string(),
      keyId: joi.string().description('Id of the API key (not the key itself)'),
      subject: joi.string().description('The account that was changed'),
      code: joi.string().description('Of a failed login: the error code'),
      outcome: joi
        .string()
        .valid('succeeded', 'failed', 'cancelled')
        .description('Only for jobs (`JOB`) and runs of watched folders (`FOLDER`)'),
      jobId: joi.string(),
      files: joi
        .array()
        .items(
          joi
            .object({
              sha256: joi.string().description('Only with captureFileHash'),
              size: joi.number().integer().required(),
              author: joi.string().description('The author that a PDF names; only with capturePdfAuthor'),
            })
            .label('AuditFile'),
        )
        .description('Uploaded files; only with captureFileHash or capturePdfAuthor'),
      result: joi.string().allow('').description('The result; only with captureOperationResults'),
    })
    .label('AuditData');

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

export const eventList = (joi: JoiRoot) => joi.array().items(eventShape(joi)).required();

/** Returns an event as clients see it. */
export const eventWire = ({ id, timestamp, principal, type, data }: AuditEvent) => ({
  id,
  timestamp,
  principal,
  type,
  data,
});

/** Returns the name of a level. */
export const levelName = (level: number): string => auditLevels[level] ?? 'OFF';

const exportTypes = { csv: 'text/csv', json: 'application/json' } as const;

/** Returns the selected events as a file that is read while it is sent. */
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
