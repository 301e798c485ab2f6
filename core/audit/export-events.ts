import { Readable } from 'node:stream';
import type { AuditEvent } from './event.js';

export type ExportFormat = 'csv' | 'json';

/**
 * Returns events as a file that is read while it is sent: a JSON array, or CSV (RFC 4180) with a header line. Waits for
 * the first event, so that an unreachable store gets its own error response. Rejects with STORE_DOWN.
 */
export async function exportEvents(events: AsyncGenerator<AuditEvent>, format: ExportFormat): Promise<Readable> {
  const first = await events.next();
  return Readable.from(format === 'csv' ? csvLines(first, events) : jsonLines(first, events), { objectMode: false });
}

async function* csvLines(
  first: IteratorResult<AuditEvent>,
  events: AsyncGenerator<AuditEvent>,
): AsyncGenerator<string> {
  yield line(columns);
  for (let next = first; next.done !== true; next = await events.next()) yield line(cellsOf(next.value));
}

async function* jsonLines(
  first: IteratorResult<AuditEvent>,
  events: AsyncGenerator<AuditEvent>,
): AsyncGenerator<string> {
  yield '[';
  let between = '\n';
  for (let next = first; next.done !== true; next = await events.next()) {
    const { id, timestamp, principal, type, data } = next.value;
    yield between + JSON.stringify({ id, timestamp, principal, type, data });
    between = ',\n';
  }
  yield '\n]\n';
}

const columns = [
  'id',
  'timestamp',
  'principal',
  'type',
  'method',
  'path',
  'status',
  'ms',
  'address',
  'origin',
  'requestId',
  'operation',
  'keyId',
  'subject',
  'outcome',
  'jobId',
  'sha256',
  'result',
  'code',
  'reason',
  'authors',
];

function cellsOf({
  id,
  timestamp,
  principal,
  type,
  data: {
    method,
    path,
    status,
    ms,
    address,
    origin,
    requestId,
    operation = '',
    keyId = '',
    subject = '',
    outcome,
    jobId = '',
    files = [],
    result = '',
    code,
    reason = '',
  },
}: AuditEvent): string[] {
  return [
    id,
    timestamp,
    principal,
    type,
    method,
    path,
    String(status),
    String(ms),
    address,
    origin,
    requestId,
    operation,
    keyId,
    subject,
    outcome ?? '',
    jobId,
    files.flatMap(({ sha256 }) => sha256 ?? []).join(' '),
    result,
    code ?? '',
    reason,
    files.flatMap(({ author }) => author ?? []).join('; '),
  ];
}

/**
 * Anybody who tries to log in chooses a name, so cells that a spreadsheet would treat as a formula get an apostrophe
 * (OWASP, CSV injection).
 */
function line(cells: readonly string[]): string {
  const quoted = cells.map((cell) => (/^[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell).replaceAll('"', '""'));
  return `${quoted.map((cell) => `"${cell}"`).join(',')}\r\n`;
}
