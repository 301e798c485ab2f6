import type { CatalogOperation } from '@quire/catalog';
import {
  commonCodes,
  effectsOf,
  errorRow,
  fileReturns,
  kindInfo,
  returnsJson,
  rewriteConditions,
  tokens,
  type Access,
  type AnyOperation,
  type Endpoint,
  type ErrorCode,
  type FileKind,
  type JoiRoot,
  type PartSpec,
  type When,
  type WriteMode,
} from '@quire/registry';
import Joi from 'joi';
import { answerSchemas, documentingJoi } from './endpoint-answers.js';

/** The route options that document a route. */
export interface RouteDocs {
  readonly description: string;
  readonly notes: string[];
  readonly tags: string[];
  readonly plugins: { readonly 'hapi-swagger': object };
}

/** Describes the file types of a file field for people. */
function kindsText(kinds: readonly FileKind[]): string {
  return kinds.map((kind) => (kind === 'any' ? 'any file' : kindInfo(kind).mediaType)).join(', ');
}

const fileSchema = (description: string): Joi.Schema =>
  Joi.any().meta({ swaggerType: 'file' }).description(description);
const filesSchema = (description: string): Joi.Schema =>
  Joi.array()
    .items(Joi.any().meta({ swaggerType: 'file' }))
    .single()
    .description(description);

function partSchema(part: PartSpec): Joi.Schema {
  const when =
    part.requiredWhen === undefined || part.requiredWhen === 'always'
      ? ''
      : `. Required when ${whenText(part.requiredWhen)}`;
  const text = `${part.description} (${kindsText(part.kinds)})${when}`;
  const schema = part.many === true ? filesSchema(text) : fileSchema(text);
  return part.requiredWhen === 'always' ? schema.required() : schema;
}

/** Returns the errors of the guard that follow from the declared access. */
export function accessCodes(access: Access | undefined): ErrorCode[] {
  return [
    ...(access?.role === 'public'
      ? []
      : (['KEY_INVALID', 'TOKEN_INVALID', 'ACCOUNT_DISABLED', 'TOO_MANY_ATTEMPTS'] as const)),
    ...(access?.role === 'public' || access?.openBefore?.includes('password') === true
      ? []
      : (['PASSWORD_CHANGE_REQUIRED'] as const)),
    ...(access?.role === 'public' || access?.openBefore?.includes('secondFactor') === true
      ? []
      : (['MFA_SETUP_REQUIRED'] as const)),
    ...(access?.role === 'admin' ? (['ADMIN_ONLY'] as const) : []),
    ...(access?.area === undefined && access?.right === undefined ? [] : (['RIGHTS_MISSING'] as const)),
    ...(access?.personal === true ? (['BUILT_IN_REFUSED'] as const) : []),
    ...(access?.role === 'public' || access?.needsSession === true ? [] : (['KEY_SCOPE'] as const)),
    ...(access?.needsSession === true ? (['SESSION_REQUIRED'] as const) : []),
    ...(access?.needsLogin === true ? (['LOGIN_REQUIRED'] as const) : []),
    ...(access?.needsSettings === undefined ? [] : (['FEATURE_OFF'] as const)),
    ...((access?.cost ?? 0) > 0 ? (['ACCOUNT_LINK_REQUIRED', 'PAYG_LIMIT_REACHED'] as const) : []),
  ];
}

/** Errors of the server's services that a caller of an operation may see, by service name. */
const serviceCodes: Readonly<Record<string, readonly ErrorCode[]>> = {
  [tokens.languageModel.name]: [
    'SERVICE_NOT_SET_UP',
    'REMOTE_UNREACHABLE',
    'REMOTE_ANSWER',
    'REMOTE_TIMEOUT',
    'REMOTE_BUSY',
  ],
  [tokens.documentIndex.name]: ['SERVICE_NOT_SET_UP', 'INDEX_FULL', 'STORE_DOWN'],
  [tokens.mailer.name]: ['SERVICE_NOT_SET_UP', 'MAIL_REFUSED', 'REMOTE_UNREACHABLE'],
  [tokens.pdfToPdfA.name]: ['PROGRAM_MISSING', 'PROGRAM_NOT_STARTED', 'PROGRAM_FAILED'],
  [tokens.timeStampAuthority.name]: ['REMOTE_UNREACHABLE', 'REMOTE_ANSWER', 'REMOTE_TIMEOUT'],
  [tokens.standardsValidator.name]: ['PROGRAM_MISSING', 'PROGRAM_NOT_STARTED', 'PROGRAM_FAILED'],
};

