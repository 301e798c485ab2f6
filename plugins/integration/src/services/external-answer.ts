import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import {
  baseName,
  beginsLike,
  fileKinds,
  isQuireError,
  kindOfName,
  sniffKind,
  tokens,
  type ConcreteKind,
  type DocumentFile,
  type OutputFile,
  type RunContext,
} from '@quire/registry';
import { fileHead } from '@quire/document/file/source';
import { callReport } from '../functions/call-report.js';
import { secretTexts } from '../functions/connection-secrets.js';
import { MASK, type ApiConfig, type JsonValue } from '../functions/connection-types.js';
import { dispositionName } from '../functions/disposition-name.js';
import { valueAt } from '../functions/json-path.js';
import { checkPdf, pickFromArchive } from '../tasks/document-tasks.js';
import { apiCalls, unusable, type ApiAnswer } from './api-calls.js';
import type { UsableConnection } from './connections.js';

type Connection = UsableConnection<ApiConfig>;

/** Parameters of external-api-call, as far as they say what becomes of the answer. */
export interface AnswerParams {
  readonly responseMode: 'report' | 'replace';
  readonly resultUrlPath?: string;
  readonly resultUrlHeader?: string;
  readonly responseSelect?: string;
  readonly requireTrue?: string;
}

/** JSON beyond this is not looked into, bytes. */
const LARGEST_JSON = 4 * 1024 * 1024;
/** Of a long JSON, what a report may show of it, bytes. */
const SHOWN_JSON = 20_000;
/** Other names of the types of kinds. */
const TYPE_ALIASES: Readonly<Record<string, ConcreteKind>> = {
  'text/xml': 'xml',
  'image/jpg': 'jpeg',
  'application/x-pdf': 'pdf',
  'application/x-zip-compressed': 'zip',
  'application/x-zip': 'zip',
  'image/heic': 'heif',
  'image/heif': 'heif',
  'application/vnd.comicbook+zip': 'cbz',
};
const byType = new Map<string, ConcreteKind>([
  ...Object.entries(fileKinds).map(([kind, { mediaType }]) => [mediaType.toLowerCase(), kind as ConcreteKind] as const),
  ...Object.entries(TYPE_ALIASES),
]);

/**
 * Reports of the answer, or makes the file of it that takes the place of the input. Throws REMOTE_ANSWER for one that
 * is of no use.
 */
export async function takeAnswer(
  connection: Connection,
  answer: ApiAnswer,
  file: DocumentFile,
  params: AnswerParams,
  ctx: RunContext,
): Promise<OutputFile> {
  const wantsUrl = params.resultUrlHeader !== undefined || params.resultUrlPath !== undefined;
  const replace = params.responseMode === 'replace';
  const json =
    params.requireTrue !== undefined || (replace && (isJsonType(answer) || wantsUrl))
      ? await readJson(answer)
      : undefined;
  if (params.requireTrue !== undefined && valueAt(json, params.requireTrue) !== true)
    throw unusable(connection, `JSON in which ${JSON.stringify(params.requireTrue)} is not true`);
  if (!replace) {
    ctx.report(await reportOf(connection, answer));
    return ctx.keep(file);
  }
  const url = resultUrl(answer, json, params);
  if (url !== undefined) {
    checkResultUrl(connection, url);
    return takeFile(
      connection,
      await ctx.use(apiCalls).fetch(connection, url, `${await ctx.folder()}/result`, ctx.signal),
      file,
      params,
      ctx,
    );
  }
  if (wantsUrl) throw unusable(connection, 'without a result URL where the parameters say that there is one');
  if (isJsonType(answer) && answer.bytes > 0)
    throw unusable(connection, 'JSON, and resultUrlPath does not say where in it the result is');
  return takeFile(connection, answer, file, params, ctx);
}

