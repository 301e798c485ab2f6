import { basename } from 'node:path';
import type { PlannedCall } from './planned-calls.js';

/** Result of a call. */
export interface WalkRow {
  readonly method: string;
  readonly name: string;
  readonly example: string;
  /** 0 when no call was made. */
  readonly status: number;
  readonly code: string;
  readonly ms: number;
  /**
   * `well` is a success, `refused` means that this server is not set up for the call, `lacking` that the document has
   * no example for it; otherwise `fault`.
   */
  readonly verdict: 'well' | 'refused' | 'lacking' | 'fault';
  readonly note: string;
  /** The answer, if links of the document start from it. */
  readonly answer?: { readonly headers: Headers; readonly bytes: Uint8Array };
}

/** Error codes for a missing program, service, setting, login or earlier call, or when there is nothing left to do. */
const notSetUp: ReadonlySet<string> = new Set([
  'PROGRAM_MISSING',
  'SERVICE_NOT_SET_UP',
  'FEATURE_OFF',
  'LOGIN_REQUIRED',
  'METRICS_OFF',
  'CONNECTION_UNUSABLE',
  'HARDWARE_SIGNING_DESKTOP_ONLY',
  'LICENCE_REQUIRED',
  'MFA_NOT_STARTED',
  'WEEKLY_USERS_OFF',
  'BACKUP_UNKNOWN',
  'RESTART_IMPOSSIBLE',
  'INVITES_OFF',
]);
/** Error codes of an unreachable network; accepted for calls whose description says that they need one. */
const noNetwork: ReadonlySet<string> = new Set([
  'ADDRESS_REFUSED',
  'URL_UNREACHABLE',
  'REMOTE_UNREACHABLE',
  'REMOTE_TIMEOUT',
]);

/** How often an answer that says "not yet" is requested again. */
const ASKED_AGAIN = 30;

/**
 * Makes a planned call and judges its answer. Files are fetched from the addresses of the example. An answer that is
 * not ready yet is requested again after the time that the server names.
 */
export async function makeCall(
  url: string,
  call: PlannedCall,
  headers: Readonly<Record<string, string>> = {},
): Promise<WalkRow> {
  for (let i = 1; ; i++) {
    const row = await makeOnce(url, call, headers);
    if (row.code !== 'JOB_NOT_FINISHED' || i === ASKED_AGAIN) return row;
    await new Promise((done) => setTimeout(done, 1000));
  }
}

async function makeOnce(url: string, call: PlannedCall, headers: Readonly<Record<string, string>>): Promise<WalkRow> {
  const row = { method: call.method, name: call.name, example: call.example };
  if (call.lacks !== undefined) return { ...row, status: 0, code: '', ms: 0, verdict: 'lacking', note: call.lacks };
  const started = performance.now();
  const body =
    call.fields === undefined
      ? call.json === undefined
        ? undefined
        : JSON.stringify(call.json)
      : await form(url, call);
  const answer = await fetch(`${url}${call.path}`, {
    method: call.method,
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(120_000),
    headers: {
      ...headers,
      ...call.inHeader,
      ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  const type = answer.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream') && call.method === 'GET') await answer.body?.cancel();
  const bytes =
    type.startsWith('text/event-stream') && call.method === 'GET'
      ? new Uint8Array()
      : new Uint8Array(await answer.arrayBuffer());
  const problem = type.startsWith('application/problem+json')
    ? (JSON.parse(new TextDecoder().decode(bytes)) as { code: string; detail: string })
    : undefined;
  const leads = call.described.responses[String(answer.status)]?.links !== undefined;
  return {
    ...row,
    status: answer.status,
    code: problem?.code ?? '',
    ...(leads ? { answer: { headers: answer.headers, bytes } } : {}),
    ms: Math.round(performance.now() - started),
    ...judge(call, { status: answer.status, ...problem, length: bytes.length }),
  };
}

/** Accepts a success, or a documented error because something is not set up. */
export function judge(
  call: PlannedCall,
  answer: { readonly status: number; readonly code?: string; readonly detail?: string; readonly length: number },
): Pick<WalkRow, 'verdict' | 'note'> {
  const { status, code = '', detail = '' } = answer;
  const declared = call.described.responses[String(status)];
  if (declared === undefined && status !== 302)
    return { verdict: 'fault', note: `answers an undeclared ${status} ${code} ${detail}`.trim() };
  if (status < 400)
    return status === 200 && answer.length === 0 && call.fields !== undefined
      ? { verdict: 'fault', note: 'the answer is empty' }
      : { verdict: 'well', note: '' };
  const needsNetwork = /needsNetwork/.test(call.described.description ?? '');
  const hidden = code === 'NOT_FOUND' && /exists while/i.test(call.described.description ?? '');
  const expected = notSetUp.has(code) || hidden || (needsNetwork && noNetwork.has(code));
  if (code === 'PARAMETERS_MISSING') return { verdict: 'lacking', note: detail };
  if (!expected) return { verdict: 'fault', note: `${code} ${detail}` };
  return declared?.description.includes(code) === true
    ? { verdict: 'refused', note: detail }
    : { verdict: 'fault', note: `answers ${code}, which the document does not declare` };
}

async function form(url: string, call: PlannedCall): Promise<FormData> {
  const data = new FormData();
  for (const [field, value] of Object.entries(call.fields ?? {}))
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
      data.append(field, one instanceof Blob ? one : typeof one === 'object' ? JSON.stringify(one) : String(one));
  for (const [field, addresses] of Object.entries(call.files ?? {})) {
    for (const address of addresses) {
      const answer = await fetch(`${url}${address}`);
      if (!answer.ok)
        throw new Error(
          `${call.name}: a file of the example "${call.example}" does not exist: ${address} ${answer.status}`,
        );
      data.append(field, await answer.blob(), decodeURIComponent(basename(address)));
    }
  }
  return data;
}
