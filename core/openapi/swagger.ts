import { join } from 'node:path';
import type { Request, ResponseToolkit, Server, ServerRegisterPluginObject } from '@hapi/hapi';
import type { Catalog } from '@quire/catalog';
import type { Endpoint, Logger } from '@quire/registry';
import type { AvailabilityTable } from '../access/index.js';
import { acceptedEncodings } from '../http/request/index.js';
import { compress, etagOf, isKnown, type AnswerEncoding } from '../http/response/index.js';
import type { Settings } from '../settings/index.js';
import { asVersion31 } from './as-version-31.js';
import type { OpenApiDocument } from './complete-document.js';
import { documentKey, routeLines } from './document-key.js';
import { documentParts, partOf, type DocumentPart } from './document-parts.js';
import { generateDocument } from './generate-document.js';
import { storedDocument } from './stored-document.js';
import { toolTags } from './tag-descriptions.js';
import { withoutDisabled } from './without-disabled.js';

export interface SwaggerDeps {
  readonly catalog: Catalog;
  readonly availability: AvailabilityTable;
  readonly endpoints: readonly Endpoint[];
  readonly prefix: string;
  readonly version: string;
  readonly settings: Settings;
  readonly log: Pick<Logger, 'warn'>;
  /** Folders that are searched for plugins. */
  readonly resolveFrom: readonly string[];
}

/** The document of a server, for the process that makes it for another one. */
export interface DocumentSource {
  /** The documented routes, one line each. */
  readonly routes: readonly string[];
  key(): Promise<string>;
  /** Blocks for seconds. */
  document(): Promise<OpenApiDocument>;
}

export function documentSource(server: Server, deps: SwaggerDeps): DocumentSource {
  const routes = routeLines(server);
  return {
    routes,
    key: () => documentKey({ ...deps, plugins: deps.catalog.plugins, routes }),
    document: () => generateDocument(server, deps),
  };
}

/** Settings that decide which routes a server documents, and for whom. */
const routeSettings = ['security.enableLogin', 'system.enableMobileScanner', 'system.rootUriPath'] as const;

/** Serves the document: whole, in parts, and as OpenAPI 3.1. */
export function swaggerPlugin(deps: SwaggerDeps): ServerRegisterPluginObject<unknown> {
  const path = `${deps.prefix}/v1/api-docs`;
  const visible = withoutDisabled(deps);
  const answers = new DocumentAnswers(toolTags(deps.catalog.plugins));
  let whole: Promise<OpenApiDocument> | undefined;
  const respond = async (server: Server, part: DocumentPart | undefined, request: Request, h: ResponseToolkit) => {
    // An error is answered as an error; the next call tries again.
    whole ??= wholeDocument(server, deps).catch((error: unknown) => {
      whole = undefined;
      throw error;
    });
    const is31 = String(request.query['version'] ?? '') === '3.1';
    return answers.respond(visible(await whole), { part, is31 }, request, h);
  };
  return {
    plugin: {
      name: 'quire-openapi',
      register: (server) => {
        const parts = [undefined, ...(Object.keys(documentParts) as DocumentPart[])];
        server.route(
          parts.map((part) => ({
            method: 'GET',
            path: part === undefined ? path : `${path}/${part}`,
            options: { plugins: { quire: { access: { role: 'public' as const } } } },
            handler: (request, h) => respond(server, part, request, h),
          })),
        );
      },
    },
  };
}

/** Reads the document from disk, or has it made in a child process; only if that fails it is made here. */
async function wholeDocument(server: Server, deps: SwaggerDeps): Promise<OpenApiDocument> {
  const { settings, resolveFrom, log } = deps;
  const { routes, key, document } = documentSource(server, deps);
  try {
    return await storedDocument(await key(), join(settings.paths.tmp, 'api-docs'), {
      settings: nested({
        ...Object.fromEntries(routeSettings.map((name) => [name, settings.get(name)])),
        plugins: settings.get('plugins'),
        operations: settings.get('operations'),
      }),
      resolveFrom,
      routes,
    });
  } catch (error) {
    log.warn({ error: String(error) }, 'the API document is generated in the main process: no other process could');
    return document();
  }
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

interface View {
  /** Undefined: everything. */
  readonly part: DocumentPart | undefined;
  /** OpenAPI 3.1 instead of 3.0. */
  readonly is31: boolean;
}

/** The answers for views of the document: made once for each state of it, and compressed once. */
class DocumentAnswers {
  #document: OpenApiDocument | undefined;
  readonly #texts = new Map<string, string>();
  readonly #bodies = new Map<string, Promise<Buffer>>();

  constructor(private readonly tools: ReadonlySet<string>) {}

  async respond(document: OpenApiDocument, view: View, request: Request, h: ResponseToolkit) {
    if (this.#document !== document) {
      this.#document = document;
      this.#texts.clear();
      this.#bodies.clear();
    }
    const headers = request.headers as Readonly<Record<string, string | undefined>>;
    const name = `${view.part} ${view.is31}`;
    const text = this.#texts.get(name) ?? this.#textOf(document, view);
    this.#texts.set(name, text);
    const [encoding = 'identity']: AnswerEncoding[] = acceptedEncodings(headers['accept-encoding']);
    const etag = etagOf(text, encoding);
    const known = isKnown(headers['if-none-match'], etag);
    const answer = known ? h.response().code(304) : h.response(await this.#body(etag, text, encoding));
    if (!known) answer.type('application/json');
    if (!known && encoding !== 'identity') answer.header('content-encoding', encoding);
    return answer.header('etag', etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding');
  }

  #textOf(document: OpenApiDocument, { part, is31 }: View): string {
    const shown = part === undefined ? document : partOf(document, part, this.tools);
    return JSON.stringify(is31 ? asVersion31(shown) : shown);
  }

  #body(etag: string, text: string, encoding: AnswerEncoding): Promise<Buffer> {
    const body = this.#bodies.get(etag) ?? compress(text, encoding);
    this.#bodies.set(etag, body);
    return body;
  }
}
