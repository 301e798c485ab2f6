import type { Request, Server } from '@hapi/hapi';
import type { Access, EndpointRequest, ErrorCode, Principal } from '@quire/registry';
import type { AuditData, AuditLog, AuditType, Captures } from '../../audit/index.js';
import { statusOf } from './meter.js';
import type {} from '../hapi-state.js';

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** The caller, also if the guard then rejects the call. */
    caller?: Principal;
    /** The account that the call is about. */
    subject?: string;
    /** The error that was answered. */
    refusal?: ErrorCode;
    /** Why, in words for administrators. */
    refusalReason?: string;
  }
}

export interface AuditCallsDeps {
  readonly audit: AuditLog;
  /** The context path, `system.rootUriPath`. */
  readonly prefix: string;
  /** Additional data of documents and answers to record. */
  readonly captures: Captures;
  /** Returns the name of an account in its stored spelling. */
  nameOf(username: string): Promise<string | undefined>;
}

/** Everything that decides the event type of a call: the route's declaration and the status. */
export interface AuditedCall {
  readonly method: string;
  /** The route's pattern without the context path. */
  readonly path: string;
  readonly access: Access | undefined;
  readonly operation: string | undefined;
  readonly status: number;
  /** The request contained an API key, or a credential of another server, and it was not a right one. */
  readonly withWrongKey: boolean;
}

/** Longest account name that is recorded. */
const LONGEST_NAME = 320;
/** Polled by machines every few seconds. */
const probes = /^\/api\/v1\/(info|health)(\/|$)/;

/** Routes under /api/v1 that return files kept by the server. */
const downloads = new RegExp(
  `^(?:${[
    String.raw`storage/.*/download`,
    String.raw`storage/share-links/\{token\}`,
    String.raw`general/files/\{fileId\}`,
    String.raw`general/job/\{jobId\}/result`,
    String.raw`mobile-scanner/download/.*`,
    String.raw`general/signatures/\{fileName\}`,
  ].join('|')})$`,
);