/** Returns every error code that an operation can answer with. */
export function operationCodes(entry: CatalogOperation): ErrorCode[] {
  const { needs, errors, effects, accepts } = entry.operation;
  const access: ErrorCode[] = [
    ...accessCodes(entry.operation.access),
    'ACCOUNT_LINK_REQUIRED',
    'PAYG_LIMIT_REACHED',
    'OPERATION_DISABLED',
    'RIGHTS_MISSING',
    'DAILY_LIMIT_REACHED',
  ];
  const world: ErrorCode[] = [
    'QUEUE_FULL',
    'TIMEOUT',
    'STORAGE_FULL',
    'INTERNAL',
    'WORKER_LOST',
    ...(needs?.programs === undefined ? [] : (['PROGRAM_MISSING', 'PROGRAM_NOT_STARTED'] as const)),
    ...(needs?.services ?? []).flatMap(({ name }) => serviceCodes[name] ?? []),
    // A `fileId` may name a file in a bucket.
    ...(accepts.length > 0 ? (['REMOTE_UNREACHABLE', 'REMOTE_ANSWER', 'REMOTE_TIMEOUT'] as const) : []),
    ...(effects?.includes('needsNetwork') === true
      ? (['REMOTE_UNREACHABLE', 'REMOTE_ANSWER', 'REMOTE_TIMEOUT', 'REMOTE_BUSY'] as const)
      : []),
  ];
  return [...new Set<ErrorCode>([...commonCodes, ...errors, ...access, ...world])];
}

/** Groups error codes by HTTP status. */
export function codesByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const rows = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorRow(code);
    rows.set(status, [...(rows.get(status) ?? []), code]);
  }
  return new Map([...rows].sort(([a], [b]) => a - b));
}

