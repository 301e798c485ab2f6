import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { kindInfo, tokens, type DocumentFile, type RunContext } from '@quire/registry';
import { planBody, writeBody } from '../functions/call-body.js';
import { callContext, lookupIn, NOTHING_TOLD, type CallContext } from '../functions/call-context.js';
import type { ApiConfig, JsonValue } from '../functions/connection-types.js';
import { headerNameFault, headerValueFault } from '../functions/header-rules.js';
import { fillBudget, fillText, hasPlaceholder, invalid, type Lookup } from '../functions/placeholders.js';
import { below, relativePathFault } from '../functions/relative-path.js';
import { tellDocument } from '../tasks/document-tasks.js';
import { apiCalls, type ApiAnswer, type ApiCall } from './api-calls.js';
import type { UsableConnection } from './connections.js';

/** Parameters of external-api-call, as far as they say what is sent. */
export interface SendParams {
  readonly path: string;
  readonly method: ApiCall['method'];
  readonly bodyMode: 'multipart' | 'json' | 'binary';
  readonly fileFieldName: string;
  readonly fields: { readonly [key: string]: JsonValue | undefined };
  readonly bodyTemplate?: string;
  readonly headers: { readonly [key: string]: JsonValue | undefined };
  readonly includeContext: boolean;
  readonly includeFile: boolean;
}

/** Addresses and headers hold no documents. */
const LONGEST_BASE64_BYTES = 4096;
const LONGEST_URL = 8192;

/**
 * Sends a document over a connection, as the parameters say. Gives the answer, which is a success by its status. Throws
 * INPUT_INVALID, and what `ApiCalls` does.
 */
export async function sendDocument(
  connection: UsableConnection<ApiConfig>,
  file: DocumentFile,
  params: SendParams,
  ctx: RunContext,
): Promise<ApiAnswer> {
  const context = await contextOf(file, params, ctx);
  const marker = `quire${randomBytes(16).toString('hex')}`;
  const within = fillBudget();
  const lookup = within(
    lookupIn(context, () => marker),
    params.bodyTemplate === undefined ? 'fields' : 'bodyTemplate',
  );
  // Where a document does not fit in whole it does not fit at all.
  const content = file.size > LONGEST_BASE64_BYTES ? undefined : Buffer.from(await file.bytes()).toString('base64');
  const short = (field: string): Lookup =>
    within(
      lookupIn(context, () => {
        if (content === undefined)
          throw invalid(
            field,
            `${field} contains {{document.base64}}, and the document has ${file.size} bytes; the limit there ` +
              `is ${LONGEST_BASE64_BYTES}`,
          );
        return content;
      }),
      field,
    );
  const url = addressOf(connection.config, params.path, short('path'));
  const headers = headersOf(connection.config, params, short('headers'));
  const plan = planBody({
    mode: params.bodyMode,
    template: params.bodyTemplate,
    fields: params.fields,
    fileFieldName: params.fileFieldName,
    includeContext: params.includeContext,
    includeFile: params.includeFile,
    file: { name: file.name, mediaType: mediaTypeOf(file) },
    context,
    lookup,
    marker,
    boundary: `quire${randomBytes(16).toString('hex')}`,
  });
  const folder = await ctx.folder();
  let bodyFile = file.path();
  if (plan.pieces.length !== 1 || typeof plan.pieces[0] === 'string' || plan.pieces[0]?.document !== 'raw') {
    bodyFile = `${folder}/body`;
    await writeBody(plan, file.path(), bodyFile, ctx.signal);
  }
  let answers = 0;
  return ctx
    .use(apiCalls)
    .send(
      connection,
      { url, method: params.method, headers: { 'content-type': plan.contentType, ...headers }, bodyFile },
      () => `${folder}/answer${++answers}`,
      ctx.signal,
    );
}

/** Reads only what the parameters need of the document: most calls do not open it. */
async function contextOf(
  file: DocumentFile,
  { path, fields, headers, bodyTemplate = '', includeContext }: SendParams,
  ctx: RunContext,
): Promise<CallContext> {
  const asked =
    includeContext || hasPlaceholder(`${path} ${JSON.stringify(fields)} ${JSON.stringify(headers)} ${bodyTemplate}`);
  const [told, sha256] = asked
    ? await Promise.all([
        file.kind === 'pdf'
          ? ctx.use(tokens.workerTasks).run(tellDocument, { path: file.path() }, ctx.signal)
          : NOTHING_TOLD,
        digestOf(file.path(), ctx.signal),
      ])
    : [NOTHING_TOLD, ''];
  return callContext(
    {
      filename: file.name,
      contentType: file.mediaType,
      resolvedContentType: kindInfo(file.kind).mediaType,
      sizeBytes: file.size,
      sha256,
    },
    told,
    { policyName: null, runId: randomUUID(), timestamp: ctx.use(tokens.clock).now().toISOString() },
  );
}

async function digestOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal, highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>)
    hash.update(chunk);
  return hash.digest('hex');
}

function addressOf({ baseUrl }: ApiConfig, template: string, lookup: Lookup): string {
  // Checked before placeholders are filled in, so that document data cannot change the destination.
  const fault = relativePathFault(template.replace(/\{\{[^{}]*\}\}/g, 'x'));
  if (fault !== undefined) throw invalid('path', `path ${fault}; it is relative to the address of the connection`);
  const path = fillText(template, 'path', lookup, encodeSegment);
  if (path.length > LONGEST_URL)
    throw invalid('path', `path has more than ${LONGEST_URL} characters once its placeholders are filled`);
  const url = below(baseUrl, path);
  if (url === undefined)
    throw invalid(
      'path',
      `path does not stay below the address of the connection: ${relativePathFault(path) ?? 'it leads elsewhere'}`,
    );
  return url;
}

/** Dots alone would be read as a way up; they have no other form in an address. */
function encodeSegment(value: string): string {
  return encodeURIComponent(Buffer.from(value, 'utf8').toString('utf8')).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function headersOf(
  { authType, headerName, tokenHeaderName }: ApiConfig,
  { headers, bodyMode, bodyTemplate }: SendParams,
  lookup: Lookup,
): Record<string, string> {
  const own = (
    authType === 'HEADER' ? headerName : authType === 'TOKEN_LOGIN' ? tokenHeaderName : undefined
  )?.toLowerCase();
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const lower = name.toLowerCase();
      const fault =
        headerNameFault(name) ??
        (lower === own ? 'is the header by which the connection says who calls' : undefined) ??
        (lower === 'content-type' && bodyMode === 'multipart' && bodyTemplate === undefined
          ? 'cannot be set for bodyMode multipart'
          : undefined);
      if (fault !== undefined) throw invalid('headers', `headers: ${JSON.stringify(name.slice(0, 60))} ${fault}`);
      if (typeof value === 'object' && value !== null)
        throw invalid('headers', `headers: the value of ${name} must be a text`);
      const text = fillText(value === null || value === undefined ? '' : String(value), 'headers', lookup);
      const wrong = headerValueFault(text);
      if (wrong !== undefined) throw invalid('headers', `headers: the value of ${name} ${wrong}`);
      return [lower, text];
    }),
  );
}

function mediaTypeOf(file: DocumentFile): string {
  return /^[\w.+-]+\/[\w.+-]+$/.test(file.mediaType) ? file.mediaType : kindInfo(file.kind).mediaType;
}
