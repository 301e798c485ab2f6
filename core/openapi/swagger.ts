import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  Plugin,
  Request,
  ResponseObject,
  ResponseToolkit,
  RouteOptions,
  Server,
  ServerRegisterPluginObject,
  ServerRoute,
} from '@hapi/hapi';
import type {} from '@hapi/inert';
import type { Catalog } from '@quire/catalog';
import type { Endpoint } from '@quire/registry';
import { InputError } from '@quire/registry/errors';
import type { AvailabilityTable } from '../access/index.js';
import { completeDocument, type OpenApiDocument } from './complete-document.js';
import { hostEndpoints } from './form-examples.js';
import { acceptedEncodings } from '../http/request/index.js';
import { compress, etagOf, isKnown, type AnswerEncoding } from '../http/response/index.js';
import { documentParts, partOf, type DocumentPart } from './document-parts.js';
import { toolTags } from './tag-descriptions.js';
import { withoutDisabled } from './without-disabled.js';

export interface SwaggerDeps {
  readonly catalog: Catalog;
  readonly availability: AvailabilityTable;
  readonly endpoints: readonly Endpoint[];
  readonly prefix: string;
  readonly version: string;
}

const description =
  'Every tool is an HTTP endpoint that receives a multipart form and returns a file. Tools can be chained in ' +
  'pipelines and run as jobs.\n\nErrors are problem documents (RFC 9457) with a `code`. `async=true` starts ' +
  'a job, `callbackUrl` is called when it ends; `Idempotency-Key` makes repeating a POST safe; `Prefer: ' +
  'handling=strict` rejects unknown fields and damaged PDFs.';

/**
 * Registers hapi-swagger, and replaces the generated document by the completed one. The generator is loaded by the
 * first request for the document, because it has two megabytes of code. It runs once, since a run blocks the server for
 * seconds; concurrent requests wait for the same document.
 */
export function swaggerPlugin(deps: SwaggerDeps): ServerRegisterPluginObject<unknown> {
  const path = `${deps.prefix}/v1/api-docs`;
  let generator: Promise<void> | undefined;
  let whole: OpenApiDocument | undefined;
  let generation: { readonly by: Request; readonly ended: Promise<void>; readonly end: () => void } | undefined;
  let answer: { readonly document: OpenApiDocument; readonly text: string; readonly etag: string } | undefined;
  const visible = withoutDisabled(deps);
  const respond = (document: OpenApiDocument, h: ResponseToolkit): ResponseObject => {
    if (answer?.document !== document) {
      const text = JSON.stringify(document);
      answer = { document, text, etag: createHash('sha256').update(text).digest('hex').slice(0, 32) };
    }
    return h.response(answer.text).type('application/json').etag(answer.etag);
  };
  const parts = new PartAnswers(toolTags(deps.catalog.plugins));
  return {
    plugin: {
      name: 'quire-openapi',
      register: (server) => {
        server.route(
          (Object.keys(documentParts) as DocumentPart[]).map((part) => ({
            method: 'GET',
            path: `${path}/${part}`,
            options: { plugins: { quire: { access: { role: 'public' as const } } } },
            handler: async (request, h) => {
              // The whole document is made by its own route, once.
              if (whole === undefined) await server.inject({ url: path, headers: { host: request.info.host } });
              if (whole === undefined) return h.redirect(path);
              return parts.respond(visible(whole), part, request, h);
            },
          })),
        );
        // Routes are looked up after this extension, so the generator's own route is found.
        server.ext('onRequest', async (request, h) => {
          if (request.path === path) await (generator ??= registerGenerator(server, deps, path));
          return h.continue;
        });
        server.ext('onPreHandler', async (request, h) => {
          if (request.path !== path) return h.continue;
          // Not `await generation?.ended`: then all waiting requests would continue at the same time.
          while (generation !== undefined) await generation.ended;
          if (whole !== undefined) return respond(visible(whole), h).takeover();
          if (request.raw.res.closed) return h.continue;
          let resolve = (): void => undefined;
          const ended = new Promise<void>((done) => void (resolve = done));
          const end = (): void => {
            if (generation?.by === request) generation = undefined;
            resolve();
          };
          generation = { by: request, ended, end };
          // Also called if the client has disconnected and nothing is answered.
          request.raw.res.once('close', end);
          return h.continue;
        });
        server.ext('onPreResponse', (request, h) => {
          if (generation?.by !== request) return h.continue;
          const { response } = request;
          // An error of the generator is answered as an error; the next call tries again.
          if (!('isBoom' in response) && typeof response.source === 'object') {
            whole = completeDocument(response.source as OpenApiDocument, {
              operations: deps.catalog.operations.values(),
              endpoints: [...hostEndpoints(deps.endpoints), ...deps.catalog.endpoints],
              plugins: deps.catalog.plugins,
              prefix: deps.prefix,
            });
          }
          generation.end();
          return whole === undefined ? h.continue : respond(visible(whole), h);
        });
      },
    },
  };
}

/** The answers for the parts of the document: made once for each state of it, and compressed once. */
class PartAnswers {
  #document: OpenApiDocument | undefined;
  readonly #texts = new Map<DocumentPart, string>();
  readonly #bodies = new Map<string, Promise<Buffer>>();

  constructor(private readonly tools: ReadonlySet<string>) {}