/** Describes error codes in one line. */
export function describeCodes(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${errorRow(code).title}`).join('; ');
}

/** Fields of every call that can become a job: the address called when the job ends (docs/guides/jobs.md). */
export function callbackFields(joi: JoiRoot): Readonly<Record<string, Joi.Schema>> {
  return {
    callbackUrl: joi
      .string()
      .allow('')
      .description(
        'For jobs: address that is called when the job ends (Standard Webhooks); `data` in the body is the job record',
      ),
    callbackSecret: joi
      .string()
      .allow('')
      .description(
        'Key that signs the call-back: whsec_ followed by 24 to 64 bytes in base64; by default the key of the ' +
          'server, if it has one',
      ),
  };
}

/** Documents an operation's route from its declaration. */
export function operationDocs(entry: CatalogOperation): RouteDocs {
  const { operation } = entry;
  const file =
    operation.files === 'all'
      ? filesSchema(`The documents, in order: repeat the field (${kindsText(operation.accepts)})`)
      : fileSchema(`The document (${kindsText(operation.accepts)}). May be left out if fileId is sent`);
  const fields: Record<string, Joi.Schema> = operation.accepts.length === 0 ? {} : { fileInput: file.required() };
  for (const name of operation.fileAliases ?? [])
    fields[name] = operation.files === 'all' ? filesSchema('Alias of fileInput') : fileSchema('Alias of fileInput');
  if (operation.files === 'each')
    fields['fileId'] = Joi.string().description(
      'Id of a result file of an earlier job, or number of a stored file. A call with fileId needs no fileInput, ' +
        'although this document requires it, so that generated clients insist on a file',
    );
  for (const part of operation.parts ?? []) fields[part.field] = partSchema(part);
  return {
    description: operation.summary,
    notes: [operationNotes(entry)],
    tags: ['api', operation.path.split('/')[0] ?? 'general'],
    plugins: {
      'hapi-swagger': {
        id: entry.name,
        payloadType: 'form',
        consumes: ['multipart/form-data'],
        ...(operation.deprecated === undefined ? {} : { deprecated: true }),
        validate: {
          payload: Joi.object(fields)
            .concat(entry.schema as Joi.ObjectSchema)
            .concat(operation.job?.async === false ? Joi.object({}) : Joi.object(callbackFields(Joi))),
        },
        responses: { 200: { description: 'The result', ...answerSchema(operation) } },
      },
    },
  };
}

/** Returns the schema of a JSON answer, or of the contents of a JSON file. */
function answerSchema(operation: AnyOperation): { schema?: Joi.Schema } {
  const schema = returnsJson(operation)
    ? operation.returns.json(documentingJoi)
    : fileReturns(operation)?.holds?.(documentingJoi);
  return schema === undefined ? {} : { schema };
}

/** Descriptions of the write modes for clients. */
const writesText: Readonly<Record<WriteMode, string>> = {
  append:
    'Changes are appended to the untouched bytes of the input, unless the server is set to rewrite everything. ' +
    'What was signed stays as it was; validators report a change after signing, and so does a warning.',
  rewrite: 'Every byte is rewritten: the result contains no earlier revision.',
  assemble: 'The result is a new document: it contains no earlier revision of an input.',
};

function signedText(operation: AnyOperation): string {
  if (!effectsOf(operation).includes('breaksSignature')) return '';
  return operation.signedInput === 'allowed'
    ? 'Signed PDFs are accepted; their signatures do not survive.'
    : 'Signed PDFs are rejected (409 PDF_SIGNED) unless the server is set to accept them.';
}

function operationNotes(entry: CatalogOperation): string {
  const { operation, plugin } = entry;
  const lines = [
    operation.notes ?? '',
    operation.writes === undefined
      ? ''
      : `Write mode: ${operation.writes}. ${writesText[operation.writes]}${rewriteConditions(operation)
          .map((when) => ` Rewritten when ${whenText(when)}.`)
          .join('')}`,
    effectsOf(operation).length > 0 ? `Effects: ${effectsOf(operation).join(', ')}.` : '',
    signedText(operation),
    operation.aliases !== undefined
      ? `Also accepted: ${Object.entries(operation.aliases)
          .map(([other, field]) => `\`${other}\` for \`${field}\``)
          .join(', ')}.`
      : '',
    operation.needs?.programs !== undefined ? `Needs ${operation.needs.programs.join(', ')} on the server.` : '',
    operation.pipeline === false ? 'Cannot be a pipeline step.' : '',
    operation.job?.async === false
      ? ''
      : '`Prefer: respond-async` starts a job. The query parameter or form field `async=true`, for existing clients, ' +
        'starts one too; it answers 200 with the body that is described under 202.',
    operation.deprecated === undefined
      ? ''
      : `Deprecated since ${operation.deprecated.since}, removed in ${operation.deprecated.removeIn}` +
        `${operation.deprecated.use === undefined ? '' : `; use \`/api/v1/${operation.deprecated.use}\``}.`,
    operation.keywords === undefined ? '' : `Also known as: ${operation.keywords.join(', ')}.`,
    `Since ${operation.since}, ${plugin.name} ${plugin.version}.`,
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

/** Documents an endpoint's route from its declaration. */
export function endpointDocs(endpoint: Endpoint): RouteDocs {
  const { request } = endpoint;
  const payload =
    request?.payloadType === 'multipart'
      ? Joi.object(Object.fromEntries((request.files ?? []).map((part) => [part.field, partSchema(part)])))
          .concat(request.payload?.(Joi) ?? Joi.object({}))
          .concat(
            request.fileIdFor === undefined
              ? Joi.object({})
              : Joi.object({
                  fileId: Joi.string().description(
                    'Id of a result file of an earlier job, or number of a stored file, instead of ' +
                      `${request.fileIdFor}`,
                  ),
                }),
          )
      : request?.payloadType === 'binary'
        ? Joi.binary().required().description('The document itself')
        : request?.payload?.(request.payloadType === 'form' ? Joi : documentingJoi);
  return {
    description: endpoint.summary,
    notes: [[endpoint.notes ?? '', `Since ${endpoint.since}.`].filter(Boolean).join('\n\n')],
    tags: ['api', endpoint.tag ?? (endpoint.path.replace(/^\//, '').split('/')[0] || 'general')],
    plugins: {
      'hapi-swagger': {
        id: endpoint.id,
        ...(request?.payloadType === 'multipart' ? { payloadType: 'form', consumes: ['multipart/form-data'] } : {}),
        ...(request?.payloadType === 'form'
          ? { payloadType: 'form', consumes: ['application/x-www-form-urlencoded', 'multipart/form-data'] }
          : {}),
        ...(request?.payloadType === 'binary' ? { consumes: ['application/octet-stream'] } : {}),
        validate: {
          ...(request?.params === undefined ? {} : { params: request.params(Joi) }),
          ...(request?.query === undefined ? {} : { query: request.query(Joi) }),
          ...(payload === undefined ? {} : { payload }),
        },
        responses: answerSchemas(endpoint),
      },
    },
  };
}

/** Describes a condition on parameters. */
function whenText(when: When): string {
  return when === 'always'
    ? 'always'
    : Object.entries(when)
        .map(([field, value]) => `${field} is ${String(value)}`)
        .join(' and ');
}