async function takeFile(
  connection: Connection,
  answer: ApiAnswer,
  file: DocumentFile,
  { responseSelect }: AnswerParams,
  ctx: RunContext,
): Promise<OutputFile> {
  if (answer.bytes === 0) throw unusable(connection, 'with an empty body');
  const head = await fileHead(answer.path, 1029);
  const declared = byType.get(typeOf(answer));
  const named = dispositionName(answer.headers['content-disposition']);
  // Without a type that says something, the name or the first bytes do.
  const told =
    declared === undefined || declared === 'bin' ? (kindOfName(named ?? '') ?? sniffKind(head, named ?? '')) : declared;
  if (told !== undefined && !beginsLike(head, told))
    throw unusable(connection, `with ${fileKinds[told].mediaType} whose content is something else`);
  if (responseSelect !== undefined) {
    if (!beginsLike(head, 'zip'))
      throw unusable(
        connection,
        'with something that is not a zip archive, from which responseSelect could select a file',
      );
    const picked = await ctx
      .use(tokens.workerTasks)
      .run(pickFromArchive, { path: answer.path, folder: await ctx.folder(), select: responseSelect }, ctx.signal);
    if ('fault' in picked) throw unusable(connection, picked.fault);
    return handOut(connection, picked.path, picked.name, file, ctx);
  }
  if (told === 'zip')
    throw unusable(connection, 'with an archive, and responseSelect does not say which file of it is wanted');
  const extension = fileKinds[told ?? 'bin'].extensions[0] ?? 'bin';
  return handOut(connection, answer.path, named ?? `${baseName(file.name)}.${extension}`, file, ctx);
}

async function handOut(
  connection: Connection,
  path: string,
  name: string,
  file: DocumentFile,
  ctx: RunContext,
): Promise<OutputFile> {
  if ((await stat(path)).size === 0) throw unusable(connection, 'with an empty file');
  if (sniffKind(await fileHead(path, 1029), name) === 'pdf') {
    await ctx
      .use(tokens.workerTasks)
      .run(checkPdf, { path }, ctx.signal)
      .catch((error: unknown) => {
        if (isQuireError(error) && error.row.family === 'input')
          throw unusable(connection, `with a PDF that cannot be used: ${error.message}`);
        throw error;
      });
  }
  return ctx.adopt(file, path, { file: name });
}

function resultUrl(
  { headers }: ApiAnswer,
  json: unknown,
  { resultUrlHeader, resultUrlPath }: AnswerParams,
): string | undefined {
  const header = resultUrlHeader === undefined ? undefined : headers[resultUrlHeader.toLowerCase()];
  if (header !== undefined && header !== '') return header;
  const found = resultUrlPath === undefined ? undefined : valueAt(json, resultUrlPath);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Where a result may be: at the host of the connection, or one that it lists, or below that. */
function checkResultUrl(connection: Connection, text: string): void {
  const { baseUrl, resultUrlHosts = [] } = connection.config;
  const url = /[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text) ? undefined : new URL(text);
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw unusable(connection, 'with a result URL that is not an http or https address');
  if (url.username !== '' || url.password !== '')
    throw unusable(connection, 'with a result URL that holds a user name or password');
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  const isOwn = host === new URL(baseUrl).hostname.toLowerCase().replace(/\.$/, '');
  if (!isOwn && !resultUrlHosts.some((one) => host === one || host.endsWith(`.${one}`)))
    throw unusable(
      connection,
      'with a result URL of another host, which resultUrlHosts of the connection does not list',
    );
}

async function reportOf(connection: Connection, answer: ApiAnswer): Promise<Record<string, JsonValue>> {
  const contentType = answer.headers['content-type'] ?? '';
  const told = { status: answer.status, contentType, bytes: answer.bytes };
  if (!isJsonType(answer) || answer.bytes === 0) return callReport(told);
  // Secrets that a service repeats are removed.
  const secrets = [...answer.secrets, ...secretTexts('API', connection.config as unknown as Record<string, JsonValue>)]
    .filter((text) => text.length >= 4)
    .sort((a, b) => b.length - a.length);
  const blot = (text: string): string =>
    secrets.reduce(
      (left, secret) => left.replaceAll(secret, MASK).replaceAll(JSON.stringify(secret).slice(1, -1), MASK),
      text,
    );
  let shown = Buffer.alloc(0);
  for await (const chunk of createReadStream(answer.path, { end: SHOWN_JSON - 1 }) as AsyncIterable<Buffer>)
    shown = Buffer.concat([shown, chunk]);
  return callReport({ ...told, contentType: blot(contentType), text: blot(shown.toString('utf8')) });
}

/** Parses the JSON of an answer; undefined if it is invalid or too long. */
async function readJson(answer: ApiAnswer): Promise<unknown> {
  if (answer.bytes > LARGEST_JSON) return undefined;
  try {
    return JSON.parse((await readFile(answer.path, 'utf8')).replace(/^\ufeff/, '')) as unknown;
  } catch {
    return undefined;
  }
}

function typeOf({ headers }: ApiAnswer): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function isJsonType(answer: ApiAnswer): boolean {
  return /^application\/(?:[\w.+-]+\+)?json$|^text\/json$/.test(typeOf(answer));
}