/** Paths under /api/v1 with their own event type; the first match counts. `reads`: GET counts too. */
const kinds: readonly { readonly type: AuditType; readonly path: RegExp; readonly reads?: true }[] = [
  { type: 'USER_PROFILE_UPDATE', path: /^(user|team|invite|auth\/(mfa|sessions|passkeys|password-reset))(\/|$)/ },
  // Existing clients create and restore backups with GET.
  { type: 'SETTINGS_CHANGED', path: /^database\//, reads: true },
  { type: 'FILE_OPERATION', path: /^admin\/watched-folders\// },
  { type: 'SETTINGS_CHANGED', path: /^(admin|settings|integrations)(\/|$)/ },
  {
    type: 'FILE_OPERATION',
    path: /^(storage|proprietary\/signatures|mobile-scanner|general\/job|general\/files)(\/|$)/,
  },
  {
    type: 'FILE_OPERATION',
    path: downloads,
    reads: true,
  },
  {
    type: 'PDF_PROCESS',
    path: /^(pipeline\/handleData$|(ai|docparse|convert|general|security|misc|filter|form|analysis)\/)/,
  },
];

/** Paths under /api/v1 that log a user in. */
const logins: ReadonlySet<string> = new Set(['auth/login', 'auth/proxy-login', 'auth/passkeys/login/finish']);

/** Refusals of credentials that another server has made. */
const foreign: ReadonlySet<ErrorCode | undefined> = new Set([
  'ACCESS_TOKEN_INVALID',
  'ACCESS_TOKEN_UNKNOWN',
  'CLIENT_CERTIFICATE_INVALID',
]);

/** Returns the event type of a call; undefined for calls that are not recorded: pages, probes, unknown addresses. */
export function auditTypeOf({
  method,
  path,
  access,
  operation,
  status,
  withWrongKey,
}: AuditedCall): AuditType | undefined {
  // SCIM records its changes itself, with what was changed.
  if (path.startsWith('/scim/v2/')) return status === 401 || status === 429 ? 'USER_FAILED_LOGIN' : undefined;
  if (!path.startsWith('/api/v1/') || probes.test(path)) return undefined;
  const below = path.slice('/api/v1/'.length);
  if (below === 'auth/passkeys/login/begin') return 'HTTP_REQUEST';
  if (logins.has(below)) return status < 400 ? 'USER_LOGIN' : 'USER_FAILED_LOGIN';
  if (below === 'auth/logout') return 'USER_LOGOUT';
  // A wrong key is an attack signal on any route; an expired session is common.
  if (status === 401 && withWrongKey) return 'USER_FAILED_LOGIN';
  if (operation !== undefined) return 'PDF_PROCESS';
  const reads = method === 'GET' || method === 'HEAD';
  const kind = kinds.find((one) => (one.reads === true || !reads) && one.path.test(below));
  return kind?.type ?? (!reads && access?.role === 'admin' ? 'SETTINGS_CHANGED' : 'HTTP_REQUEST');
}

/**
 * Returns the account that a call is about: the `username` in its path, fields or query, if its declaration has one.
 */
export function subjectOf({
  params,
  payload,
  query,
}: Pick<EndpointRequest, 'params' | 'payload' | 'query'>): string | undefined {
  const name = params['username'] ?? payload['username'] ?? query['username'];
  return typeof name === 'string' && name !== '' && name.length <= LONGEST_NAME ? name : undefined;
}

/** Records every call in the audit log after its answer was sent. */
export function auditCalls(hapi: Server, { audit, prefix, nameOf }: AuditCallsDeps): void {
  hapi.events.on('response', (request) => {
    const { began } = request.app;
    const declared = request.route.settings.plugins?.quire;
    if (began === undefined || declared === undefined) return;
    const call: AuditedCall = {
      method: request.method.toUpperCase(),
      path: request.route.path.slice(prefix.length),
      access: declared.access,
      operation: declared.operation,
      status: statusOf(request),
      // A right key may get 401 too: for the password of a shared link.
      withWrongKey:
        (request.headers['x-api-key'] !== undefined || foreign.has(request.app.refusal)) &&
        (request.app.caller?.via ?? 'none') === 'none',
    };
    const type = auditTypeOf(call);
    if (type === undefined) return;
    const ms = Math.round(performance.now() - began);
    void auditedName(request, type, nameOf).then((principal) =>
      audit.record(type, principal, dataOf(request, call, type, ms)),
    );
  });
}

/** Returns who logged in or tried to, else the caller. Never rejects. */
async function auditedName(
  { app: { caller, subject } }: Request,
  type: AuditType,
  nameOf: AuditCallsDeps['nameOf'],
): Promise<string> {
  if (subject === undefined || (type !== 'USER_LOGIN' && type !== 'USER_FAILED_LOGIN'))
    return caller?.name ?? 'anonymous';
  return (await nameOf(subject).catch(() => undefined)) ?? subject;
}

function dataOf(
  { app: { address, requestId, caller, subject, captured, refusal, refusalReason } }: Request,
  { method, path, operation, status }: AuditedCall,
  type: AuditType,
  ms: number,
): AuditData {
  const via = caller?.via ?? 'none';
  return {
    method,
    path,
    status,
    ms,
    address,
    requestId,
    origin: via === 'session' ? 'WEB' : via === 'none' ? 'ANONYMOUS' : 'API',
    ...(operation === undefined ? {} : { operation }),
    ...(caller?.keyId === undefined ? {} : { keyId: caller.keyId }),
    // On other routes, a user name may be one of another service.
    ...(subject === undefined || !type.startsWith('USER_') ? {} : { subject }),
    ...(refusal === undefined || type !== 'USER_FAILED_LOGIN' ? {} : { code: refusal }),
    ...(refusalReason === undefined || type !== 'USER_FAILED_LOGIN' ? {} : { reason: refusalReason }),
    // Other answers may hold secrets.
    ...(type === 'PDF_PROCESS' ? captured : {}),
  };
}
