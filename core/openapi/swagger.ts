import { join, resolve } from 'node:path';
import type { Request, ResponseObject, ResponseToolkit, ServerRegisterPluginObject, ServerRoute } from '@hapi/hapi';
import { acceptedEncodings } from '../http/request/index.js';
import { etagOf, isKnown, type AnswerEncoding } from '../http/response/index.js';
import type { OpenApiDocument } from './complete-document.js';
import { documentKey, documentedRoutes, routeLines } from './document-key.js';
import { documentParts, type DocumentPart } from './document-parts.js';
import { DocumentViews, type View } from './document-views.js';
import { generateDocument } from './generate-document.js';
import { preparedFolder } from './prepared-folder.js';
import { storedDocument } from './stored-document.js';
import { savedDocument } from './saved-document.js';
import type { SettingsValues } from '../settings/index.js';
import type { SwaggerDeps } from './swagger-deps.js';
import { toolTags } from './tag-descriptions.js';
import { disabledCalls, hiddenCalls } from './without-disabled.js';

/** The document of a server, for the process that makes it for another one. */
export interface DocumentSource {
  /** The documented routes, one line each. */
  readonly routes: readonly string[];
  key(): Promise<string>;
  /** Blocks for seconds. */
  document(): Promise<OpenApiDocument>;
  /** Writes every view of the document, with the calls that are disabled now left out, as files for `DocumentViews`. */
  writeViews(folder: string, document: OpenApiDocument): Promise<void>;
}

/** `declared`: all routes of operations and endpoints. */
export function documentSource(declared: readonly ServerRoute[], deps: SwaggerDeps): DocumentSource {
  const documented = documentedRoutes(declared);
  const routes = routeLines(documented);
  return {
    routes,
    key: () => documentKey({ ...deps, plugins: deps.catalog.plugins, routes }),
    document: () => generateDocument(documented, deps),
    writeViews: async (folder, document) => {
      const { plugins } = deps.catalog;
      const key = await documentKey({ ...deps, plugins, routes });
      const views = new DocumentViews({
        key,
        folder,
        tools: toolTags(plugins),
        whole: () => Promise.resolve(document),
      });
      await views.write(disabledCalls(deps));
    },
  };
}

/** Settings that decide which routes a server documents, and for whom. */
const routeSettings = ['security.enableLogin', 'system.enableMobileScanner', 'system.rootUriPath'] as const;

/** Serves the document: whole, in parts, and as OpenAPI 3.1. */
export function swaggerPlugin(
  deps: SwaggerDeps,
  declared: () => readonly ServerRoute[],
): ServerRegisterPluginObject<unknown> {
  const path = `${deps.prefix}/v1/api-docs`;
  let views: DocumentViews | undefined;
  const viewsOf = async (): Promise<DocumentViews> => {
    const { key, document, routes } = documentSource(declared(), deps);
    const known = await key();
    return (views ??= new DocumentViews({
      key: known,
      folder: preparedFolder,
      tools: toolTags(deps.catalog.plugins),
      whole: () => wholeDocument(deps, { key: known, routes, document }),
    }));
  };
  const respond = async (part: DocumentPart | undefined, request: Request, h: ResponseToolkit) => {
    const is31 = String(request.query['version'] ?? '') === '3.1';
    const { view } = views ?? (await viewsOf());
    return sendView(await view(hiddenCalls(deps, request.app.principal), part, is31), request, h);
  };
  /** The saved pipelines of the caller; made for each call, because anyone may save one. */
  const respondSaved = async (request: Request): Promise<OpenApiDocument> => {
    const { principal } = request.app;
    const tools = principal === undefined ? [] : await deps.savedTools(principal);
    const { view } = views ?? (await viewsOf());
    const { body } = await view(disabledCalls(deps), 'tools', false);
    return savedDocument(JSON.parse((await body('identity')).toString()) as OpenApiDocument, tools);
  };
  return {
    plugin: {
      name: 'quire-openapi',
      register: (server) => {
        server.route({
          method: 'GET',
          path: `${path}/saved`,
          options: { plugins: { quire: { access: { role: 'user' as const } } } },
          handler: (request) => respondSaved(request),
        });
        const parts = [undefined, ...(Object.keys(documentParts) as DocumentPart[])];
        server.route(
          parts.map((part) => ({
            method: 'GET',
            path: part === undefined ? path : `${path}/${part}`,
            options: { plugins: { quire: { access: { role: 'public' as const } } } },
            handler: (request, h) => respond(part, request, h),
          })),
        );
      },
    },
  };
}

/** Reads the document from disk, or has it made in a child process; only if that fails it is made here. */
async function wholeDocument(
  { settings, resolveFrom, log }: SwaggerDeps,
  { key, routes, document }: Pick<DocumentSource, 'routes' | 'document'> & { readonly key: string },
): Promise<OpenApiDocument> {
  try {
    return await storedDocument(key, join(settings.paths.tmp, 'api-docs'), {
      settings: nested({
        ...Object.fromEntries(routeSettings.map((name) => [name, settings.get(name)])),
        plugins: pluginsAsWritten(settings.get('plugins')),
        operations: operationsAsWritten(settings.get('operations')),
      }),
      resolveFrom: [...new Set(settings.get('plugins').map(({ folder }) => folder)), ...resolveFrom],
      routes,
    });
  } catch (error) {
    log.warn({ error: String(error) }, 'the API document is generated in the main process: no other process could');
    return document();
  }
}

/** Sends a view in an encoding that the client accepts, or nothing if the client has it. */
async function sendView({ name, body }: View, request: Request, h: ResponseToolkit): Promise<ResponseObject> {
  const headers = request.headers as Readonly<Record<string, string | undefined>>;
  const [encoding = 'identity']: AnswerEncoding[] = acceptedEncodings(headers['accept-encoding']);
  const etag = etagOf(name, encoding);
  const known = isKnown(headers['if-none-match'], etag);
  const answer = known ? h.response().code(304) : h.response(await body(encoding));
  if (!known) answer.type('application/json');
  if (!known && encoding !== 'identity') answer.header('content-encoding', encoding);
  return answer.header('etag', etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding');
}

/** The entries as a settings file elsewhere has them, which accepts no other members. */
function pluginsAsWritten(plugins: SettingsValues['plugins']): readonly object[] {
  return plugins.map(({ use, optional, options, folder }) => ({
    use: use.startsWith('.') ? resolve(folder, use) : use,
    optional,
    options,
  }));
}

function operationsAsWritten(operations: SettingsValues['operations']): object {
  return Object.fromEntries(
    Object.entries(operations).map(([path, { timeoutMs, ...rest }]) => [
      path,
      timeoutMs === undefined ? rest : { ...rest, timeout: `${timeoutMs}ms` },
    ]),
  );
}

/** Turns `a.b` into members of members. */
function nested(values: Readonly<Record<string, unknown>>): object {
  const root: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    const steps = path.split('.');
    const last = steps.pop() ?? path;
    let place = root;
    for (const step of steps) place = (place[step] ??= {}) as Record<string, unknown>;
    place[last] = value;
  }
  return root;
}
