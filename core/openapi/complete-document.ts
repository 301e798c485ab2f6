import type { CatalogOperation, LoadedPlugin } from '@quire/catalog';
import {
  fileKinds,
  fileReturns,
  kindInfo,
  type AnswerLink,
  type ConcreteKind,
  type ErrorCode,
  type FileKind,
  type FileReturns,
} from '@quire/registry';
import { addTitles } from './add-titles.js';
import { answerNames, type AnswerName } from './answer-names.js';
import { headerParameters, headerReferences, idempotencyCodes, type CallHeader } from './call-headers.js';
import { endpointFormExamples, formExamples, type DeclaredEndpoint } from './form-examples.js';
import { ANY_MEDIA_TYPE, fileSchemaOf, furtherAnswers, requestCodes } from './endpoint-answers.js';
import { correctSchemas } from './correct-schemas.js';
import { accessCodes, operationCodes } from './operation-docs.js';
import { ProblemResponses } from './problem-responses.js';
import { nameSchemas } from './schema-names.js';
import { showExamples } from './shown-examples.js';
import { describedTags } from './tag-descriptions.js';

/** The members of an OpenAPI 3.0 document that are read or changed here. */
export interface OpenApiDocument {
  servers: { url: string; description?: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: {
    schemas: Record<string, object>;
    parameters?: Record<string, object>;
    responses?: Record<string, object>;
    examples?: Record<string, object>;
    links?: Record<string, object>;
  };
  tags?: { name: string; description?: string }[];
  [member: string]: unknown;
}

interface OpenApiOperation {
  responses: Record<
    string,
    { description: string; headers?: object; content?: Record<string, object>; links?: object } | { $ref: string }
  >;
  requestBody?: {
    required?: boolean;
    content: Record<
      string,
      { schema?: { properties?: Record<string, Record<string, unknown>> }; example?: unknown; examples?: object }
    >;
  };
  security?: object[];
  parameters?: { name?: string; example?: unknown; schema?: { example?: unknown }; $ref?: string }[];
  [member: string]: unknown;
}

/** Server-sent events; declared JSON describes the data of each event. */
const EVENTS = 'text/event-stream';

const binary = { type: 'string', format: 'binary' };

const problemSchema = {
  type: 'object',
  description: 'A problem document (RFC 9457)',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    cause: {
      type: 'object',
      description: 'Only with JOB_FAILED: the problem that the call without a job would have answered with',
      required: ['status', 'code', 'detail'],
      properties: {
        status: { type: 'integer', example: 400 },
        code: { type: 'string', example: 'PDF_DAMAGED' },
        detail: { type: 'string' },
      },
    },
    type: { type: 'string', description: 'Relative URI of the problem type', example: '/errors/validation' },
    title: { type: 'string', example: 'Invalid parameter' },
    status: { type: 'integer', example: 400 },
    detail: { type: 'string', description: 'What is wrong and what is allowed' },
    instance: { type: 'string', description: 'Path of the request; missing if its head could not be read' },
    code: { type: 'string', description: 'Code from the error table', example: 'INPUT_INVALID' },
    requestId: { type: 'string', description: 'Also in the X-Request-Id header and in the log' },
    errors: {
      type: 'array',
      description: 'One entry for each fault',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'JSON Pointer (RFC 6901)', example: '/angle' },
          detail: { type: 'string' },
        },
      },
    },
    timestamp: { type: 'string', format: 'date-time' },
    path: { type: 'string' },
    errorCode: { type: 'string', description: 'Short code for existing clients', example: 'E004' },
    hints: { type: 'array', items: { type: 'string' } },
  },
};

const jobStartedSchema = {
  type: 'object',
  required: ['async', 'jobId', 'result'],
  properties: {
    async: { type: 'boolean', enum: [true] },
    jobId: { type: 'string' },
    result: { type: 'object', nullable: true },
  },
};

/** The declarations from which the document is completed. */
interface Declared {
  readonly operations: Iterable<CatalogOperation>;
  readonly endpoints: Iterable<DeclaredEndpoint>;
  readonly plugins: readonly LoadedPlugin[];
  readonly prefix: string;
}

/** Adds what the generator cannot know: media types of answers and errors, examples, the server's address. */
export function completeDocument(document: OpenApiDocument, declared: Declared): OpenApiDocument {
  const { prefix } = declared;
  correctSchemas(document);
  nameSchemas(document);
  showExamples(document);
  document.servers = [{ url: prefix === '' ? '/' : prefix, description: 'This server' }];
  document.components.schemas['Problem'] = problemSchema;
  document.components.schemas['JobStarted'] = jobStartedSchema;
  document.components.parameters = { ...document.components.parameters, ...headerParameters };
  const refusals = new ProblemResponses();
  document.paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, methods]) => [
      prefix !== '' && path.startsWith(prefix) ? path.slice(prefix.length) : path,
      methods,
    ]),
  );
  for (const entry of declared.operations) {
    const described = document.paths[`/api/v1/${entry.operation.path}`]?.['post'];
    if (described !== undefined) completeOperation(described, entry, refusals);
  }
  for (const { endpoint, plugin } of declared.endpoints) {
    const path = endpoint.path.startsWith('/') ? endpoint.path : `/api/v1/${endpoint.path}`;
    const described = document.paths[path]?.[endpoint.method.toLowerCase()];
    if (described !== undefined) completeEndpoint(described, { endpoint, plugin }, refusals);
  }
  Object.assign(document.components, {
    responses: refusals.responses,
    examples: refusals.examples,
    links: { job: linkObject({ to: 'getJob', parameters: { jobId: '$response.body#/jobId' } }) },
  });
  document.tags = describedTags(
    Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ tags }) => (tags as string[] | undefined) ?? []),
    ),
    declared.plugins,
  );
  return document;
}

