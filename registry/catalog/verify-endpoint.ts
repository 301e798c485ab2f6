import type { Endpoint, ErrorFamily, JoiRoot } from '@quire/registry';
import { buildFields, buildSchema, type BuiltSchema } from './verify-schema.js';
import { type BuiltRequest, verifyEndpointExamples, verifyLinks } from './verify-endpoint-examples.js';
import { verifyAccess, verifyCodes, verifyParts, verifySince, verifySummary, type Report } from './verify-shared.js';

type EndpointRequest = NonNullable<Endpoint['request']>;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const families: readonly ErrorFamily[] = ['input', 'access', 'operational'];

/**
 * Checks one endpoint's declaration. Without `prefixes` any first path segment is allowed (the host's own endpoints).
 */
export function verifyEndpoint(
  endpoint: Endpoint,
  prefixes: readonly string[] | undefined,
  joi: JoiRoot,
  report: Report,
): void {
  if (typeof endpoint.id !== 'string' || !/^[a-z][A-Za-z0-9]*$/.test(endpoint.id))
    report('its id is not a camelCase name.');
  if (!methods.includes(endpoint.method))
    report(`its method is ${JSON.stringify(endpoint.method)}; it must be one of ${methods.join(', ')}.`);
  const inPath = verifyPath(endpoint.path, prefixes, report);
  verifySummary(endpoint.summary, report);
  verifySince(endpoint.since, report);
  verifyAccess(endpoint.access, report);

  const fields = verifyRequest(endpoint, inPath, joi, report);
  verifyAnswer(endpoint.returns, 'returns', joi, report);
  for (const [status, answer] of Object.entries(endpoint.returns?.also ?? {})) {
    if (!/^[23]\d\d$/.test(status)) report(`returns.also has the status ${status}; it must be 200 to 399.`);
    verifyAnswer(answer, `returns.also.${status}`, joi, report);
  }
  verifyEndpointExamples(endpoint, fields, report);
  verifyLinks(endpoint.returns?.links, report);
  verifyCodes(endpoint.errors, families, report);
  if (typeof endpoint.handle !== 'function') report('handle is not a function.');
}

/** Checks what the endpoint reads, and returns the fields of each place. */
function verifyRequest(
  { method, request = {} }: Endpoint,
  inPath: readonly string[],
  joi: JoiRoot,
  report: Report,
): BuiltRequest {
  const { params, query, payload } = request;
  const fields: BuiltRequest = {
    params: params === undefined ? undefined : buildFields(params, joi, 'request.params', report),
    query: query === undefined ? undefined : buildFields(query, joi, 'request.query', report),
    payload: payload === undefined ? undefined : buildFields(payload, joi, 'request.payload', report),
  };
  if (params === undefined || fields.params !== undefined) verifyPathFields(inPath, fields.params, report);
  if ((payload !== undefined || request.files !== undefined) && method === 'GET')
    report('a GET cannot have a payload.');
  verifyJsonBody(request, report);
  verifyFiles(request, fields.payload, report);
  return fields;
}

function verifyPathFields(inPath: readonly string[], params: BuiltSchema | undefined, report: Report): void {
  const declared = new Set(Object.keys(params?.fields ?? {}));
  for (const name of inPath)
    if (!declared.has(name)) report(`its path has {${name}}, which request.params does not describe.`);
  for (const name of declared)
    if (!inPath.includes(name)) report(`request.params describes ${name}, which its path does not have.`);
}

function verifyJsonBody({ payload, payloadType, maxBytes, asFile }: EndpointRequest, report: Report): void {
  if (payloadType !== undefined && !['json', 'multipart', 'form', 'binary'].includes(payloadType))
    report(`request.payloadType is ${JSON.stringify(payloadType)}; it must be json, multipart, form or binary.`);
  if (payloadType === 'binary' && payload !== undefined) report('request.payload cannot describe a binary body.');
  if (maxBytes !== undefined && (!Number.isInteger(maxBytes) || maxBytes < 1))
    report(`request.maxBytes is ${JSON.stringify(maxBytes)}; it must be a whole number of bytes.`);
  const isJson = payload !== undefined && (payloadType ?? 'json') === 'json';
  if (maxBytes !== undefined && !isJson) report('request.maxBytes applies to JSON bodies only.');
  if (asFile !== undefined && (asFile !== true || !isJson))
    report('request.asFile stores a JSON body and needs a description of its payload.');
}

function verifyFiles(
  { files, fileIdFor, payloadType }: EndpointRequest,
  body: BuiltSchema | undefined,
  report: Report,
): void {
  if (fileIdFor !== undefined && !(files ?? []).some(({ field }) => field === fileIdFor))
    report(`request.fileIdFor is ${JSON.stringify(fileIdFor)}, which is not a field of request.files.`);
  if (files !== undefined && payloadType !== 'multipart') report('request.files needs payloadType multipart.');
  verifyParts(files, new Set(Object.keys(body?.fields ?? {})), report, fileIdFor);
}

function verifyAnswer(
  answer: { readonly description: string; readonly json?: unknown } | undefined,
  title: string,
  joi: JoiRoot,
  report: Report,
): void {
  if (answer === undefined || typeof answer.description !== 'string' || answer.description === '')
    report(`${title} has no description.`);
  if (answer?.json !== undefined) buildSchema(answer.json, joi, `${title}.json`, report);
}

function verifyPath(path: unknown, prefixes: readonly string[] | undefined, report: Report): readonly string[] {
  if (
    typeof path !== 'string' ||
    !/^\/?(?:[A-Za-z0-9._-]+|\{[A-Za-z][A-Za-z0-9]*\})(?:\/(?:[A-Za-z0-9._-]+|\{[A-Za-z][A-Za-z0-9]*\}))*$/.test(path)
  ) {
    report('its path must consist of plain segments and {names}.');
    return [];
  }
  const inside = path.startsWith('/') ? /^\/api\/v1\/(.*)$/.exec(path)?.[1] : path;
  const head = inside?.split('/')[0];
  if (prefixes !== undefined && head !== undefined && !prefixes.includes(head))
    report(`its path begins with "${head}", which is not in quire.prefixes (${prefixes.join(', ')}).`);
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
}