  async respond(document: OpenApiDocument, part: DocumentPart, request: Request, h: ResponseToolkit) {
    if (this.#document !== document) {
      this.#document = document;
      this.#texts.clear();
      this.#bodies.clear();
    }
    const headers = request.headers as Readonly<Record<string, string | undefined>>;
    const text = this.#texts.get(part) ?? JSON.stringify(partOf(document, part, this.tools));
    this.#texts.set(part, text);
    const [encoding = 'identity']: AnswerEncoding[] = acceptedEncodings(headers['accept-encoding']);
    const etag = etagOf(text, encoding);
    const known = isKnown(headers['if-none-match'], etag);
    const answer = known ? h.response().code(304) : h.response(await this.#body(etag, text, encoding));
    if (!known) answer.type('application/json');
    if (!known && encoding !== 'identity') answer.header('content-encoding', encoding);
    return answer.header('etag', etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding');
  }

  #body(etag: string, text: string, encoding: AnswerEncoding): Promise<Buffer> {
    const body = this.#bodies.get(etag) ?? compress(text, encoding);
    this.#bodies.set(etag, body);
    return body;
  }
}

/** Returns the options that document a route, if it has any. */
function documented(plugins: RouteOptions['plugins']): object {
  const docs = plugins?.quire?.docs?.();
  return docs === undefined ? {} : { ...docs, plugins: { ...plugins, ...docs.plugins } };
}

async function registerGenerator(server: Server, { version }: SwaggerDeps, path: string): Promise<void> {
  const { default: hapiSwagger } = await import('hapi-swagger');
  // Documented on first use: creating the schemas of all routes, and having Hapi check and copy them, would make every
  // start a tenth slower.
  for (const { settings } of server.table()) Object.assign(settings, documented(settings.plugins));
  await server.register({
    plugin: hapiSwagger as unknown as Plugin<unknown>,
    options: {
      OAS: 'v3.0',
      jsonPath: path,
      documentationPage: false,
      swaggerUI: false,
      xProperties: true,
      grouping: 'tags',
      reuseDefinitions: false,
      info: {
        title: 'Quire',
        version,
        description,
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      },
      securityDefinitions: {
        apiKey: {
          type: 'apiKey',
          name: 'X-API-KEY',
          in: 'header',
          description: 'Required while login is on, unless a session token is sent',
        },
        session: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access_token that /api/v1/auth/login returns',
        },
      },
      security: [{ apiKey: [] }, { session: [] }],
    },
  });
}

/** Serves Swagger UI from the installed package, with our own page and document; no asset is loaded from elsewhere. */
export function swaggerUiPlugin(prefix: string): ServerRegisterPluginObject<unknown> {
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const allowed = new Set([
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-standalone-preset.js',
    'favicon-16x16.png',
    'favicon-32x32.png',
  ]);
  // In the package, beside `dist`.
  const own = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'openapi', 'assets');
  const page = [
    '<!doctype html>\n',
    '<html lang="en"><head><meta charset="utf-8"><title>Quire API</title>\n',
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
    '<link rel="stylesheet" href="../swagger-assets/swagger-ui.css">',
    '<link rel="icon" type="image/png" href="../swagger-assets/favicon-32x32.png">',
    '<style>body{margin:0}.swagger-ui .topbar .link svg{display:none}',
    '.swagger-ui .topbar .link::after{content:"Quire API"}</style></head>\n',
    '<body><div id="swagger-ui"></div>\n',
    '<script src="../swagger-assets/swagger-ui-bundle.js"></script>',
    '<script src="../swagger-assets/swagger-ui-standalone-preset.js"></script>',
    '<script src="../swagger-assets/examples.js"></script>',
    '<script src="../swagger-assets/search.js"></script>',
    '<script src="../swagger-assets/start.js"></script>',
    '</body></html>\n',
  ].join('');
  const urls = Object.entries(documentParts).map(([part, name]) => ({ url: `../v1/api-docs/${part}`, name }));
  const start =
    `window.ui = SwaggerUIBundle({ urls: ${JSON.stringify(urls)}, dom_id: '#swagger-ui', deepLinking: true, ` +
    `filter: true, tryItOutEnabled: true, docExpansion: 'list', validatorUrl: null, layout: 'StandaloneLayout', ` +
    `presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], ` +
    `plugins: [window.QuireFormExamples, window.QuireSearch] });\n`;
  const csp =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
  return {
    plugin: {
      name: 'quire-swagger-ui',
      dependencies: '@hapi/inert',
      register: (server) => {
        const open = { quire: { access: { role: 'public' as const } } };
        server.route([
          {
            method: 'GET',
            path: `${prefix}/swagger-ui`,
            options: { plugins: open },
            handler: (_, h) => h.redirect(`${prefix}/swagger-ui/index.html`),
          },
          {
            method: 'GET',
            path: `${prefix}/swagger-ui/index.html`,
            options: { plugins: open },
            handler: (_, h) => h.response(page).type('text/html').header('content-security-policy', csp),
          },
          {
            method: 'GET',
            path: `${prefix}/swagger-assets/start.js`,
            options: { plugins: open },
            handler: (_, h) => h.response(start).type('text/javascript'),
          },
          ...['examples.js', 'search.js'].map((file): ServerRoute => {
            return {
              method: 'GET',
              path: `${prefix}/swagger-assets/${file}`,
              options: { plugins: open },
              handler: (_, h) => h.file(join(own, file), { confine: own }),
            };
          }),
          {
            method: 'GET',
            path: `${prefix}/swagger-assets/{file}`,
            options: { plugins: open, cache: { expiresIn: 3_600_000 } },
            handler: (request, h) => {
              if (!allowed.has(String(request.params['file']))) throw new InputError('NOT_FOUND');
              return h.file(join(assets, String(request.params['file'])), { confine: assets });
            },
          },
        ]);
      },
    },
  };
}