function completeOperation(described: OpenApiOperation, entry: CatalogOperation, refusals: ProblemResponses): void {
  const { operation } = entry;
  addTitles(described, entry);
  if (operation.keywords !== undefined) described['x-keywords'] = operation.keywords;
  if (described.requestBody !== undefined) {
    described.requestBody.required = true;
    const form = described.requestBody.content['multipart/form-data'];
    if (form !== undefined) form.examples = formExamples(entry);
  }
  const started = { schema: { $ref: '#/components/schemas/JobStarted' } };
  const schema = contentOf(described, '200');
  const returns = fileReturns(operation);
  const json = { 'application/json': { schema: (schema as { schema?: object } | undefined)?.schema ?? {} } };
  const content =
    returns === undefined
      ? json
      : { ...fileContent(returns, operation.accepts), ...(returns.holds === undefined ? {} : json) };
  described.responses = {
    200: {
      description: returns === undefined ? 'The answer' : 'The result as an attachment',
      ...(returns === undefined
        ? {}
        : { headers: { 'Content-Disposition': nameHeader(answerNames(operation)), ...fileHeaders } }),
      content,
    },
    202: {
      description: 'The job was started and is still running (`Prefer: respond-async` or `wait=n`)',
      headers: jobHeaders,
      content: { 'application/json': started },
      links: { getJob: { $ref: '#/components/links/job' } },
    },
    ...(returns?.mayDrop === true ? { 204: { description: 'The condition is false: no file is returned' } } : {}),
    ...refusals.of([
      ...new Set([
        ...operationCodes(entry),
        ...idempotencyCodes,
        ...listenerCodes,
        ...(operation.job?.async === false ? [] : ['ADDRESS_REFUSED' as const]),
      ]),
    ]),
  };
  addHeaders(described, operation.job?.async === false ? ['IdempotencyKey'] : ['IdempotencyKey', 'Prefer']);
}

/** Errors of the listener, which no route can prevent. */
const listenerCodes: readonly ErrorCode[] = ['HEADERS_TOO_LARGE', 'HEADERS_TOO_SLOW'];

const jobHeaders = {
  Location: { description: 'Address of the job', schema: { type: 'string' } },
  'Preference-Applied': { description: 'The preferences that were applied', schema: { type: 'string' } },
};

/** Describes the possible file names of the answer by their templates. */
function nameHeader(names: readonly AnswerName[]): object {
  return {
    description:
      'attachment with the file name (RFC 6266), following the patterns below: `{base}` is the name of the ' +
      'upload without its extension, `{input}` the whole name',
    schema: { type: 'string' },
    examples: Object.fromEntries(
      names.map(({ template, header }, i) => [`name${i + 1}`, { summary: template, value: header }]),
    ),
  };
}

const fileHeaders = {
  'X-Effects': { description: 'Additional effects of the operation on the document', schema: { type: 'string' } },
  'X-Ignored-Fields': { description: 'Form fields that this operation does not know', schema: { type: 'string' } },
  'X-Replaced-Values': {
    description: 'Values that cannot be used, each with the one used instead (`field=used`)',
    schema: { type: 'string' },
  },
  'X-Tool-Report': { description: 'Facts about the run as JSON', schema: { type: 'string' } },
};

function fileContent(returns: FileReturns<never>, accepts: readonly FileKind[]): Record<string, object> {
  const given = accepts.filter((kind) => kind !== 'any');
  const kinds: readonly ConcreteKind[] =
    typeof returns.kind === 'object'
      ? [...new Set(Object.values(returns.kind.map))]
      : returns.kind === 'same'
        ? given
        : returns.kind === 'any'
          ? []
          : [returns.kind];
  const declared = typeof returns.mediaType === 'string' ? [returns.mediaType] : Object.values(returns.mediaType ?? {});
  const types = [...declared, ...kinds.map((kind) => kindInfo(kind).mediaType)];
  if (returns.kind === 'any' || (returns.kind === 'same' && accepts.includes('any')))
    types.push(fileKinds.bin.mediaType, ANY_MEDIA_TYPE);
  const many =
    returns.many === undefined && !kinds.includes('zip') ? [] : ['application/octet-stream', 'application/zip'];
  const always = returns.many !== undefined && returns.many.when === undefined && returns.many.single !== 'file';
  return Object.fromEntries(
    // A JSON file without a declared schema may contain any value.
    [...new Set([...(always ? [] : types), ...many])].map((type) => [
      type,
      { schema: type === fileKinds.json.mediaType ? {} : binary },
    ]),
  );
}

/** The JSON answer as the generator described it. */
function contentOf({ responses }: OpenApiOperation, status: string): object | undefined {
  const response = responses[status];
  return response !== undefined && 'content' in response ? response.content?.['application/json'] : undefined;
}

/** Returns a Link Object (OpenAPI 3.0.3, 4.8.20). */
function linkObject({ to, parameters, payload }: AnswerLink): object {
  return {
    operationId: to,
    ...(parameters === undefined ? {} : { parameters }),
    // OpenAPI allows an object here, but common parsers accept only a text.
    ...(payload === undefined ? {} : { 'x-requestBody': payload }),
  };
}

/** Puts the values of examples where Swagger UI reads them. */
function completeRequest(described: OpenApiOperation, declared: DeclaredEndpoint): void {
  const [example] = declared.endpoint.examples ?? [];
  for (const [name, value] of Object.entries(example?.parameters ?? {})) {
    const parameter = described.parameters?.find((one) => one.name === name);
    if (parameter !== undefined) parameter.example = value;
  }
  if (described.requestBody === undefined) return;
  described.requestBody.required = true;
  const forms = endpointFormExamples(declared);
  for (const [type, media] of Object.entries(described.requestBody.content)) {
    if (type === 'application/json' && example?.payload !== undefined) media.example = example.payload;
    if (type !== 'application/json' && Object.keys(forms).length > 0) media.examples = forms;
  }
}

function completeEndpoint(described: OpenApiOperation, declared: DeclaredEndpoint, refusals: ProblemResponses): void {
  const { endpoint } = declared;
  const status = String(endpoint.returns.status ?? 200);
  const schema = contentOf(described, status);
  const { mediaType, fileName, json } = endpoint.returns;
  // A JSON file may be described as JSON.
  const files = [mediaType ?? []]
    .flat()
    .flatMap((type) => (type === fileKinds.bin.mediaType ? [type, ANY_MEDIA_TYPE] : [type]))
    .filter((type) => json === undefined || type !== 'application/json')
    .map((type) => [type, { schema: fileSchemaOf(type) }]);
  const content = Object.fromEntries(
    mediaType === EVENTS
      ? [[EVENTS, schema ?? { schema: fileSchemaOf(EVENTS) }]]
      : [...(json === undefined ? [] : [['application/json', schema ?? {}]]), ...files],
  ) as Record<string, object>;
  const headers =
    fileName === undefined
      ? {}
      : {
          headers: {
            'Content-Disposition': nameHeader([{ template: fileName, header: `attachment; filename="${fileName}"` }]),
          },
        };
  const keyed = endpoint.method === 'POST' && endpoint.access?.role !== 'public';
  if (endpoint.access?.role === 'public') described.security = [];
  completeRequest(described, declared);
  const prefer = preferring[endpoint.id];
  const links = Object.fromEntries((endpoint.returns.links ?? []).map((link) => [link.to, linkObject(link)]));
  described.responses = {
    [status]: {
      description: endpoint.returns.description,
      ...headers,
      ...(Object.keys(content).length === 0 ? {} : { content }),
      ...(endpoint.returns.links === undefined ? {} : { links }),
    },
    // Hapi serves ranges of files unless the endpoint does so itself.
    ...(endpoint.method === 'GET' && mediaType !== undefined ? { 206: { description: 'The requested range' } } : {}),
    ...withJobHeaders(
      furtherAnswers(endpoint, (code) => contentOf(described, code)),
      prefer,
    ),
    ...refusals.of([
      ...new Set([
        ...accessCodes(endpoint.access),
        ...endpoint.errors,
        ...requestCodes(endpoint),
        ...listenerCodes,
        ...(keyed ? idempotencyCodes : []),
      ]),
    ]),
  };
  addHeaders(described, [...(keyed ? ['IdempotencyKey' as const] : []), ...(prefer === undefined ? [] : [prefer])]);
}

/** Adds headers and the link to the job to the answer that reports a started job. */
function withJobHeaders(answers: Record<string, object>, prefer: CallHeader | undefined): typeof answers {
  const started = answers['202'];
  if (prefer !== 'Prefer' || started === undefined) return answers;
  const links = { getJob: { $ref: '#/components/links/job' } };
  return { ...answers, 202: { ...started, headers: jobHeaders, links } };
}

/** Endpoints that read the Prefer header. */
const preferring: Readonly<Record<string, CallHeader>> = {
  runPipeline: 'Prefer',
  runSavedPipeline: 'Prefer',
  validatePipeline: 'Prefer',
  getJob: 'PreferWait',
};

function addHeaders(described: OpenApiOperation, names: readonly CallHeader[]): void {
  if (names.length > 0) described.parameters = [...(described.parameters ?? []), ...headerReferences(names)];
}
